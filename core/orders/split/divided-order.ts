import type { Queryable } from '../../data/sql.ts'
import { listLiveParcelsOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type LineRow, listOrderLines, type OrderRow } from '../orders.queries.ts'
import { type OrderStatus, openStatuses, orderStatusByParcelStatus } from '../statuses.ts'
import { listParts, type PartLine, type PartRow } from './parts.queries.ts'

/** Order that is sent in several parcels, with its parts. A change requires the lock of the order. */
export interface DividedOrder {
  readonly order: OrderRow
  /** Lines by number: index 0 is line 1. */
  readonly lines: readonly LineRow[]
  readonly parts: readonly OrderPart[]
}

/** Part of an order with its parcel. */
export interface OrderPart extends PartRow {
  /** Undefined when the part was given up. */
  readonly parcel: ParcelRow | undefined
}

/** Reads the lines, parts and parcels of an order. `parcels` are its live parcels, if the caller has read them. */
export async function readDividedOrder(
  sql: Queryable,
  { projectId }: Pick<Store, 'projectId'>,
  order: OrderRow,
  parcels?: readonly ParcelRow[],
): Promise<DividedOrder> {
  const [lines, rows, live] = await Promise.all([
    listOrderLines(sql, order.storeId, order.id),
    listParts(sql, order),
    parcels ?? listLiveParcelsOfOrder(sql, projectId, order.id),
  ])
  return { order, lines, parts: rows.map((part) => ({ ...part, parcel: live.find(({ partId }) => partId === part.id) })) }
}

/** Quantities by line number. */
export type Quantities = readonly Pick<PartLine, 'line' | 'quantity'>[]

interface LinesAndParts {
  readonly lines: readonly LineRow[]
  readonly parts: readonly { readonly lines: Quantities }[]
}

/** Quantities that are in no part yet. */
export function remainingOf({ lines, parts }: LinesAndParts): Quantities {
  const assigned = new Map<number, number>()
  for (const { line, quantity } of parts.flatMap((part) => part.lines)) assigned.set(line, (assigned.get(line) ?? 0) + quantity)
  return lines.flatMap((line, at) => {
    const quantity = line.quantity - (assigned.get(at + 1) ?? 0)
    return quantity > 0 ? [{ line: at + 1, quantity }] : []
  })
}

/** Lines with the given quantities instead of their own. */
export const pickLines = (lines: readonly LineRow[], quantities: Quantities): LineRow[] =>
  quantities.flatMap(({ line, quantity }) => {
    const whole = lines[line - 1]
    return whole ? [{ ...whole, quantity }] : []
  })

/** Precedence of statuses: the order has the first of these that any part has. */
const STATUS_PRECEDENCE: readonly OrderStatus[] = ['out_for_delivery', 'sent', 'returning', 'delivered', 'lost', 'returned']

/** Status of a divided order, from its parts. An unsent part counts as sent as soon as another part is sent. */
export function dividedStatusOf(divided: DividedOrder): OrderStatus {
  const { order, parts } = divided
  const partStatuses = parts.flatMap((part) => partStatusOf(part) ?? [])
  if (partStatuses.length === 0) return openStatuses.includes(order.status) ? order.status : 'confirmed'
  const waits = remainingOf(divided).length > 0 || parts.some((part) => part.parcel && !partStatusOf(part))
  const all: readonly OrderStatus[] = waits ? [...partStatuses, 'sent'] : partStatuses
  return STATUS_PRECEDENCE.find((status) => all.includes(status)) ?? 'sent'
}

/** Status of a part. A fully returned part is `returned`, whatever its parcel reports. */
const partStatusOf = ({ parcel, lines }: OrderPart): OrderStatus | undefined =>
  parcel && (isFullyReturned(lines) ? 'returned' : orderStatusByParcelStatus[parcel.status]?.order)

/** Returns true when all goods of a part were returned. */
export const isFullyReturned = (lines: readonly PartLine[]): boolean => lines.every(({ quantity, back }) => quantity === back)

/** Parcel that the order shows: that of its newest part; null when no part has one. */
export const newestParcelIdOf = (parts: readonly OrderPart[]): string | null =>
  parts.findLast(({ parcelId }) => parcelId !== null)?.parcelId ?? null
