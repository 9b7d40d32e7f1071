import { feature } from '../../feature.ts'
import { storeWebhookDeliveries } from './deliveries.routes.ts'
import { storeWebhooks } from './store-webhooks.routes.ts'

/** Webhooks of stores, on the engine of those of projects. It stands above what stores tell of, so that it can tell it again. */
export default feature('store-webhooks', { routes: [storeWebhooks, storeWebhookDeliveries] })
