import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import { type ReservationReturn, receiveReturnOfReservations } from '../../shop/inventory/reservations/receive-return.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { emitOrderUpdated } from '../change/emit-updated.ts'
import { type LockedOrder, lockOrderWithParcels } from '../change/lock-order.ts'
import { moveOrder } from '../change/move-order.ts'
import { orderErrors } from '../orders.errors.ts'
import type { Order } from '../orders.model.ts'
import type { OrderRow, OrderValues } from '../orders.queries.ts'
import { presentOrder } from '../present.ts'
import type { OrderStatus } from '../statuses.ts'
import { createExchange } from './exchange.ts'
import { type DeliveredParts, readDeliveredParts, recordPartReturns } from './return-parts.ts'
import { quantitiesByKey } from './returned-quantities.ts'
import type { NewReturn, OrderReturn } from './returns.model.ts'
import {
  insertReturn,
  listLinesToReturn,
  type ReturnableLine,
  type ReturningLine,
  type ReturnRow,
  updateExchangeOrder,
} from './returns.queries.ts'

/** Goods of an order that were delivered and not returned yet. */
export interface ReturnableOrder {
  readonly order: OrderRow
  readonly lines: readonly ReturnableLine[]
  /** Delivered parts of a divided order; undefined for other orders. */
  readonly delivered: DeliveredParts | undefined
}

/** Items of a return request. */
export type RequestedItems = Pick<NewReturn, 'items'>

/**
 * Returns goods of a delivered order. Puts them back into the batches that they came from, or records them as awaited; never more than was
 * delivered. An order with all goods returned becomes `returned`. With `exchange`, creates a new order in the same transaction. Throws
 * `not_found`, `invalid_transition`, `return_too_large`, and the errors of `createOrder`.
 */
export async function returnOrder(tx: Tx, store: Store, input: NewReturn): Promise<OrderReturn> {
  const { received = true, restock, note = '', exchange } = input
  if (!received && restock !== undefined) throw orderErrors.conditionTooEarly({ field: ['restock'] })
  const locked = await lockOrderWithParcels(tx, { projectId: store.projectId, storeId: store.id, orderId: input.orderId })
  const returnable = await readReturnable(tx, store, locked)
  const { order } = returnable
  const coming = selectReturningLines(returnable.lines, input)
  const at = new Date().toISOString()
  const lines = returnLinesOf(coming)
  const status = received ? 'received' : 'awaited'
  const asked = { storeId: store.id, orderId: order.id, id: newId('ret'), status, note, createdAt: at } as const
  let row: ReturnRow = { ...asked, operationId: null, restocked: false, exchangeOrderId: null, receivedAt: received ? at : null }
  const saveReturn = async (stockResult: StockResult) => {
    row = { ...row, ...stockResult }
    await insertReturn(tx, row, lines)
  }
  if (!received) await saveReturn({ operationId: null, restocked: false })
  const now = received
    ? await receiveGoods(tx, store, returnable, coming, { restock: restock ?? true, note, saveReturn })
    : await emitUpdated(tx, store, order)
  // The exchange may need the goods that were just put into stock.
  const replacement = exchange ? await createExchange(tx, store, order, coming, { ...exchange, isAwaited: !received }) : null
  if (replacement) await updateExchangeOrder(tx, row, replacement.order.id)
  return { ...presentReturn({ ...row, exchangeOrderId: replacement?.order.id ?? null, lines }), order: now, exchange: replacement }
}

/** Lines of a return in their stored form. */
export const returnLinesOf = (coming: readonly ReturningLine[]) => coming.map(({ line, returning: quantity }) => ({ line, quantity }))

/** Return as the API shows it. */
export function presentReturn({
  storeId: _,
  projectId: __,
  orderId: ___,
  lines,
  ...kept
}: ReturnRow & { readonly projectId?: string; readonly lines: readonly Pick<ReturnableLine, 'line' | 'quantity'>[] }) {
  return { ...kept, items: lines.map(({ line, quantity }) => ({ item: line - 1, quantity })) }
}

/**
 * Reads the returnable goods of an order. Throws `invalid_transition` when none were delivered. `besides` is the id of a return that does
 * not count.
 */
export async function readReturnable(
  tx: Tx,
  store: Store,
  { order, parcels }: LockedOrder,
  besides: string | null = null,
): Promise<ReturnableOrder> {
  const lines = await listLinesToReturn(tx, order, besides)
  if (!order.isDivided) {
    if (order.status !== 'delivered') throw notDeliveredError(order)
    return { order, lines, delivered: undefined }
  }
  const delivered = await readDeliveredParts(tx, store, order, parcels)
  if (delivered.parts.length === 0) throw notDeliveredError(order)
  const brought = new Map(delivered.lines.map((line) => [line.line, line]))
  return { order, delivered, lines: lines.map((line) => ({ ...line, ...(brought.get(line.line) ?? { quantity: 0, returned: 0 }) })) }
}

const notDeliveredError = ({ status }: OrderRow) => orderErrors.nothingToReturn({ status })

const returnableQuantityOf = ({ quantity, returned, awaited }: ReturnableLine) => Math.max(0, quantity - returned - awaited)

/**
 * Selects the lines of a return: the requested items, each line once, or all that is left. Throws `invalid_request`, `return_too_large`.
 */
export function selectReturningLines(lines: readonly ReturnableLine[], { items }: RequestedItems): ReturningLine[] {
  if (!items) {
    const left = lines.flatMap((line) => (returnableQuantityOf(line) > 0 ? [{ ...line, returning: returnableQuantityOf(line) }] : []))
    if (left.length === 0) throw orderErrors.everythingReturned()
    return left
  }
  const named = new Set<number>()
  return items.map(({ item, quantity }, at) => {
    const line = lines.find((each) => each.line === item + 1)
    if (!line) throw orderErrors.lineUnknown({ lineCount: lines.length }, { field: ['items', at, 'item'] })
    if (named.has(item)) throw orderErrors.lineRepeated({ field: ['items', at, 'item'] })
    named.add(item)
    if (quantity <= returnableQuantityOf(line)) return { ...line, returning: quantity }
    const issues = [{ field: ['items', at, 'quantity'], message: `${line.name}: ${returnableQuantityOf(line)} can be returned.` }]
    throw orderErrors.moreThanDelivered({ issues })
  })
}

/** Result of the stock operation. */
type StockResult = Pick<ReturnRow, 'operationId' | 'restocked'>

interface ReceiveOptions {
  readonly restock: boolean
  readonly note: string
  /** Saves the return before its order becomes `returned`, because that cancels all awaited returns. */
  saveReturn(taken: StockResult): Promise<void>
}

/** Receives returned goods: puts them into stock, saves the return, and updates the order. Returns the order as the API shows it. */
export async function receiveGoods(
  tx: Tx,
  store: Store,
  { order, lines, delivered }: ReturnableOrder,
  coming: readonly ReturningLine[],
  { restock, note, saveReturn }: ReceiveOptions,
): Promise<Order> {
  const { from, to, change } = delivered
    ? { ...(await recordPartReturns(tx, delivered, coming)), change: {} }
    : receiveWhole(order, lines, coming)
  const operation = restock ? await receiveReturnOfReservations(tx, store.projectId, from, { reference: order.reference }) : null
  await saveReturn({ operationId: operation?.id ?? null, restocked: operation !== null })
  const after = { status: to, restocked: operation !== null }
  await recordAudit(tx, { storeId: store.id }, { what: 'order.returned', thing: order.id, after })
  return to !== order.status ? moveOrder(tx, store, order, to, change, note) : emitUpdated(tx, store, order)
}

/** Stock origin of the goods, and the changes of the order. */
interface ReceivedGoods {
  readonly from: readonly ReservationReturn[]
  readonly to: OrderStatus
  readonly change: OrderValues
}

function receiveWhole(order: OrderRow, lines: readonly ReturnableLine[], coming: readonly ReturningLine[]): ReceivedGoods {
  const { reservationId, fulfilmentId } = order
  const part = { already: quantitiesByKey(lines, ({ returned }) => returned), wanted: quantitiesByKey(coming, (line) => line.returning) }
  const isAll = lines.every(
    ({ line, quantity, returned }) => returned + (coming.find((one) => one.line === line)?.returning ?? 0) === quantity,
  )
  return {
    from: reservationId && fulfilmentId ? [{ id: reservationId, ...part }] : [],
    to: isAll ? 'returned' : order.status,
    change: { reservationId: null, fulfilmentId: null },
  }
}

async function emitUpdated(tx: Tx, store: Store, order: OrderRow): Promise<Order> {
  const shown = presentOrder(order)
  await emitOrderUpdated(tx, store, shown)
  return shown
}
