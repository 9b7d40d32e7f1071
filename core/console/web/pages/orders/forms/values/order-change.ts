import type { Schemas } from '../../../../api/client.ts'
import { readAmount } from '../../../../words/numbers.ts'
import { emptyOrder, itemsOf, type LineValues, type OrderValues } from './order-values.ts'

/** Order whose values the form shows. */
export type EditedOrder = Pick<Schemas['Order'], 'id' | 'customer' | 'destination' | 'note' | 'promoCode' | 'byHand' | 'totals'>
type Change = Schemas['OrderChange']

const textOf = (amount: number | null) => (amount === null || amount === 0 ? '' : String(amount))

/** Returns the values of the form for an order. */
export const valuesOf = ({ customer, destination, note, promoCode, byHand }: EditedOrder, lines: readonly LineValues[]): OrderValues => ({
  ...emptyOrder,
  name: customer.name,
  phone: customer.phone,
  phoneAlt: customer.phoneAlt ?? '',
  stateCode: destination.stateCode,
  cityName: destination.cityName,
  address: destination.address,
  deliveryType: destination.deliveryType,
  pickupId: destination.pickupId ?? '',
  lines,
  note,
  promoCode: promoCode ?? '',
  discount: textOf(byHand.discount),
  deliveryPrice: byHand.deliveryPrice === null ? '' : String(byHand.deliveryPrice),
})

/** Returns the members of `after` that differ from `before`, without the spaces around them; undefined where none does. */
function differences<Key extends keyof OrderValues>(before: OrderValues, after: OrderValues, keys: readonly Key[]) {
  const changed = keys.filter((key) => before[key] !== after[key])
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((key) => [key, String(after[key]).trim()]))
}

/** Returns the request that makes `before` what `after` says; undefined when nothing changed. */
export function changeOf(before: OrderValues, after: OrderValues): Change | undefined {
  const customer = differences(before, after, ['name', 'phone', 'phoneAlt'])
  const place = differences(before, after, ['stateCode', 'cityName', 'deliveryType', 'pickupId'])
  const address = differences(before, after, ['address'])
  const change: Change = {
    ...(customer && { customer: { ...customer, ...(customer.phoneAlt === '' && { phoneAlt: null }) } }),
    ...((place ?? address) && {
      // A stop desk belongs to a place, so it is sent with it.
      destination: { ...place, ...address, ...(place && { pickupId: after.pickupId || null }) } as NonNullable<Change['destination']>,
    }),
    ...(hasOtherLines(before, after) && { items: itemsOf(after.lines) }),
    ...(after.note !== before.note && { note: after.note.trim() }),
    ...(after.promoCode.trim() !== before.promoCode && { promoCode: after.promoCode.trim() || null }),
    ...(hasOtherDiscount(before, after) && { discount: discountOf(after) }),
    ...(after.deliveryPrice !== before.deliveryPrice && { deliveryPrice: readAmount(after.deliveryPrice) ?? null }),
  }
  return Object.keys(change).length === 0 ? undefined : change
}

/** Returns true when other goods or quantities are wanted. */
export const hasOtherLines = (before: OrderValues, after: OrderValues): boolean =>
  JSON.stringify(itemsOf(before.lines)) !== JSON.stringify(itemsOf(after.lines))

/** Returns true when another discount by hand is wanted. */
export const hasOtherDiscount = (before: OrderValues, after: OrderValues): boolean => after.discount !== before.discount

function discountOf({ discount, discountReason }: OrderValues) {
  const amount = readAmount(discount) ?? 0
  return amount === 0 ? null : { amount, reason: discountReason.trim() }
}
