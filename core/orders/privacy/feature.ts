import { Type as T } from '@sinclair/typebox'
import { feature } from '../../feature.ts'
import { Id, oneOf } from '../../http/schema.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { eraseOutdatedPeople } from './apply-retention.ts'
import { erasureCauses } from './privacy.model.ts'
import { privacyRoutes } from './privacy.routes.ts'
import { resumeErasures, runErasure } from './run-erasure.ts'

const events = {
  'customer.erased': eventOfStore('Personal data of a buyer is being removed: remove it from your own systems as well', {
    erasureId: Id,
    cause: oneOf(erasureCauses),
    customerIds: T.Array(Id),
    orderIds: T.Array(Id),
  }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Export and erasure of personal data of customers. Every feature declares its tables as `personalData`; this feature processes them. */
export default feature('privacy', {
  routes: [privacyRoutes],
  events,
  jobs: {
    'privacy.erase': { work: runErasure },
    'privacy.resume': { schedule: '*/10 * * * *', work: (context) => resumeErasures(context) },
    'privacy.eraseOutdated': { schedule: '11 2 * * *', work: (context, _, signal) => eraseOutdatedPeople(context, signal) },
  },
})
