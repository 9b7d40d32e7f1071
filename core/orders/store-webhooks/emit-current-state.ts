import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { emitWebhook, emitWebhookTo, type NewEvent } from '../../platform/webhooks/emit.ts'
import { findOwnEndpoint } from '../../platform/webhooks/endpoints.ts'
import { presentProduct } from '../../shop/catalog/present-product.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { findOrder } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import { storeWebhookErrors } from './store-webhooks.errors.ts'
import type { ReemitRequest, ReemittedEvents } from './store-webhooks.model.ts'

type Event = ReemitRequest['event']

const eventBuilders: { readonly [N in Event]: (tx: Tx, store: Store, ids: readonly string[]) => Promise<NewEvent[]> } = {
  'order.created': (tx, store, ids) => orderEvents(tx, store, ids, 'order.created'),
  'order.updated': (tx, store, ids) => orderEvents(tx, store, ids, 'order.updated'),
  'product.created': (tx, store, ids) => productEvents(tx, store, ids, 'product.created'),
  'product.updated': (tx, store, ids) => productEvents(tx, store, ids, 'product.updated'),
}

/**
 * Emits the current state of orders or products to the store's webhooks, under new event ids. Throws `not_found`,
 * `webhook_endpoint_disabled`.
 */
export async function emitCurrentState(context: Context, store: Store, { event, ids, webhookId }: ReemitRequest): Promise<ReemittedEvents> {
  const owner = { projectId: store.projectId, audience: 'store' as const }
  const webhook = webhookId === undefined ? undefined : await findOwnEndpoint(context, owner, webhookId)
  if (webhook && !webhook.enabled) throw storeWebhookErrors.webhookDisabled()
  await transaction(context.sql, async (tx) => {
    const events = await eventBuilders[event](tx, store, ids)
    await (webhook ? emitWebhookTo(tx, webhook.id, events) : emitWebhook(tx, events))
  })
  return { event, ids }
}

async function orderEvents(tx: Tx, store: Store, ids: readonly string[], type: 'order.created' | 'order.updated'): Promise<NewEvent[]> {
  const found = await Promise.all(ids.map((id) => findOrder(tx, { storeId: store.id, id })))
  return found.map((order) => {
    if (!order) throw notFound('The order')
    return { projectId: store.projectId, type, data: { order: presentOrder(order) }, orderKey: order.id }
  })
}

async function productEvents(
  tx: Tx,
  store: Store,
  ids: readonly string[],
  type: 'product.created' | 'product.updated',
): Promise<NewEvent[]> {
  const found = await findProducts(tx, store.projectId, ids)
  return Promise.all(
    ids.map(async (id) => {
      const product = found.find((one) => one.id === id)
      if (!product) throw notFound('The product')
      return { projectId: store.projectId, type, data: { product: await presentProduct(tx, store, product) } }
    }),
  )
}
