import type { Tx } from '../../data/sql.ts'
import { ApiError, invalidValue } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { type ReservationReturn, receiveReturnOfReservations } from '../../shop/inventory/reservations/receive-return.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type HeldOrder, holdOrder } from '../change/hold.ts'
import { moveOrder } from '../change/move.ts'
import { tellUpdated } from '../change/tell-updated.ts'
import type { Order } from '../orders.model.ts'
import type { OrderRow, OrderValues } from '../orders.queries.ts'
import { present } from '../present.ts'
import type { OrderStatus } from '../statuses.ts'
import { exchangeFor } from './exchange.ts'
import { type Delivered, deliveredOf, noteBack } from './return-parts.ts'
import { byKey } from './returned.ts'
import type { NewReturn, OrderReturn } from './returns.model.ts'
import { type ComingLine, insertReturn, type LineToReturn, listLinesToReturn, nameExchange, type ReturnRow } from './returns.queries.ts'

/** What was delivered of an order, and is not back. `besides`: a return that is not counted. */
export interface Returnable {
  readonly order: OrderRow
  readonly lines: readonly LineToReturn[]
  /** Of an order that travels in parts. */
  readonly delivered: Delivered | undefined
}

export type Wanted = Pick<NewReturn, 'items'>

/**
 * A customer sends goods of a delivered order back: they are put into stock by one operation, into the batches that they came from, or are
 * awaited. Never more than was delivered, whoever returns at once; where all of it is back the order is `returned`. With `exchange` a new
 * order is made in the same transaction. Throws `not_found`, `invalid_transition`, `return_too_large`, and what `createOrder` throws.
 */
export async function returnOrder(tx: Tx, store: Store, input: NewReturn): Promise<OrderReturn> {
  const { received = true, restock, note = '', exchange } = input
  if (!received && restock !== undefined) throw invalidValue('/body/restock', 'Say it when the goods are here.')
  const held = await holdOrder(tx, { projectId: store.projectId, storeId: store.id, orderId: input.orderId })
  const returnable = await returnableOf(tx, store, held)
  const { order } = returnable
  const coming = comingOf(returnable.lines, input)
  const at = new Date().toISOString()
  const lines = linesOf(coming)
  const status = received ? 'received' : 'awaited'
  const asked = { storeId: store.id, orderId: order.id, id: newId('ret'), status, note, createdAt: at } as const
  let kept: ReturnRow = { ...asked, operationId: null, restocked: false, exchangeOrderId: null, receivedAt: received ? at : null }
  const keep = async (taken: Taken) => {
    kept = { ...kept, ...taken }
    await insertReturn(tx, kept, lines)
  }
  if (!received) await keep({ operationId: null, restocked: false })
  const now = received
    ? await takeBack(tx, store, returnable, coming, { restock: restock ?? true, note, keep })
    : await told(tx, store, order)
  // What is back on the shelf may be what is sent instead.
  const instead = exchange ? await exchangeFor(tx, store, order, coming, { ...exchange, isAwaited: !received }) : null
  if (instead) await nameExchange(tx, kept, instead.order.id)
  return { ...presentReturn({ ...kept, exchangeOrderId: instead?.order.id ?? null, lines }), order: now, exchange: instead }
}

export const linesOf = (coming: readonly ComingLine[]) => coming.map(({ line, coming: quantity }) => ({ line, quantity }))

export function presentReturn({
  storeId: _,
  orderId: __,
  lines,
  ...kept
}: ReturnRow & { readonly lines: readonly Pick<LineToReturn, 'line' | 'quantity'>[] }) {
  return { ...kept, items: lines.map(({ line, quantity }) => ({ item: line - 1, quantity })) }
}

/** Throws `invalid_transition` where nothing of it was delivered. */
export async function returnableOf(
  tx: Tx,
  store: Store,
  { order, parcels }: HeldOrder,
  besides: string | null = null,
): Promise<Returnable> {
  const lines = await listLinesToReturn(tx, order, besides)
  if (!order.isDivided) {
    if (order.status !== 'delivered') throw notDelivered(order)
    return { order, lines, delivered: undefined }
  }
  const delivered = await deliveredOf(tx, store, order, parcels)
  if (delivered.parts.length === 0) throw notDelivered(order)
  const brought = new Map(delivered.lines.map((line) => [line.line, line]))
  return { order, delivered, lines: lines.map((line) => ({ ...line, ...(brought.get(line.line) ?? { quantity: 0, returned: 0 }) })) }
}

const notDelivered = ({ status }: OrderRow) =>
  new ApiError('invalid_transition', `The order is ${status}; only what was delivered, and is not back yet, can be returned.`)

const leftOf = ({ quantity, returned, awaited }: LineToReturn) => Math.max(0, quantity - returned - awaited)

/** What is asked for, each line once. */
export function comingOf(lines: readonly LineToReturn[], { items }: Wanted): ComingLine[] {
  if (!items) {
    const left = lines.flatMap((line) => (leftOf(line) > 0 ? [{ ...line, coming: leftOf(line) }] : []))
    if (left.length === 0) throw new ApiError('return_too_large', 'All of the order is back already, or awaited.')
    return left
  }
  const named = new Set<number>()
  return items.map(({ item, quantity }, at) => {
    const line = lines.find((each) => each.line === item + 1)
    if (!line) throw invalidValue(`/body/items/${at}/item`, `The order has ${lines.length} lines, from 0.`)
    if (named.has(item)) throw invalidValue(`/body/items/${at}/item`, 'The same line twice.')
    named.add(item)
    if (quantity <= leftOf(line)) return { ...line, coming: quantity }
    const details = [{ path: `/body/items/${at}/quantity`, message: `${line.name}: ${leftOf(line)} can come back.` }]
    throw new ApiError('return_too_large', 'More would come back than was delivered.', { details })
  })
}

/** What the ledger made of it. */
type Taken = Pick<ReturnRow, 'operationId' | 'restocked'>

interface How {
  readonly restock: boolean
  readonly note: string
  /** Writes the return down, before its order says that all of it is back: what is awaited then is so no more. */
  keep(taken: Taken): Promise<void>
}

/** Goods that are here: into stock, and the order as it is after that. */
export async function takeBack(
  tx: Tx,
  store: Store,
  { order, lines, delivered }: Returnable,
  coming: readonly ComingLine[],
  { restock, note, keep }: How,
): Promise<Order> {
  const { from, to, change } = delivered ? { ...(await noteBack(tx, delivered, coming)), change: {} } : backOfWhole(order, lines, coming)
  const operation = restock ? await receiveReturnOfReservations(tx, store.projectId, from, { reference: order.reference }) : null
  await keep({ operationId: operation?.id ?? null, restocked: operation !== null })
  const after = { status: to, restocked: operation !== null }
  await recordAudit(tx, { storeId: store.id }, { what: 'order.returned', thing: order.id, after })
  return to !== order.status ? moveOrder(tx, store, order, to, change, note) : told(tx, store, order)
}

/** Where the goods were taken from, and what the order is after it. */
interface Back {
  readonly from: readonly ReservationReturn[]
  readonly to: OrderStatus
  readonly change: OrderValues
}

function backOfWhole(order: OrderRow, lines: readonly LineToReturn[], coming: readonly ComingLine[]): Back {
  const { reservationId, fulfilmentId } = order
  const part = { already: byKey(lines, ({ returned }) => returned), wanted: byKey(coming, (line) => line.coming) }
  const isAll = lines.every(
    ({ line, quantity, returned }) => returned + (coming.find((one) => one.line === line)?.coming ?? 0) === quantity,
  )
  return {
    from: reservationId && fulfilmentId ? [{ id: reservationId, ...part }] : [],
    to: isAll ? 'returned' : order.status,
    change: { reservationId: null, fulfilmentId: null },
  }
}

async function told(tx: Tx, store: Store, order: OrderRow): Promise<Order> {
  const shown = present(order)
  await tellUpdated(tx, store, shown)
  return shown
}
