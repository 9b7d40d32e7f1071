import type { Queryable } from '../../data/sql.ts'
import { listLiveOfOrder, type ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type LineRow, linesOfOrder, type OrderRow } from '../orders.queries.ts'
import { byParcel, type OrderStatus, open } from '../statuses.ts'
import { listParts, type PartLine, type PartRow } from './parts.queries.ts'

/** An order that travels in several parcels, as it is; whoever changes it holds the order. */
export interface Divided {
  readonly order: OrderRow
  /** In order: that of place 0 is line 1. */
  readonly lines: readonly LineRow[]
  readonly parts: readonly Part[]
}

export interface Part extends PartRow {
  /** None where it was given up. */
  readonly parcel: ParcelRow | undefined
}

/** `parcels`: those of the order that were not cancelled, where the caller has them. */
export async function readDivided(
  sql: Queryable,
  { projectId }: Pick<Store, 'projectId'>,
  order: OrderRow,
  parcels?: readonly ParcelRow[],
): Promise<Divided> {
  const [lines, rows, live] = await Promise.all([
    linesOfOrder(sql, order.storeId, order.id),
    listParts(sql, order),
    parcels ?? listLiveOfOrder(sql, projectId, order.id),
  ])
  return { order, lines, parts: rows.map((part) => ({ ...part, parcel: live.find(({ partId }) => partId === part.id) })) }
}

/** So many of some lines. */
export type Quantities = readonly Pick<PartLine, 'line' | 'quantity'>[]

interface Of {
  readonly lines: readonly LineRow[]
  readonly parts: readonly { readonly lines: Quantities }[]
}

/** What is in no part yet. */
export function leftOf({ lines, parts }: Of): Quantities {
  const taken = new Map<number, number>()
  for (const { line, quantity } of parts.flatMap((part) => part.lines)) taken.set(line, (taken.get(line) ?? 0) + quantity)
  return lines.flatMap((line, at) => {
    const quantity = line.quantity - (taken.get(at + 1) ?? 0)
    return quantity > 0 ? [{ line: at + 1, quantity }] : []
  })
}

/** Those lines, with no more than these quantities. */
export const pick = (lines: readonly LineRow[], quantities: Quantities): LineRow[] =>
  quantities.flatMap(({ line, quantity }) => {
    const whole = lines[line - 1]
    return whole ? [{ ...whole, quantity }] : []
  })

/** Several parcels say together the first of these that any of them says. */
const FOREMOST: readonly OrderStatus[] = ['out_for_delivery', 'sent', 'returning', 'delivered', 'lost', 'returned']

/** What the order is by its parts. What waits to be sent is on its way as soon as another part is. */
export function statusOf(divided: Divided): OrderStatus {
  const { order, parts } = divided
  const said = parts.flatMap((part) => saidBy(part) ?? [])
  if (said.length === 0) return open.includes(order.status) ? order.status : 'confirmed'
  const waits = leftOf(divided).length > 0 || parts.some((part) => part.parcel && !saidBy(part))
  const all: readonly OrderStatus[] = waits ? [...said, 'sent'] : said
  return FOREMOST.find((status) => all.includes(status)) ?? 'sent'
}

/** What its customer brought back is returned, whatever its parcel does any more. */
const saidBy = ({ parcel, lines }: Part): OrderStatus | undefined => parcel && (isBack(lines) ? 'returned' : byParcel[parcel.status]?.order)

export const isBack = (lines: readonly PartLine[]): boolean => lines.every(({ quantity, back }) => quantity === back)

/** The parcel that the order shows: the newest of its parts. */
export const parcelIdOf = (parts: readonly Part[]): string | null => parts.findLast(({ parcelId }) => parcelId !== null)?.parcelId ?? null
