import { feature } from '../../feature.ts'
import { storeWebhookDeliveryRoutes } from './deliveries.routes.ts'
import { storeWebhookRoutes } from './store-webhooks.routes.ts'

/** Webhooks of stores, on the engine of project webhooks. This feature comes after those whose events it can emit again. */
export default feature('store-webhooks', { routes: [storeWebhookRoutes, storeWebhookDeliveryRoutes] })
