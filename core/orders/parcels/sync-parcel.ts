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

type ParcelValues = ReturnType<typeof parcelOfLines>

interface UnsentParcel {
  readonly parcel: ParcelRow
  readonly values: ParcelValues
  readonly said: readonly Said[]
}

/** Values that the parcel of a part copies from the order. */
export const parcelOfPart = (order: OrderRow, items: readonly LineRow[], codAmount: string): ParcelValues => ({
  ...parcelOfLines(order, items),
  codAmount,
  declaredValue: decimalText(worthOf(items)),
})

/** Returns the current values for each unsent parcel of a locked order. */
export async function takenOver(tx: Tx, order: OrderRow, waiting: readonly ParcelRow[]): Promise<UnsentParcel[]> {
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
 * Updates unsent parcels from their changed order. Updates the destination only when it changed, and weight and notes only when they
 * changed and were not overridden at sending.
 */
export async function takeOver(
  tx: Tx,
  order: OrderRow,
  waiting: readonly ParcelRow[],
  { destination: isElsewhere, items, note }: Pick<OrderChange, 'destination' | 'items' | 'note'>,
) {
  for (const { parcel, values, said } of await takenOver(tx, order, waiting)) {
    const { destination, notes, ...rest } = values
    // Lines change only in undivided orders.
    const isReweighed = items !== undefined && !said.includes('weightKg')
    await amend(tx, parcel, {
      ...rest,
      ...(isElsewhere && { destination }),
      ...(note !== undefined && !said.includes('notes') && { notes }),
      ...(isReweighed && { weightKg: String(await weightOf(tx, order.storeId, order.id)) }),
    })
  }
}
