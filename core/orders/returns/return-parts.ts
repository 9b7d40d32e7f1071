import type { Tx } from '../../data/sql.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { ReservationReturn } from '../../shop/inventory/reservations/receive-return.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { OrderRow } from '../orders.queries.ts'
import { returnedOfPart } from '../split/divide.ts'
import { type DividedOrder, dividedStatusOf, isFullyReturned, type OrderPart, pickLines, readDividedOrder } from '../split/divided-order.ts'
import { addReturnedQuantities, updatePart } from '../split/parts.queries.ts'
import type { OrderStatus } from '../statuses.ts'
import { quantitiesByKey } from './returned-quantities.ts'
import type { ReturnableLine } from './returns.queries.ts'

/** Delivered parts of a divided order, with their quantities by line. */
export interface DeliveredParts {
  readonly divided: DividedOrder
  /** Parts, oldest first. */
  readonly parts: readonly OrderPart[]
  readonly lines: readonly Pick<ReturnableLine, 'line' | 'quantity' | 'returned'>[]
}

/** Reads the delivered parts of a divided order that are not fully returned. */
export async function readDeliveredParts(tx: Tx, store: Store, order: OrderRow, parcels: readonly ParcelRow[]): Promise<DeliveredParts> {
  const divided = await readDividedOrder(tx, store, order, parcels)
  const parts = divided.parts.filter(({ parcel, lines }) => parcel?.status === 'delivered' && !isFullyReturned(lines))
  const lines = divided.lines.map((_, at) => {
    const of = parts.flatMap((part) => part.lines.filter(({ line }) => line === at + 1))
    return { line: at + 1, quantity: sumOf(of, 'quantity'), returned: sumOf(of, 'back') }
  })
  return { divided, parts, lines }
}

const sumOf = <K extends string>(rows: readonly Record<K, number>[], key: K) => rows.reduce((total, row) => total + row[key], 0)

interface ReturnedLine {
  readonly line: number
  readonly returning: number
}

/**
 * Records the returned quantities of each part, oldest part first. Returns the stock origin of the goods and the new status of the order.
 */
export async function recordPartReturns(
  tx: Tx,
  { divided, parts }: DeliveredParts,
  coming: readonly ReturnedLine[],
): Promise<{ from: ReservationReturn[]; to: OrderStatus }> {
  const left = new Map(coming.map((line) => [line.line, line.returning]))
  const after = new Map<string, OrderPart>()
  const from: ReservationReturn[] = []
  for (const part of parts) {
    const came = part.lines.map(({ line, quantity, back }) => ({ line, quantity: Math.min(quantity - back, left.get(line) ?? 0) }))
    const returned = came.filter(({ quantity }) => quantity > 0)
    if (returned.length === 0) continue
    for (const { line, quantity } of returned) left.set(line, (left.get(line) ?? 0) - quantity)
    const lines = part.lines.map((line, at) => ({ ...line, back: line.back + (came[at]?.quantity ?? 0) }))
    await addReturnedQuantities(tx, part, returned)
    if (part.reservationId && part.fulfilmentId) from.push({ id: part.reservationId, ...stockOriginOf(divided, part, returned) })
    const clearedStock = isFullyReturned(lines) ? { reservationId: null, fulfilmentId: null } : {}
    if (isFullyReturned(lines)) await updatePart(tx, part, clearedStock)
    after.set(part.id, { ...part, ...clearedStock, lines })
  }
  return { from, to: dividedStatusOf({ ...divided, parts: divided.parts.map((part) => after.get(part.id) ?? part) }) }
}

const stockOriginOf = ({ lines }: DividedOrder, part: OrderPart, taken: readonly { line: number; quantity: number }[]) => ({
  already: returnedOfPart(lines, part),
  wanted: quantitiesByKey(pickLines(lines, taken), ({ quantity }) => quantity),
})
