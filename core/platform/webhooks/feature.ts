import { feature } from '../../feature.ts'
import { pruneDeliveries } from './deliveries.ts'
import { startDispatcher } from './dispatch.ts'
import { tellOwner } from './tell-owner.ts'
import { webhooks } from './webhooks.routes.ts'

export default feature('webhooks', {
  routes: [webhooks],
  jobs: {
    'webhooks.tell-owner': { work: (context, { noticeId }) => tellOwner(context, noticeId) },
    'webhooks.prune': { at: '17 3 * * *', work: ({ sql }, _, signal) => pruneDeliveries(sql, signal) },
  },
  begin: startDispatcher,
})
