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

/** Any reading of the order that can be read is newer. */
const EPOCH = new Date(0).toISOString()

/**
 * Keeps an order that cannot be read: it waits with its reason and what the shop sent. One that is ours already stays as it is, and says that
 * the shop's change could not be read; one that is over in the shop does not wait.
 */
export function takeUnreadable({ sql }: Pick<Context, 'sql'>, shop: Shop, said: UnreadableOrder): Promise<Taken> {
  const { id: connectionId, storeId } = shop.connection.row
  const { externalId, reason: message, status = 'open' } = said
  const raw = storableJson(said.raw)
  return transaction(sql, async (tx) => {
    if (!(await holdShop(tx, connectionId)) || (await isAnothers(tx, shop.connection, externalId))) return 'same'
    const number = said.number ?? externalId.slice(0, NUMBER_MAX)
    const toldAt = said.updatedAt === undefined ? EPOCH : earlierOf(said.updatedAt, new Date().toISOString())
    const told = { ...NOTHING, status, externalId, number, currency: shop.store.currencyCode, updatedAt: toldAt }
    await insertOrder(tx, { connectionId, externalId, id: newId('cor'), storeId, number, state: 'waiting', told, toldAt })
    const row = await lockOrder(tx, connectionId, externalId)
    if (!row) return 'same'
    if (said.updatedAt !== undefined && toldAt < row.toldAt) return 'stale'
    // Its status could be read, and counts: what the shop called off is called off, and what is over there does not wait here.
    const hasEnded = row.orderId === null ? status !== 'open' : status === 'cancelled' && row.told.status !== 'cancelled'
    if (hasEnded)
      return settle(tx, shop, await updateOrder(tx, row.id, { told: { ...row.told, status }, toldAt: laterOf(toldAt, row.toldAt) }))
    // Its person was erased: what the shop sends of them is not kept.
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
