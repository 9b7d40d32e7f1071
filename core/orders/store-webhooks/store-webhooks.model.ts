import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, oneOf } from '../../http/schema.ts'
import { CreatedWebhookEndpoint, RotatedSecret, WebhookEndpoint } from '../../platform/webhooks/webhooks.model.ts'

/** Maximum number of webhooks per store; each one adds work to every event. */
export const STORE_WEBHOOKS_MAX = 50
/** Maximum number of orders or products in one request. */
const REEMITTED_MAX = 50

const ofStore = T.Object({ storeId: Id })
/** Webhook of a store as the API shows it. */
export const StoreWebhook = named('StoreWebhook', T.Composite([WebhookEndpoint, ofStore]))
/** New webhook of a store, with its secret. */
export const CreatedStoreWebhook = named('CreatedStoreWebhook', T.Composite([CreatedWebhookEndpoint, ofStore]))
/** Webhook of a store with its new secret. */
export const RotatedStoreWebhook = named('RotatedStoreWebhook', T.Composite([RotatedSecret, ofStore]))

/** Events that can be emitted again from current data; the data of other events is not stored. */
const reemittableEvents = ['order.created', 'order.updated', 'product.created', 'product.updated'] as const

/** Request that emits the current state of orders or products again. */
export const ReemitRequest = named(
  'StoreWebhookTelling',
  exact({
    event: oneOf(reemittableEvents),
    ids: T.Array(Id, { minItems: 1, maxItems: REEMITTED_MAX, uniqueItems: true, description: 'ids of the orders or products' }),
    webhookId: T.Optional({
      ...Id,
      description: 'only this webhook, whatever it subscribes to; by default all webhooks that subscribe to the event',
    }),
  }),
)
/** Type of {@link ReemitRequest}. */
export type ReemitRequest = Static<typeof ReemitRequest>
/** Events that were emitted again. */
export const ReemittedEvents = named('StoreWebhookTold', T.Object({ event: oneOf(reemittableEvents), ids: T.Array(Id) }))
/** Type of {@link ReemittedEvents}. */
export type ReemittedEvents = Static<typeof ReemittedEvents>
