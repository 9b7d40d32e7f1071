import { invariant } from '../../../lib/invariant.ts'
import type { NewOrder, OrderChange } from '../../../orders/orders.model.ts'
import type { ExternalPricing } from '../../../orders/pricing/external-pricing.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import type { ExternalOrder } from '../connectors.model.ts'
import { goodsKeyOf, type MatchResult } from './match-goods.ts'
import { roundToCurrency, splitUnevenLines } from './split-lines.ts'

/** Shop and connection that an order comes from. */
interface Channel {
  readonly key: string
  readonly connectionId: string
}

/** Converts an order of a shop to a new order. The customer's texts stay as typed; the catalogue of places recognizes what it can. */
export const buildNewOrder = (store: Store, channel: Channel, order: ExternalOrder, { found }: MatchResult): NewOrder => ({
  storeId: store.id,
  customer: customerOf(order),
  destination: { ...placeIn(store, order), deliveryType: 'home' },
  items: itemsOf(order, found),
  note: order.note ?? '',
  metadata: { channel: channel.key, channelConnection: channel.connectionId, channelOrder: order.number, ...order.source },
})

const PHONE_LEAST = 3

/** Returns true if the order has a phone number of at least three characters. */
export const hasPhone = ({ customer: { phone = '' } }: ExternalOrder): boolean => phone.trim().length >= PHONE_LEAST

/** Returns the customer. Uses the order number as the name if a form asks for none. */
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

const itemsOf = ({ items, currency }: ExternalOrder, found: MatchResult['found']): NewOrder['items'] =>
  splitUnevenLines(items, currency).map((item) => ({
    ...invariant(found.get(goodsKeyOf(item)), 'Goods that were matched'),
    quantity: item.quantity,
  }))

/** Returns the prices that the customer agreed to at the shop; nothing if the order has no prices, so that the catalogue's apply. */
export function externalPricingOf({ items, currency, delivery, total, unpriced }: ExternalOrder): {
  readonly externalPricing?: ExternalPricing
} {
  if (unpriced) return {}
  const unitPrices = splitUnevenLines(items, currency).map(({ unitPrice }) => unitPrice)
  return { externalPricing: { unitPrices, delivery: roundToCurrency(delivery, currency), total: roundToCurrency(total, currency) } }
}

const isSame = (one: unknown, other: unknown) => Bun.deepEquals(one, other)
const goodsOf = ({ items, delivery, total }: ExternalOrder) => ({ items, delivery, total })

/** Returns true if items, delivery or total differ. */
export const hasDifferentGoods = (told: ExternalOrder, applied: ExternalOrder) => !isSame(goodsOf(told), goodsOf(applied))

/** Returns the fields that the shop changed since the last applied state. Fields that were changed only here are left alone. */
export function buildOrderChange(store: Store, told: ExternalOrder, applied: ExternalOrder, { found }: MatchResult): OrderChange {
  return {
    ...(!isSame(told.customer, applied.customer) && { customer: customerOf(told) }),
    ...(!isSame(told.address, applied.address) && { destination: placeIn(store, told) }),
    ...(hasDifferentGoods(told, applied) && { items: itemsOf(told, found) }),
    ...((told.note ?? '') !== (applied.note ?? '') && { note: told.note ?? '' }),
  }
}
