import type { Tx } from '../../data/sql.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { known } from '../../lib/known.ts'
import { emit } from '../../platform/webhooks/emit.ts'
import { restockReservation } from '../../shop/inventory/restock.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { moveOrder } from './change.ts'
import { holdOrder } from './hold.ts'
import type { Order } from './orders.model.ts'
import type { OrderRow } from './orders.queries.ts'
import { present } from './present.ts'
import { byKey } from './returned.ts'
import type { NewReturn, OrderReturn } from './returns.model.ts'
import { insertReturn, type LineToReturn, listLinesToReturn } from './returns.queries.ts'

interface Part extends LineToReturn {
  /** How many of it come back now. */
  readonly coming: number
}

/**
 * A customer sends goods of a delivered order back: they are put into stock by one operation, into the batches that they came from. Never
 * more than was delivered, whoever returns at once; where all of it is back the order is `returned`. Throws `not_found`,
 * `invalid_transition`, `return_too_large`.
 */
export async function returnOrder(tx: Tx, store: Store, input: NewReturn): Promise<OrderReturn> {
  const { projectId, id: storeId } = store
  const { restock = true, note = '' } = input
  const { order } = await holdOrder(tx, { projectId, storeId, orderId: input.orderId })
  if (order.status !== 'delivered')
    throw new ApiError('invalid_transition', `The order is ${order.status}; only what was delivered, and is not back yet, can be returned.`)
  const lines = await listLinesToReturn(tx, order)
  const parts = partsOf(lines, input)
  const operation = restock && order.fulfilmentId ? await putBack(tx, store, order, lines, parts) : null
  const createdAt = new Date().toISOString()
  const kept = { id: newId('ret'), operationId: operation?.id ?? null, restocked: operation !== null, note, createdAt }
  await insertReturn(
    tx,
    { storeId, orderId: order.id, ...kept },
    parts.map(({ line, coming }) => ({ line, quantity: coming })),
  )
  const isAll = lines.every(({ line, quantity, returned }) => returned + comingOf(parts, line) === quantity)
  const moved = isAll ? await moveOrder(tx, store, order, 'returned', { reservationId: null, fulfilmentId: null }, note) : null
  return {
    ...kept,
    items: parts.map(({ line, coming }) => ({ item: line - 1, quantity: coming })),
    order: moved ?? (await told(tx, store, order)),
  }
}

const comingOf = (parts: readonly Part[], line: number) => parts.find((part) => part.line === line)?.coming ?? 0

/** What is asked for, each line once. */
function partsOf(lines: readonly LineToReturn[], { items }: NewReturn): Part[] {
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

function putBack(
  tx: Tx,
  { projectId }: Store,
  { reservationId, reference }: OrderRow,
  lines: readonly LineToReturn[],
  parts: readonly Part[],
) {
  return restockReservation(tx, projectId, known(reservationId, 'The reservation of goods that were delivered'), {
    already: byKey(lines, ({ returned }) => returned),
    wanted: byKey(parts, ({ coming }) => coming),
    reference,
  })
}

async function told(tx: Tx, store: Store, order: OrderRow): Promise<Order> {
  const shown = present(order)
  await emit(tx, [{ projectId: store.projectId, storeId: store.id, type: 'order.updated', data: { order: shown }, orderKey: order.id }])
  return shown
}
