import { invariant } from '../../../lib/invariant.ts'
import type { NewOrder, OrderChange } from '../../../orders/orders.model.ts'
import type { Signed } from '../../../orders/pricing/external-pricing.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { ExternalOrder } from '../channels.model.ts'
import { keyOf, type Matched } from './match.ts'
import { inCurrency, wholeLines } from './whole-lines.ts'

/** Where an order of a shop is, as one of ours has it. */
interface Channel {
  readonly key: string
  readonly connectionId: string
}

/** An order of the shop as one of ours. What its customer typed stays so; the catalogue of places makes of it what it is sure of. */
export const asNewOrder = (store: Store, channel: Channel, order: ExternalOrder, { found }: Matched): NewOrder => ({
  storeId: store.id,
  customer: customerOf(order),
  destination: { ...placeIn(store, order), deliveryType: 'home' },
  items: itemsOf(order, found),
  note: order.note ?? '',
  metadata: { channel: channel.key, channelConnection: channel.connectionId, channelOrder: order.number, ...order.source },
})

const PHONE_LEAST = 3

export const hasPhone = ({ customer: { phone = '' } }: ExternalOrder): boolean => phone.trim().length >= PHONE_LEAST

/** A form that asks for no name still has to show one. */
const customerOf = ({ customer, number }: ExternalOrder) => ({
  name: customer.name.trim() || number,
  phone: customer.phone?.trim() ?? '',
  phoneAlt: customer.phoneAlt?.trim() || null,
  email: customer.email?.trim() || null,
})

const placeIn = ({ countryCode }: Store, { address: { country, state, city, address } }: ExternalOrder) => ({
  country: country ?? countryCode,
  stateCode: state,
  cityName: city,
  address,
})

const itemsOf = ({ items, currency }: ExternalOrder, found: Matched['found']): NewOrder['items'] =>
  wholeLines(items, currency).map((item) => ({ ...invariant(found.get(keyOf(item)), 'Goods that were matched'), quantity: item.quantity }))

/** It was priced there, and its customer agreed to that; where it came without prices the catalogue's count. */
export function signedBy({ items, currency, delivery, total, unpriced }: ExternalOrder): { readonly signed?: Signed } {
  if (unpriced) return {}
  const unitPrices = wholeLines(items, currency).map(({ unitPrice }) => unitPrice)
  return { signed: { unitPrices, delivery: inCurrency(delivery, currency), total: inCurrency(total, currency) } }
}

const isSame = (one: unknown, other: unknown) => Bun.deepEquals(one, other)
const goodsOf = ({ items, delivery, total }: ExternalOrder) => ({ items, delivery, total })

export const goodsDiffer = (told: ExternalOrder, applied: ExternalOrder) => !isSame(goodsOf(told), goodsOf(applied))

/** What the shop changed since we followed it last, and nothing that somebody changed here. */
export function changeOf(store: Store, told: ExternalOrder, applied: ExternalOrder, { found }: Matched): OrderChange {
  return {
    ...(!isSame(told.customer, applied.customer) && { customer: customerOf(told) }),
    ...(!isSame(told.address, applied.address) && { destination: placeIn(store, told) }),
    ...(goodsDiffer(told, applied) && { items: itemsOf(told, found) }),
    ...((told.note ?? '') !== (applied.note ?? '') && { note: told.note ?? '' }),
  }
}
