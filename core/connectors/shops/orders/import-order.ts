import type { Tx } from '../../../data/sql.ts'
import { connectionActor, runAsActor } from '../../../data/tenant-context.ts'
import { ApiError, type ErrorCode } from '../../../http/errors/errors.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { changeOrder } from '../../../orders/change/change.ts'
import { createOrder } from '../../../orders/create/create.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import { ended } from '../../../orders/statuses.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { ExternalOrder, Why } from '../channels.model.ts'
import { asNewOrder, changeOf, goodsDiffer, hasPhone, signedBy } from './as-order.ts'
import { type ChannelOrderRow, updateOrder } from './channel-orders.queries.ts'
import { matchGoods } from './match.ts'
import { requestSettling } from './request-settling.ts'

const WORDS_MAX = 500
const BUSY_MS = 120_000
const CANCELLED_THERE = 'The shop cancelled it.'
const OPEN_AGAIN = 'The shop took it up again.'

/** A shop, and the store that it belongs to. */
export interface Shop {
  readonly connection: ConnectorConnection
  readonly store: Store
}

export type Settled = 'created' | 'changed' | 'waiting' | 'over' | 'same'

/** Makes one of ours of an order that is held, or lets the one that there is follow it, in the name of the connected shop. */
export const settle = (tx: Tx, shop: Shop, row: ChannelOrderRow): Promise<Settled> =>
  runAsActor(connectionActor('connector', row.connectionId), () => settleRow(tx, shop, row))

async function settleRow(tx: Tx, shop: Shop, row: ChannelOrderRow): Promise<Settled> {
  const { told } = row
  if (row.orderId !== null && row.applied !== null) return follow(tx, shop, row, row.orderId, row.applied)
  // What was sent, or called off, before it came to us is none of ours.
  if (told.status !== 'open') {
    await updateOrder(tx, row.id, { state: 'over', why: null, message: null, missing: [], raw: null })
    return 'over'
  }
  const { store } = shop
  if (told.currency !== store.currencyCode)
    return wait(tx, row, 'currency', `It is in ${told.currency}, and the store sells in ${store.currencyCode}.`)
  if (!hasPhone(told)) return wait(tx, row, 'phone', 'It has no phone number: no carrier could deliver it. Add one in the shop.')
  const matched = await matchGoods(tx, { connectionId: row.connectionId, storeId: store.id }, told.items)
  if (matched.missing.length > 0)
    return wait(tx, row, 'goods', 'The store has no product that is called so. Say what it is, in the inbox.', matched.missing)
  const { connection } = shop
  const channel = { key: connection.row.key, connectionId: connection.row.id }
  const from = { connectorId: row.connectionId, externalId: row.externalId }
  const made = await unlessRefused(tx, (inner) =>
    createOrder(inner, store, asNewOrder(store, channel, told, matched), { source: 'connector', address: '', from, ...signedBy(told) }),
  )
  if (made instanceof ApiError) return wait(tx, row, whyOf(made) ?? 'refused', wordsOf(made))
  // Where it is said at the order that it waited, it is said that it is taken.
  const pushed = connection.mounted.adapter.pushStates ? null : { status: made.status, trackingId: null, word: null, why: null }
  await updateOrder(tx, row.id, { state: 'taken', why: null, message: null, missing: [], orderId: made.id, applied: told, pushed })
  return 'created'
}

async function wait(tx: Tx, row: ChannelOrderRow, why: Why, message: string, missing: readonly string[] = []): Promise<Settled> {
  await updateOrder(tx, row.id, { state: 'waiting', why, message, missing: [...missing] })
  return 'waiting'
}

/** While no carrier has our order it is what the shop says; afterwards it is written down that it is not. */
async function follow(tx: Tx, shop: Shop, row: ChannelOrderRow, orderId: string, applied: ExternalOrder): Promise<Settled> {
  const { store } = shop
  const { told } = row
  const isOff = told.status === 'cancelled'
  const wasOff = applied.status === 'cancelled'
  const goods = { connectionId: row.connectionId, storeId: store.id }
  const matched =
    !isOff && goodsDiffer(told, applied) ? await matchGoods(tx, goods, told.items) : { found: new Map<string, never>(), missing: [] }
  if (matched.missing.length > 0)
    return refuse(
      tx,
      row,
      'busy',
      'The shop added goods that the store has no product for. Say what they are, in the inbox.',
      matched.missing,
    )
  const change = isOff ? {} : changeOf(store, told, applied, matched)
  const done = await unlessRefused(tx, async (inner) => {
    if (isOff && !wasOff && !(await isOver(inner, store, orderId)))
      await changeOrder(inner, store, orderId, { status: 'cancelled', reason: CANCELLED_THERE })
    if (wasOff && !isOff) await changeOrder(inner, store, orderId, { status: 'pending', reason: OPEN_AGAIN })
    if (Object.keys(change).length > 0) await changeOrder(inner, store, orderId, change, signedBy(told).signed)
  })
  if (done instanceof ApiError) {
    if (done.code !== 'outcome_unknown') return refuse(tx, row, whyOf(done) ?? 'not_followed', wordsOf(done))
    // Whether a carrier has it is known in a minute.
    await requestSettling(tx, row.connectionId, BUSY_MS)
    return refuse(tx, row, 'busy', wordsOf(done))
  }
  await updateOrder(tx, row.id, { applied: told, why: null, message: null, missing: [], raw: null })
  return isOff !== wasOff || Object.keys(change).length > 0 ? 'changed' : 'same'
}

/** What came back, was lost or was called off here is called off there because the shop was told so. */
async function isOver(tx: Tx, { id: storeId }: Store, id: string): Promise<boolean> {
  const order = await findOrder(tx, { storeId, id })
  return order !== undefined && ended.includes(order.status)
}

async function refuse(tx: Tx, row: ChannelOrderRow, why: Why, message: string, missing: readonly string[] = []): Promise<Settled> {
  await updateOrder(tx, row.id, { why, message, missing: [...missing] })
  return 'same'
}

/** What is refused leaves nothing behind. What only the moment is to blame for is thrown, and tried again. */
async function unlessRefused<V>(tx: Tx, work: (inner: Tx) => Promise<V>): Promise<V | ApiError> {
  try {
    return (await tx.savepoint((inner) => work(inner))) as V
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error
    throw error
  }
}

/** What people can put right in the shop, or on the shelf. */
const whys: Partial<Record<ErrorCode, Why>> = { invalid_phone: 'phone', reserved_stock_conflict: 'stock' }
const whyOf = ({ code }: ApiError): Why | undefined => whys[code]

function wordsOf({ message, extra }: ApiError): string {
  const [detail] = extra.details ?? []
  return (detail && detail.message !== message ? `${message} ${detail.message}` : message).slice(0, WORDS_MAX).toWellFormed()
}
