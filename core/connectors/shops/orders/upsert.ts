import { ReadOrder } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { findStore } from '../../../shop/stores/stores.queries.ts'
import type { ExternalOrder, ShopNews } from '../channels.model.ts'
import { isAnothers, whyNotOurs } from '../install/shop-identity.ts'
import { holdShop } from '../shops.queries.ts'
import { type ChannelOrderRow, hasUnreadable, insertOrder, lockOrder, NOBODY, updateOrder } from './channel-orders.queries.ts'
import { type Shop, settle } from './import-order.ts'
import { NOTHING, NUMBER_MAX, type Taken } from './order-told.ts'
import { takeUnreadable } from './take-unreadable.ts'

export type { Taken }

/** Those that made or changed something here. */
export const moved: readonly Taken[] = ['created', 'changed']

export async function shopOf({ sql }: Pick<Context, 'sql'>, connection: ConnectorConnection): Promise<Shop | null> {
  const store = await findStore(sql, connection.row.storeId)
  return store ? { connection, store } : null
}

const DATA_EXCEPTION = /^22/
const UNSTORABLE = 'It holds characters or amounts that cannot be stored.'

/** What a callback tells, read from the shop where it tells only of which order. `heardAt`: when it came. */
export async function takeTold(context: Context, shop: Shop, { changed, ...told }: ShopNews, heardAt: string): Promise<Taken> {
  const read = changed === undefined ? undefined : await readAnew(context, shop, changed)
  const problem = await whyNotOurs(context, shop.connection)
  if (problem !== undefined) {
    context.log.info({ connectionId: shop.connection.row.id, problem }, 'news of a shop were left out')
    return 'same'
  }
  return read ? takeNews(context, shop, read) : takeNews(context, shop, told, heardAt)
}

async function readAnew(context: Context, shop: Shop, changed: string) {
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

/** What a callback tells, or a reading. What holds something that cannot be kept waits with what the shop sent, and hides no other. */
export async function takeNews(
  context: Context,
  shop: Shop,
  { order, unreadable, gone }: Omit<ShopNews, 'changed'>,
  heardAt?: string,
): Promise<Taken> {
  try {
    if (order) return await takeOrder(context, shop, order, heardAt)
    if (unreadable) return await takeUnreadable(context, shop, unreadable)
    return gone === undefined ? 'same' : await takeGone(context, shop, gone, heardAt)
  } catch (error) {
    if (!DATA_EXCEPTION.test(String((error as { code?: unknown } | null)?.code))) throw error
    context.log.warn({ err: error, connectionId: shop.connection.row.id }, 'an order of a shop cannot be kept')
    if (!order) return 'same'
    const { externalId, number, status, updatedAt } = order
    return takeUnreadable(context, shop, { externalId, number, status, updatedAt, reason: UNSTORABLE, raw: order })
  }
}

/**
 * An order of the shop, once, however often, late or out of order it is told, and by whomever at once: what is older than what is known
 * changes nothing.
 */
export function takeOrder({ sql }: Context, shop: Shop, order: ExternalOrder, heardAt?: string): Promise<Taken> {
  const { id: connectionId, storeId } = shop.connection.row
  const { externalId, number } = order
  const said = { number, told: order, toldAt: toldAt(order, heardAt) }
  return transaction(sql, async (tx) => {
    if (!(await holdShop(tx, connectionId)) || (await isAnothers(tx, shop.connection, externalId))) return 'same'
    const isNew = await insertOrder(tx, { connectionId, externalId, id: newId('cor'), storeId, state: 'waiting', ...said })
    const row = await lockOrder(tx, connectionId, externalId)
    if (!row) return 'same'
    if (isNew) return settle(tx, shop, row)
    if (row.erasedAt !== null) Object.assign(said, { told: withoutPerson(order) })
    if (said.toldAt < row.toldAt) return 'stale'
    if (row.why !== 'unreadable' && isAsBefore(said.told, row.told)) return remember(tx, row, said)
    return settle(tx, shop, await updateOrder(tx, row.id, { ...said, raw: null, ...back(row) }))
  })
}

/** An order of a person who was erased, without them: the shop may tell of it for years. */
function withoutPerson({ note: _, source: __, ...order }: ExternalOrder): ExternalOrder {
  return { ...order, ...NOBODY }
}

/** A shop that does not say when an order changed is read at another moment every time. */
const isAsBefore = ({ updatedAt: _, ...now }: ExternalOrder, { updatedAt: __, ...before }: ExternalOrder) => Bun.deepEquals(now, before)

/** As it was, and as it still is: what is told of the time between comes too late. */
async function remember(tx: Tx, row: ChannelOrderRow, said: Pick<ChannelOrderRow, 'number' | 'told' | 'toldAt'>): Promise<Taken> {
  if (said.toldAt > row.toldAt) await updateOrder(tx, row.id, said)
  return 'same'
}

/** A shop's clock may be wrong: what has not come yet would hide all that follows. */
const toldAt = ({ updatedAt }: ExternalOrder, heardAt = new Date().toISOString()) =>
  new Date(Math.min(Date.parse(updatedAt), Date.parse(heardAt))).toISOString()

/** What was over before it came to us may be open again. */
const back = ({ state }: ChannelOrderRow) => (state === 'over' ? { state: 'waiting' as const } : {})

/**
 * One that the shop threw away is called off, and what it was before may be told later. When that was nobody says: at the latest when it was heard.
 * What a reading does not find came after all that was told before; what was never told may only not be there yet.
 */
function takeGone({ sql }: Context, shop: Shop, externalId: string, heardAt?: string): Promise<Taken> {
  const { id: connectionId, storeId } = shop.connection.row
  return transaction(sql, async (tx) => {
    if (!(await holdShop(tx, connectionId)) || (await isAnothers(tx, shop.connection, externalId))) return 'same'
    if (heardAt !== undefined) {
      const told = {
        ...NOTHING,
        externalId,
        number: externalId.slice(0, NUMBER_MAX),
        currency: shop.store.currencyCode,
        updatedAt: heardAt,
      }
      const row = { connectionId, externalId, id: newId('cor'), storeId, number: told.number, told, toldAt: heardAt }
      if (await insertOrder(tx, { ...row, state: 'over' })) return 'over'
    }
    const row = await lockOrder(tx, connectionId, externalId)
    if (!row) return 'same'
    const toldAt = heardAt ?? new Date(Date.parse(row.toldAt) + 1).toISOString()
    if (toldAt < row.toldAt) return 'stale'
    const told = { ...row.told, status: 'cancelled' as const }
    const now = await updateOrder(tx, row.id, { told, toldAt })
    return row.told.status === 'cancelled' ? 'same' : settle(tx, shop, now)
  })
}

/** Tries again to make an order of one that waits; one that could not be read is read from its shop anew, where the platform lets us. */
export async function takeAgain(context: Context, shop: Shop, externalId: string): Promise<Taken> {
  const { id } = shop.connection.row
  const isUnreadable = await hasUnreadable(context.sql, id, externalId)
  if (!isUnreadable) return settleAgain(context, shop, externalId)
  if (!shop.connection.mounted.adapter.readOrder) return 'same'
  return takeNews(context, shop, await readAnew(context, shop, externalId))
}

const settleAgain = ({ sql }: Context, shop: Shop, externalId: string): Promise<Taken> =>
  transaction(sql, async (tx) => {
    const row = await lockOrder(tx, shop.connection.row.id, externalId)
    const isSettled = !row || row.why === 'unreadable' || (row.state !== 'waiting' && row.why === null)
    return isSettled ? 'same' : settle(tx, shop, row)
  })
