import { Type as T } from '@sinclair/typebox'
import { feature } from '../../feature.ts'
import { Id, oneOf } from '../../http/schema.ts'
import { type DataOf, eventOfStore } from '../../platform/webhooks/events.ts'
import { causes } from './privacy.model.ts'
import { privacy } from './privacy.routes.ts'
import { retainPeople } from './retain.ts'
import { resumeErasures, workErasure } from './work-erasure.ts'

const events = {
  'customer.erased': eventOfStore('A customer is being erased: erase them in your own systems as well', {
    erasureId: Id,
    cause: oneOf(causes),
    customerIds: T.Array(Id),
    orderIds: T.Array(Id),
  }),
}

declare module '../../platform/webhooks/events.ts' {
  interface Events extends DataOf<typeof events> {}
}

/** Export and erasure of personal data of customers. Every feature declares its tables as `personalData`; this feature processes them. */
export default feature('privacy', {
  routes: [privacy],
  events,
  jobs: {
    'privacy.erase': { work: workErasure },
    'privacy.resume': { schedule: '*/10 * * * *', work: (context) => resumeErasures(context) },
    'privacy.retain': { schedule: '11 2 * * *', work: (context, _, signal) => retainPeople(context, signal) },
  },
})
