import { feature } from '../../feature.ts'
import { storeWebhookDeliveries } from './deliveries.routes.ts'
import { storeWebhooks } from './store-webhooks.routes.ts'

/** Webhooks of stores, on the engine of project webhooks. This feature comes after those whose events it can emit again. */
export default feature('store-webhooks', { routes: [storeWebhooks, storeWebhookDeliveries] })
