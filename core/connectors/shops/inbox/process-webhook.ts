import type { Context } from '../../../context.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { askAdapter } from '../../../integrations/webhook-intake/ask-adapter.ts'
import { findEnabledShop } from '../connector.ts'
import type { ShopEvent } from '../connectors.model.ts'
import type { Shop } from '../orders/import-order.ts'
import { applyWebhookChange, findShop } from '../orders/upsert-order.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { confirmRevocation, handlePrivacyRequest } from './privacy-requests.ts'
import { findReceivedWebhook, markWebhookProcessed, type ReceivedWebhookRow } from './received-webhooks.queries.ts'

/** Runs the job that processes a webhook. Processing it again changes nothing. */
export async function processWebhook(context: Context, callbackId: string): Promise<void> {
  const callback = await findReceivedWebhook(context.sql, callbackId)
  if (!callback) return
  const connection = await findEnabledShop(context, callback.connectionId)
  const shop = connection && (await findShop(context, connection))
  if (!shop) return void (await markWebhookProcessed(context.sql, callback, 0))
  const events: readonly ShopEvent[] =
    callback.events === null ? await readStoredWebhook(context, shop.connection, callback) : JSON.parse(callback.events)
  if (!callback.signed && events.some(({ privacy }) => privacy))
    context.log.warn({ callbackId, connectionId: callback.connectionId }, 'a privacy request that is not signed was ignored')
  const told = callback.signed ? events : events.map(toHint)
  const heardAt = new Date(callback.receivedAt).toISOString()
  const failures: unknown[] = []
  for (const one of told) await processEvent(context, shop, one, { callbackId, heardAt }).catch((error) => failures.push(ofOneOrder(error)))
  if (failures.length > 0) throw failures[0]
  await markWebhookProcessed(context.sql, callback, events.length)
}

/** Reads the events of a stored webhook again: one that could not be read at first, or that a user replays. */
async function readStoredWebhook(
  context: Context,
  connection: ConnectorConnection,
  { url, method, headers, body }: ReceivedWebhookRow,
): Promise<readonly ShopEvent[]> {
  const result = await askAdapter(context, connection, { url, method, headers, body: new Uint8Array(body), isStored: true })
  if (result.outcome !== 'events') throw connectorShopErrors.webhookUnread()
  return result.events as ShopEvent[]
}

/**
 * Turns an event that is not signed into a hint, so that its order is read from the shop. Leaves out a privacy request, which must be
 * signed. A withdrawn access is tested anyway.
 */
function toHint({ order, unreadable, gone, changed, left }: ShopEvent): ShopEvent {
  const named = changed ?? order?.externalId ?? unreadable?.externalId ?? gone
  return { ...(named !== undefined && { changed: named }), ...(left && { left }) }
}

async function processEvent(
  context: Context,
  shop: Shop,
  { left, privacy, ...change }: ShopEvent,
  of: { callbackId: string; heardAt: string },
) {
  if (left) return confirmRevocation(context, shop.connection)
  if (privacy) return handlePrivacyRequest(context, shop, privacy, of.callbackId)
  await applyWebhookChange(context, shop, change, of.heardAt)
}

/** Returns an error that concerns one order, so that the other events are still processed. Throws any other error. */
function ofOneOrder(error: unknown): unknown {
  const isOfOne = error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
  if (!isOfOne) throw error
  return error
}
