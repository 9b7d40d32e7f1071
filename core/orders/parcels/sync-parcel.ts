import type { Tx } from '../../data/sql.ts'
import { invariant } from '../../lib/invariant.ts'
import { decimalText } from '../../lib/money/decimal.ts'
import { updateUnsentParcel } from '../../logistics/parcels/change/update-unsent.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import type { OrderChange } from '../orders.model.ts'
import type { LineRow, OrderRow, OverridableField } from '../orders.queries.ts'
import { orderWeightOf } from '../pricing/weight.queries.ts'
import { pickLines, readDividedOrder } from '../split/divided-order.ts'
import { linesTotal, recalculateCodAmounts } from './collected-amounts.ts'
import { parcelValuesOf, parcelValuesOfLines } from './parcel-values.ts'

type ParcelValues = ReturnType<typeof parcelValuesOfLines>

interface UnsentParcel {
  readonly parcel: ParcelRow
  readonly values: ParcelValues
  readonly overrides: readonly OverridableField[]
}

/** Values that the parcel of a part copies from the order. */
export const partParcelValues = (order: OrderRow, items: readonly LineRow[], codAmount: string): ParcelValues => ({
  ...parcelValuesOfLines(order, items),
  codAmount,
  declaredValue: decimalText(linesTotal(items)),
})

/** Returns the current values for each unsent parcel of a locked order. */
export async function unsentParcelValues(tx: Tx, order: OrderRow, waiting: readonly ParcelRow[]): Promise<UnsentParcel[]> {
  const [first] = waiting
  if (!first) return []
  if (!order.isDivided) return [{ parcel: first, values: await parcelValuesOf(tx, order), overrides: order.overrides }]
  const divided = await readDividedOrder(tx, first, order)
  const amounts = recalculateCodAmounts(divided)
  return waiting.map((parcel) => {
    const part = invariant(
      divided.parts.find(({ id }) => id === parcel.partId),
      'The part that a parcel carries',
    )
    const values = partParcelValues(order, pickLines(divided.lines, part.lines), amounts.get(part.id) ?? parcel.codAmount)
    return { parcel, values, overrides: part.overrides }
  })
}

/**
 * Updates unsent parcels from their changed order. Updates the destination only when it changed, and weight and notes only when they
 * changed and were not overridden at sending.
 */
export async function syncUnsentParcels(
  tx: Tx,
  order: OrderRow,
  waiting: readonly ParcelRow[],
  { destination: isElsewhere, items, note }: Pick<OrderChange, 'destination' | 'items' | 'note'>,
) {
  for (const { parcel, values, overrides } of await unsentParcelValues(tx, order, waiting)) {
    const { destination, notes, ...rest } = values
    // Lines change only in undivided orders.
    const isReweighed = items !== undefined && !overrides.includes('weightKg')
    await updateUnsentParcel(tx, parcel, {
      ...rest,
      ...(isElsewhere && { destination }),
      ...(note !== undefined && !overrides.includes('notes') && { notes }),
      ...(isReweighed && { weightKg: String(await orderWeightOf(tx, order.storeId, order.id)) }),
    })
  }
}
