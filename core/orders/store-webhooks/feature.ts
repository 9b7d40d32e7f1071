import { feature } from '../../feature.ts'
import { storeWebhookDeliveryRoutes } from './deliveries.routes.ts'
import { storeWebhookRoutes } from './store-webhooks.routes.ts'
import { countFailingWebhooks, countSwitchedOffWebhooks } from './waiting.queries.ts'

/** Webhooks of stores, on the engine of project webhooks. This feature comes after those whose events it can emit again. */
export default feature('store-webhooks', {
  routes: [storeWebhookRoutes, storeWebhookDeliveryRoutes],
  attention: [
    {
      kind: 'webhooks_failing',
      meaning: 'Receivers that do not accept events: repair them before they are switched off.',
      group: 'connections',
      right: ['admin', 'webhooks:manage'],
      count: countFailingWebhooks,
    },
    {
      kind: 'webhooks_switched_off',
      meaning: 'Receivers that failed for days or asked for silence: repair and enable, or delete them.',
      group: 'connections',
      right: ['admin', 'webhooks:manage'],
      count: countSwitchedOffWebhooks,
    },
  ],
})
