import type { Schemas } from '../../../../api/client.ts'
import { readAmount } from '../../../../words/numbers.ts'

/** Way in which an order is delivered. */
export type DeliveryType = Schemas['NewOrderDestination']['deliveryType']

/** Line of an order that is being written. */
export interface LineValues {
  readonly productId: string
  readonly variantId: string | null
  readonly offerId: string | null
  readonly name: string
  readonly unitPrice: number
  readonly quantity: number
}

/** Everything that the form of an order holds, as it was typed. */
export interface OrderValues {
  readonly name: string
  readonly phone: string
  readonly phoneAlt: string
  /** Code of the catalogue, or the text where the catalogue has no such state. */
  readonly stateCode: string
  readonly cityName: string
  readonly address: string
  readonly deliveryType: DeliveryType
  /** Stop desk; empty for the one that is nearest when the order is sent. */
  readonly pickupId: string
  readonly lines: readonly LineValues[]
  readonly note: string
  readonly promoCode: string
  readonly discount: string
  readonly discountReason: string
  readonly deliveryPrice: string
}

/** Values of an empty form. */
export const emptyOrder: OrderValues = {
  name: '',
  phone: '',
  phoneAlt: '',
  stateCode: '',
  cityName: '',
  address: '',
  deliveryType: 'home',
  pickupId: '',
  lines: [],
  note: '',
  promoCode: '',
  discount: '',
  discountReason: '',
  deliveryPrice: '',
}

/** Names a line: the same goods are one line. */
export const keyOfLine = ({ productId, variantId, offerId }: Pick<LineValues, 'productId' | 'variantId' | 'offerId'>) =>
  `${productId} ${variantId ?? ''} ${offerId ?? ''}`

/** Joins lines of the same goods into one, in the place of the first. */
export function mergeSame(lines: readonly LineValues[]): readonly LineValues[] {
  const byKey = new Map<string, LineValues>()
  for (const line of lines) {
    const before = byKey.get(keyOfLine(line))
    byKey.set(keyOfLine(line), before ? { ...before, quantity: before.quantity + line.quantity } : line)
  }
  return [...byKey.values()]
}

/** Returns the requested lines of an order. */
export const itemsOf = (lines: readonly LineValues[]) =>
  lines.map(({ productId, variantId, offerId, quantity }) => ({ productId, variantId, offerId, quantity }))

/** Returns the request that creates an order. */
export const newOrderOf = (values: OrderValues, store: { readonly storeId: string; readonly countryCode: string }) => ({
  storeId: store.storeId,
  customer: { name: values.name.trim(), phone: values.phone.trim(), phoneAlt: values.phoneAlt.trim() || null },
  destination: destinationOf(values, store.countryCode),
  items: itemsOf(values.lines),
  note: values.note.trim(),
  promoCode: values.promoCode.trim() || null,
})

const destinationOf = ({ stateCode, cityName, address, deliveryType, pickupId }: OrderValues, country: string) => ({
  country,
  stateCode: stateCode.trim(),
  cityName: cityName.trim(),
  address: address.trim(),
  deliveryType,
  pickupId: pickupId || null,
})

/** Returns the amounts that the user set by hand, or undefined where they set none. */
export function adjustmentsOf({ discount, discountReason, deliveryPrice }: OrderValues) {
  const [amount, delivery] = [readAmount(discount), readAmount(deliveryPrice)]
  if (amount === undefined && delivery === undefined) return undefined
  return {
    ...(amount !== undefined && { discount: { amount, reason: discountReason.trim() } }),
    ...(delivery !== undefined && { deliveryPrice: delivery }),
  }
}

/** Fields that the form itself finds wrong, before anything is sent. */
export type OrderProblem = 'name' | 'phone' | 'state' | 'city' | 'lines' | 'discount' | 'discountReason' | 'deliveryPrice'

/** Returns the fields that are empty or cannot be read. */
export function findOrderProblems(values: OrderValues, subtotal: number): ReadonlySet<OrderProblem> {
  const { name, phone, stateCode, cityName, lines } = values
  const discount = readAmount(values.discount)
  const delivery = readAmount(values.deliveryPrice)
  const found: readonly (readonly [OrderProblem, boolean])[] = [
    ['name', name.trim() === ''],
    ['phone', phone.trim() === ''],
    ['state', stateCode.trim() === ''],
    ['city', cityName.trim() === ''],
    ['lines', lines.length === 0],
    ['discount', discount !== undefined && !(discount <= subtotal)],
    ['discountReason', discount !== undefined && discount > 0 && values.discountReason.trim() === ''],
    ['deliveryPrice', Number.isNaN(delivery)],
  ]
  return new Set(found.flatMap(([problem, isFound]) => (isFound ? [problem] : [])))
}
