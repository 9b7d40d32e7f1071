import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, oneOf } from '../../http/schema.ts'
import { CreatedWebhookEndpoint, RotatedSecret, WebhookEndpoint } from '../../platform/webhooks/webhooks.model.ts'

/** Of one store. Each gets what it subscribed to, so each costs something with everything that happens. */
export const WEBHOOKS_MAX = 50
/** Told again in one request. */
export const TOLD_MAX = 50

const ofStore = T.Object({ storeId: Id })
export const StoreWebhook = named('StoreWebhook', T.Composite([WebhookEndpoint, ofStore]))
export const CreatedStoreWebhook = named('CreatedStoreWebhook', T.Composite([CreatedWebhookEndpoint, ofStore]))
export const RotatedStoreWebhook = named('RotatedStoreWebhook', T.Composite([RotatedSecret, ofStore]))

/** What can be told again as it is now. Of the others nobody could say any more what they carried. */
export const toldAgain = ['order.created', 'order.updated', 'product.created', 'product.updated'] as const

export const Telling = named(
  'StoreWebhookTelling',
  exact({
    event: oneOf(toldAgain),
    ids: T.Array(Id, { minItems: 1, maxItems: TOLD_MAX, uniqueItems: true, description: 'of the orders or products' }),
    webhookId: T.Optional({ ...Id, description: 'this one alone, whatever it subscribed to; all that subscribed, if left out' }),
  }),
)
export type Telling = Static<typeof Telling>
export const Told = named('StoreWebhookTold', T.Object({ event: oneOf(toldAgain), ids: T.Array(Id) }))
export type Told = Static<typeof Told>
