import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { UnreadableOrder } from '../connectors.model.ts'
import { isOrderOfAnotherConnection } from '../install/shop-identity.ts'
import { lockIfConnected } from '../shops.queries.ts'
import { importOrder, type Shop } from './import-order.ts'
import { insertShopOrder, lockShopOrder, updateShopOrder } from './shop-orders.queries.ts'
import { toStorableJson } from './storable-json.ts'
import { EMPTY_ORDER, ORDER_NUMBER_MAX, type UpsertOutcome } from './upsert-outcome.ts'

/** Time of an unreadable order without one. Any readable version of the order is newer. */
const EPOCH = new Date(0).toISOString()

/**
 * Stores an order that cannot be read, which waits with its reason and what the shop sent. An imported order stays as it is, and records
 * that the change was unreadable. An order that has ended at the shop does not wait.
 */
export function upsertUnreadableOrder({ sql }: Pick<Context, 'sql'>, shop: Shop, unreadable: UnreadableOrder): Promise<UpsertOutcome> {
  const { row: connection } = shop.connection
  const { id: connectionId, projectId } = connection
  const { externalId, reason: message, status = 'open' } = unreadable
  const raw = toStorableJson(unreadable.raw)
  return transaction(sql, async (tx) => {
    if (!(await lockIfConnected(tx, connection)) || (await isOrderOfAnotherConnection(tx, shop.connection, externalId))) return 'same'
    const number = unreadable.number ?? externalId.slice(0, ORDER_NUMBER_MAX)
    const toldAt = unreadable.updatedAt === undefined ? EPOCH : earlierOf(unreadable.updatedAt, new Date().toISOString())
    const told = { ...EMPTY_ORDER, status, externalId, number, currency: shop.store.currencyCode, updatedAt: toldAt }
    await insertShopOrder(tx, { projectId, connectionId, externalId, id: newId('cor'), number, state: 'waiting', told, toldAt })
    const row = await lockShopOrder(tx, connection, externalId)
    if (!row) return 'same'
    if (unreadable.updatedAt !== undefined && toldAt < row.toldAt) return 'stale'
    // The status could be read, and counts: a cancellation is applied, and an ended order does not wait.
    const hasEnded = row.orderId === null ? status !== 'open' : status === 'cancelled' && row.told.status !== 'cancelled'
    if (hasEnded)
      return importOrder(tx, shop, await updateShopOrder(tx, row, { told: { ...row.told, status }, toldAt: laterOf(toldAt, row.toldAt) }))
    // The customer's data was erased: what the shop sends about them is not stored.
    if (row.erasedAt !== null) return 'same'
    const isKnown = row.why === 'unreadable' && row.message === message && Bun.deepEquals(row.raw, raw)
    if (isKnown) return 'same'
    const waits = row.orderId === null ? { state: 'waiting' as const, number, told: { ...row.told, status } } : {}
    await updateShopOrder(tx, row, { ...waits, why: 'unreadable', message, missing: [], raw, toldAt: laterOf(toldAt, row.toldAt) })
    return row.orderId === null ? 'waiting' : 'same'
  })
}

const earlierOf = (one: string, other: string) => (Date.parse(one) < Date.parse(other) ? new Date(one).toISOString() : other)
const laterOf = (one: string, other: string) => (Date.parse(one) > Date.parse(other) ? one : other)
