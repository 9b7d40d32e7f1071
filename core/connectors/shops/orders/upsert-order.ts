import { ReadOrder } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import type { ExternalOrder, ShopEvent } from '../connectors.model.ts'
import { findAccountProblem, isOrderOfAnotherConnection } from '../install/shop-identity.ts'
import { lockIfConnected } from '../shops.queries.ts'
import { importOrder, type Shop } from './import-order.ts'
import {
  ERASED_CUSTOMER,
  insertShopOrder,
  isUnreadableOrder,
  lockShopOrder,
  type ShopOrderRow,
  updateShopOrder,
} from './shop-orders.queries.ts'
import { toStorableJson } from './storable-json.ts'
import { EMPTY_ORDER, ORDER_NUMBER_MAX, type UpsertOutcome } from './upsert-outcome.ts'
import { upsertUnreadableOrder } from './upsert-unreadable.ts'

/** Outcomes that created or changed an order here. */
export const changingOutcomes: readonly UpsertOutcome[] = ['created', 'changed']

/** Finds the store of a connection; null if it was deleted. */
export async function findShop({ sql }: Pick<Context, 'sql'>, connection: ConnectorConnection): Promise<Shop | null> {
  const store = await findStore(sql, connection.row.storeId)
  return store ? { connection, store } : null
}

const DATA_EXCEPTION = /^22/
const UNSTORABLE =
  'The order has characters or amounts that cannot be stored. Remove unusual characters from its texts, or correct its amounts, in the shop.'

/** Stores a change from a webhook. Reads the order from the shop if the webhook only names it. `heardAt`: time of receipt. */
export async function applyWebhookChange(
  context: Context,
  shop: Shop,
  { changed, ...told }: ShopEvent,
  heardAt: string,
): Promise<UpsertOutcome> {
  const read = changed === undefined ? undefined : await readFromShop(context, shop, changed)
  const problem = await findAccountProblem(context, shop.connection)
  if (problem !== undefined) {
    context.log.info({ connectionId: shop.connection.row.id, problem }, 'a change from a shop was ignored')
    return 'same'
  }
  return read ? applyShopChange(context, shop, read) : applyShopChange(context, shop, told, heardAt)
}

async function readFromShop(context: Context, shop: Shop, changed: string) {
  const { readOrder } = shop.connection.mounted.adapter
  const asked = { operation: 'readOrder', schema: ReadOrder, quota: 'lookUp' as const }
  const read = await callAdapter(
    context,
    shop.connection,
    (_, own) => invariant(readOrder, 'A reading of one order')(own, { externalId: changed }),
    asked,
  )
  return read ?? { gone: changed }
}

/** Stores a change from a webhook or a pull. An order with values that cannot be stored becomes unreadable, so that it blocks no other. */
export async function applyShopChange(
  context: Context,
  shop: Shop,
  { order, unreadable, gone }: Omit<ShopEvent, 'changed'>,
  heardAt?: string,
): Promise<UpsertOutcome> {
  try {
    if (order) return await upsertOrder(context, shop, order, heardAt)
    if (unreadable) return await upsertUnreadableOrder(context, shop, unreadable)
    return gone === undefined ? 'same' : await cancelDeleted(context, shop, gone, heardAt)
  } catch (error) {
    if (!DATA_EXCEPTION.test(String((error as { code?: unknown } | null)?.code))) throw error
    context.log.warn({ err: error, connectionId: shop.connection.row.id }, 'an order of a shop cannot be stored')
    if (!order) return 'same'
    const { externalId, number, status, updatedAt, raw = order } = order
    return upsertUnreadableOrder(context, shop, { externalId, number, status, updatedAt, reason: UNSTORABLE, raw })
  }
}

/**
 * Stores an order and imports it. Safe for repeated, late, unordered and concurrent calls: a version older than the stored one changes
 * nothing.
 */
export function upsertOrder({ sql }: Context, shop: Shop, read: ExternalOrder, heardAt?: string): Promise<UpsertOutcome> {
  const { row: connection } = shop.connection
  const { id: connectionId, projectId } = connection
  const { raw: sent = null, ...order } = read
  const { externalId, number } = order
  const version = { number, told: order, toldAt: toldAt(order, heardAt), raw: sent === null ? null : toStorableJson(sent) }
  return transaction(sql, async (tx) => {
    if (!(await lockIfConnected(tx, connection)) || (await isOrderOfAnotherConnection(tx, shop.connection, externalId))) return 'same'
    const isNew = await insertShopOrder(tx, { projectId, connectionId, externalId, id: newId('cor'), state: 'waiting', ...version })
    const row = await lockShopOrder(tx, connection, externalId)
    if (!row) return 'same'
    if (isNew) return importOrder(tx, shop, row)
    if (row.erasedAt !== null) Object.assign(version, { told: withoutPerson(order), raw: null })
    if (version.toldAt < row.toldAt) return 'stale'
    if (row.why !== 'unreadable' && isUnchanged(version.told, row.told)) return recordTime(tx, row, version)
    return importOrder(tx, shop, await updateShopOrder(tx, row, { ...version, ...reopenedState(row) }))
  })
}

/** Removes the customer's data from an order of an erased customer, which the shop may send for years. */
function withoutPerson({ note: _, source: __, ...order }: ExternalOrder): ExternalOrder {
  return { ...order, ...ERASED_CUSTOMER }
}

/** Returns true if two versions differ only in their time, as from a shop that does not report when an order changed. */
const isUnchanged = ({ updatedAt: _, ...now }: ExternalOrder, { updatedAt: __, ...before }: ExternalOrder) => Bun.deepEquals(now, before)

/** Records the newer time of an unchanged order, so that versions from in between are stale, and the raw data of one that waits without. */
async function recordTime(
  tx: Tx,
  row: ShopOrderRow,
  { raw, ...version }: Pick<ShopOrderRow, 'number' | 'told' | 'toldAt' | 'raw'>,
): Promise<UpsertOutcome> {
  const isRawMissing = row.why !== null && row.raw === null && raw !== null
  if (version.toldAt > row.toldAt || isRawMissing) await updateShopOrder(tx, row, { ...version, ...(isRawMissing && { raw }) })
  return 'same'
}

/** Returns the time of a version, at most the time of receipt: a wrong clock must not hide later versions. */
const toldAt = ({ updatedAt }: ExternalOrder, heardAt = new Date().toISOString()) =>
  new Date(Math.min(Date.parse(updatedAt), Date.parse(heardAt))).toISOString()

/** Returns the state of an order that had ended before its first import and may be open again. */
const reopenedState = ({ state }: ShopOrderRow) => (state === 'over' ? { state: 'waiting' as const } : {})

/**
 * Cancels an order that the shop deleted. Without a time of deletion, that of the webhook counts. An order that a pull does not find is
 * newer than its stored version; one that was never stored may only be delayed.
 */
function cancelDeleted({ sql }: Context, shop: Shop, externalId: string, heardAt?: string): Promise<UpsertOutcome> {
  const { row: connection } = shop.connection
  const { id: connectionId, projectId } = connection
  return transaction(sql, async (tx) => {
    if (!(await lockIfConnected(tx, connection)) || (await isOrderOfAnotherConnection(tx, shop.connection, externalId))) return 'same'
    if (heardAt !== undefined) {
      const told = {
        ...EMPTY_ORDER,
        externalId,
        number: externalId.slice(0, ORDER_NUMBER_MAX),
        currency: shop.store.currencyCode,
        updatedAt: heardAt,
      }
      const row = { projectId, connectionId, externalId, id: newId('cor'), number: told.number, told, toldAt: heardAt }
      if (await insertShopOrder(tx, { ...row, state: 'over' })) return 'over'
    }
    const row = await lockShopOrder(tx, connection, externalId)
    if (!row) return 'same'
    const toldAt = heardAt ?? new Date(Date.parse(row.toldAt) + 1).toISOString()
    if (toldAt < row.toldAt) return 'stale'
    const told = { ...row.told, status: 'cancelled' as const }
    const now = await updateShopOrder(tx, row, { told, toldAt })
    return row.told.status === 'cancelled' ? 'same' : importOrder(tx, shop, now)
  })
}

/** Imports a waiting order again. Reads an unreadable one from the shop again, if its platform supports that. */
export async function retryImport(context: Context, shop: Shop, externalId: string): Promise<UpsertOutcome> {
  const isUnreadable = await isUnreadableOrder(context.sql, shop.connection.row, externalId)
  if (!isUnreadable) return importAgain(context, shop, externalId)
  if (!shop.connection.mounted.adapter.readOrder) return 'same'
  return applyShopChange(context, shop, await readFromShop(context, shop, externalId))
}

const importAgain = ({ sql }: Context, shop: Shop, externalId: string): Promise<UpsertOutcome> =>
  transaction(sql, async (tx) => {
    const row = await lockShopOrder(tx, shop.connection.row, externalId)
    const isDone = !row || row.why === 'unreadable' || (row.state !== 'waiting' && row.why === null)
    return isDone ? 'same' : importOrder(tx, shop, row)
  })
