import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { UnreadableOrder } from '../channels.model.ts'
import { isAnothers } from '../install/shop-identity.ts'
import { holdShop } from '../shops.queries.ts'
import { insertOrder, lockOrder, updateOrder } from './channel-orders.queries.ts'
import { type Shop, settle } from './import-order.ts'
import { NOTHING, NUMBER_MAX, type Taken } from './order-told.ts'
import { storableJson } from './storable-json.ts'

/** Time of an unreadable order without one. Any readable version of the order is newer. */
const EPOCH = new Date(0).toISOString()

/**
 * Stores an order that cannot be read, which waits with its reason and what the shop sent. An imported order stays as it is, and records
 * that the change was unreadable. An order that has ended at the shop does not wait.
 */
export function takeUnreadable({ sql }: Pick<Context, 'sql'>, shop: Shop, unreadable: UnreadableOrder): Promise<Taken> {
  const { id: connectionId, storeId } = shop.connection.row
  const { externalId, reason: message, status = 'open' } = unreadable
  const raw = storableJson(unreadable.raw)
  return transaction(sql, async (tx) => {
    if (!(await holdShop(tx, connectionId)) || (await isAnothers(tx, shop.connection, externalId))) return 'same'
    const number = unreadable.number ?? externalId.slice(0, NUMBER_MAX)
    const toldAt = unreadable.updatedAt === undefined ? EPOCH : earlierOf(unreadable.updatedAt, new Date().toISOString())
    const told = { ...NOTHING, status, externalId, number, currency: shop.store.currencyCode, updatedAt: toldAt }
    await insertOrder(tx, { connectionId, externalId, id: newId('cor'), storeId, number, state: 'waiting', told, toldAt })
    const row = await lockOrder(tx, connectionId, externalId)
    if (!row) return 'same'
    if (unreadable.updatedAt !== undefined && toldAt < row.toldAt) return 'stale'
    // The status could be read, and counts: a cancellation is applied, and an ended order does not wait.
    const hasEnded = row.orderId === null ? status !== 'open' : status === 'cancelled' && row.told.status !== 'cancelled'
    if (hasEnded)
      return settle(tx, shop, await updateOrder(tx, row.id, { told: { ...row.told, status }, toldAt: laterOf(toldAt, row.toldAt) }))
    // The customer's data was erased: what the shop sends about them is not stored.
    if (row.erasedAt !== null) return 'same'
    const isKnown = row.why === 'unreadable' && row.message === message && Bun.deepEquals(row.raw, raw)
    if (isKnown) return 'same'
    const waits = row.orderId === null ? { state: 'waiting' as const, number, told: { ...row.told, status } } : {}
    await updateOrder(tx, row.id, { ...waits, why: 'unreadable', message, missing: [], raw, toldAt: laterOf(toldAt, row.toldAt) })
    return row.orderId === null ? 'waiting' : 'same'
  })
}

const earlierOf = (one: string, other: string) => (Date.parse(one) < Date.parse(other) ? new Date(one).toISOString() : other)
const laterOf = (one: string, other: string) => (Date.parse(one) > Date.parse(other) ? one : other)
