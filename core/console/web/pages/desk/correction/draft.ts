import type { Schemas } from '../../../api/client.ts'

type Order = Schemas['Order']
type Change = Schemas['OrderChange']

/** Values of an order that an agent can correct, as the fields show them. */
export interface Draft {
  readonly name: string
  readonly phone: string
  readonly phoneAlt: string
  readonly stateCode: string
  readonly cityName: string
  readonly address: string
  readonly deliveryType: Order['destination']['deliveryType']
  /** Stop desk; empty for the one that is nearest when the order is sent. */
  readonly pickupId: string
  readonly note: string
  /** Quantity of each line; 0 removes it. */
  readonly quantities: readonly number[]
  /** Empty for the store's prices. */
  readonly deliveryPrice: string
  readonly discount: string
  readonly discountReason: string
}

/** Fields of an order that a draft starts with. */
export const draftOf = ({ customer, destination, items, byHand, note }: Order): Draft => ({
  name: customer.name,
  phone: customer.phone,
  phoneAlt: customer.phoneAlt ?? '',
  stateCode: destination.currentStateCode ?? destination.stateCode,
  cityName: destination.cityName,
  address: destination.address,
  deliveryType: destination.deliveryType,
  pickupId: destination.pickupId ?? '',
  note,
  quantities: items.map(({ quantity }) => quantity),
  deliveryPrice: byHand.deliveryPrice === null ? '' : String(byHand.deliveryPrice),
  discount: byHand.discount === 0 ? '' : String(byHand.discount),
  discountReason: '',
})

/** Reads an amount as people write it, also with Arabic digits and a comma; undefined when it is none. */
export function readAmount(text: string): number | undefined {
  const latin = text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(',', '.')
  return /^\d{1,12}(\.\d{1,4})?$/.test(latin) ? Number(latin) : undefined
}

/** Returns true when the quantities can be corrected: a line of a bundle does not say how many bundles it is of. */
export const canCorrectQuantities = ({ items }: Order): boolean => items.every(({ offerId }) => offerId === null)

/** Requested lines of an order with other quantities. */
export const itemsOf = ({ items }: Order, quantities: readonly number[]): Schemas['NewOrderItem'][] =>
  items.flatMap(({ productId, variantId }, at) => {
    const quantity = quantities[at] ?? 0
    return quantity > 0 ? [{ productId, variantId, quantity }] : []
  })

/** Returns the fields that must be filled in otherwise before a draft can be saved. */
export function problemsOf(draft: Draft, order: Order): ReadonlySet<keyof Draft> {
  const found = new Set<keyof Draft>()
  for (const field of ['name', 'phone', 'stateCode', 'cityName'] as const) if (draft[field].trim() === '') found.add(field)
  for (const field of ['deliveryPrice', 'discount'] as const)
    if (draft[field].trim() !== '' && readAmount(draft[field]) === undefined) found.add(field)
  const discount = readAmount(draft.discount) ?? 0
  if (discount > 0 && discount !== order.byHand.discount && draft.discountReason.trim() === '') found.add('discountReason')
  return found
}

/** Returns the change that a draft makes to its order; null when it makes none. */
export function changeOf(order: Order, draft: Draft): Change | null {
  const before = draftOf(order)
  const differs = (field: keyof Draft) => String(draft[field]) !== String(before[field])
  const discount = readAmount(draft.discount) ?? 0
  const customer = {
    ...(differs('name') && { name: draft.name.trim() }),
    ...(differs('phone') && { phone: draft.phone.trim() }),
    ...(differs('phoneAlt') && { phoneAlt: draft.phoneAlt.trim() || null }),
  }
  const isMoved = differs('stateCode') || differs('cityName')
  const hasOtherDesk = isMoved || differs('deliveryType') || differs('pickupId')
  const destination = {
    ...(isMoved && { stateCode: draft.stateCode, cityName: draft.cityName }),
    ...(differs('address') && { address: draft.address.trim() }),
    ...(differs('deliveryType') && { deliveryType: draft.deliveryType }),
    ...(hasOtherDesk && { pickupId: draft.pickupId || null }),
  }
  const change: Change = {
    ...(Object.keys(customer).length > 0 && { customer }),
    ...(Object.keys(destination).length > 0 && { destination }),
    ...(differs('quantities') && { items: itemsOf(order, draft.quantities) }),
    ...(differs('deliveryPrice') && { deliveryPrice: readAmount(draft.deliveryPrice) ?? null }),
    ...(differs('discount') && { discount: discount > 0 ? { amount: discount, reason: draft.discountReason.trim() } : null }),
    ...(differs('note') && { note: draft.note.trim() }),
  }
  return Object.keys(change).length > 0 ? change : null
}
