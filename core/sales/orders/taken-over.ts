import type { Tx } from '../../data/sql.ts'
import { decimalText } from '../../lib/decimal.ts'
import { known } from '../../lib/known.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { restated, worthOf } from './collect.ts'
import { pick, readDivided } from './divided.ts'
import type { LineRow, OrderRow } from './orders.queries.ts'
import { parcelOf, parcelOfLines } from './parcel-of.ts'

type TakenOver = ReturnType<typeof parcelOfLines>

/** What a part's parcel takes over. */
export const parcelOfPart = (order: OrderRow, items: readonly LineRow[], codAmount: string): TakenOver => ({
  ...parcelOfLines(order, items),
  codAmount,
  declaredValue: decimalText(worthOf(items)),
})

/** What an order, which is held, says now to each of its parcels that no carrier has. */
export async function takenOver(tx: Tx, order: OrderRow, waiting: readonly ParcelRow[]): Promise<(readonly [ParcelRow, TakenOver])[]> {
  const [first] = waiting
  if (!first) return []
  if (!order.isDivided) return [[first, await parcelOf(tx, order)]]
  const divided = await readDivided(tx, first, order)
  const amounts = restated(divided)
  return waiting.map((parcel) => {
    const part = known(
      divided.parts.find(({ id }) => id === parcel.partId),
      'The part that a parcel carries',
    )
    return [parcel, parcelOfPart(order, pick(divided.lines, part.lines), amounts.get(part.id) ?? parcel.codAmount)]
  })
}
