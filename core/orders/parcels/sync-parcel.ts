import type { Tx } from '../../data/sql.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import { amend } from '../../logistics/parcels/change/amend.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { OrderChange } from '../orders.model.ts'
import type { LineRow, OrderRow, Said } from '../orders.queries.ts'
import { weightOf } from '../pricing/weight.queries.ts'
import { pick, readDivided } from '../split/divided.ts'
import { restated, worthOf } from './collect.ts'
import { parcelOf, parcelOfLines } from './parcel-of.ts'

type TakenOver = ReturnType<typeof parcelOfLines>

interface Waiting {
  readonly parcel: ParcelRow
  readonly values: TakenOver
  readonly said: readonly Said[]
}

/** What a part's parcel takes over. */
export const parcelOfPart = (order: OrderRow, items: readonly LineRow[], codAmount: string): TakenOver => ({
  ...parcelOfLines(order, items),
  codAmount,
  declaredValue: decimalText(worthOf(items)),
})

/** What an order, which is held, says now to each of its parcels that no carrier has. */
export async function takenOver(tx: Tx, order: OrderRow, waiting: readonly ParcelRow[]): Promise<Waiting[]> {
  const [first] = waiting
  if (!first) return []
  if (!order.isDivided) return [{ parcel: first, values: await parcelOf(tx, order), said: order.said }]
  const divided = await readDivided(tx, first, order)
  const amounts = restated(divided)
  return waiting.map((parcel) => {
    const part = invariant(
      divided.parts.find(({ id }) => id === parcel.partId),
      'The part that a parcel carries',
    )
    const values = parcelOfPart(order, pick(divided.lines, part.lines), amounts.get(part.id) ?? parcel.codAmount)
    return { parcel, values, said: part.said }
  })
}

/**
 * A parcel that waits to be sent is what the order now says: its address only where that changed, its weight and its note where those did, and
 * nobody said others when it was sent.
 */
export async function takeOver(
  tx: Tx,
  order: OrderRow,
  waiting: readonly ParcelRow[],
  { destination: isElsewhere, items, note }: Pick<OrderChange, 'destination' | 'items' | 'note'>,
) {
  for (const { parcel, values, said } of await takenOver(tx, order, waiting)) {
    const { destination, notes, ...rest } = values
    // Lines change of whole orders alone.
    const isReweighed = items !== undefined && !said.includes('weightKg')
    await amend(tx, parcel, {
      ...rest,
      ...(isElsewhere && { destination }),
      ...(note !== undefined && !said.includes('notes') && { notes }),
      ...(isReweighed && { weightKg: String(await weightOf(tx, order.storeId, order.id)) }),
    })
  }
}
