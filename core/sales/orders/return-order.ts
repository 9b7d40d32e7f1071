import type { Tx } from '../../data/sql.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type ComingOf, restockReservations } from '../../shop/inventory/restock.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { holdOrder } from './hold.ts'
import { moveOrder } from './move.ts'
import type { Order } from './orders.model.ts'
import type { OrderRow, OrderValues } from './orders.queries.ts'
import { present } from './present.ts'
import { type Delivered, deliveredOf, noteBack } from './return-parts.ts'
import { byKey } from './returned.ts'
import type { NewReturn, OrderReturn } from './returns.model.ts'
import { insertReturn, type LineToReturn, listLinesToReturn } from './returns.queries.ts'
import type { OrderStatus } from './statuses.ts'
import { tellUpdated } from './tell-updated.ts'

/** A line, of which so many come back now. */
export interface ComingLine extends LineToReturn {
  readonly coming: number
}

/** What comes back of an order, where to, and what the order is after it. */
interface Back {
  readonly coming: readonly ComingLine[]
  readonly from: readonly ComingOf[]
  readonly to: OrderStatus
  readonly change: OrderValues
}

/**
 * A customer sends goods of a delivered order back: they are put into stock by one operation, into the batches that they came from. Never
 * more than was delivered, whoever returns at once; where all of it is back the order is `returned`. Throws `not_found`,
 * `invalid_transition`, `return_too_large`.
 */
export async function returnOrder(tx: Tx, store: Store, input: NewReturn): Promise<OrderReturn> {
  const { projectId, id: storeId } = store
  const { restock = true, note = '' } = input
  const { order, parcels } = await holdOrder(tx, { projectId, storeId, orderId: input.orderId })
  const delivered = order.isDivided ? await deliveredOf(tx, store, order, parcels) : undefined
  const { coming, from, to, change } = delivered ? await ofParts(tx, delivered, input) : await ofWhole(tx, order, input)
  const operation = restock ? await restockReservations(tx, projectId, from, { reference: order.reference }) : null
  const createdAt = new Date().toISOString()
  const kept = { id: newId('ret'), operationId: operation?.id ?? null, restocked: operation !== null, note, createdAt }
  await insertReturn(
    tx,
    { storeId, orderId: order.id, ...kept },
    coming.map(({ line, coming: quantity }) => ({ line, quantity })),
  )
  const moved = to !== order.status ? await moveOrder(tx, store, order, to, change, note) : await told(tx, store, order)
  return { ...kept, items: coming.map(({ line, coming: quantity }) => ({ item: line - 1, quantity })), order: moved }
}

async function ofWhole(tx: Tx, order: OrderRow, input: NewReturn): Promise<Back> {
  if (order.status !== 'delivered') throw notDelivered(order)
  const lines = await listLinesToReturn(tx, order)
  const coming = comingOf(lines, input)
  const { reservationId, fulfilmentId } = order
  const part = { already: byKey(lines, ({ returned }) => returned), wanted: byKey(coming, (line) => line.coming) }
  const isAll = lines.every(
    ({ line, quantity, returned }) => returned + (coming.find((one) => one.line === line)?.coming ?? 0) === quantity,
  )
  return {
    coming,
    from: reservationId && fulfilmentId ? [{ id: reservationId, ...part }] : [],
    to: isAll ? 'returned' : order.status,
    change: { reservationId: null, fulfilmentId: null },
  }
}

/** Of the parcels that were delivered, the oldest first. */
async function ofParts(tx: Tx, delivered: Delivered, input: NewReturn): Promise<Back> {
  const { order } = delivered.divided
  if (delivered.parts.length === 0) throw notDelivered(order)
  const coming = comingOf(delivered.lines, input)
  return { coming, ...(await noteBack(tx, delivered, coming)), change: {} }
}

const notDelivered = ({ status }: OrderRow) =>
  new ApiError('invalid_transition', `The order is ${status}; only what was delivered, and is not back yet, can be returned.`)

/** What is asked for, each line once. */
function comingOf(lines: readonly LineToReturn[], { items }: NewReturn): ComingLine[] {
  if (!items) {
    const left = lines.flatMap((line) => (line.quantity > line.returned ? [{ ...line, coming: line.quantity - line.returned }] : []))
    if (left.length === 0) throw new ApiError('return_too_large', 'All of the order is back already.')
    return left
  }
  const named = new Set<number>()
  return items.map(({ item, quantity }, at) => {
    const line = lines.find((each) => each.line === item + 1)
    if (!line) throw invalid(`/body/items/${at}/item`, `The order has ${lines.length} lines, from 0.`)
    if (named.has(item)) throw invalid(`/body/items/${at}/item`, 'The same line twice.')
    named.add(item)
    const left = line.quantity - line.returned
    if (quantity <= left) return { ...line, coming: quantity }
    const details = [{ path: `/body/items/${at}/quantity`, message: `${line.name}: ${left} can come back.` }]
    throw new ApiError('return_too_large', 'More would come back than was delivered.', { details })
  })
}

async function told(tx: Tx, store: Store, order: OrderRow): Promise<Order> {
  const shown = present(order)
  await tellUpdated(tx, store, shown)
  return shown
}
