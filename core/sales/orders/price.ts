import type { Queryable } from '../../data/sql.ts'
import { decimal } from '../../lib/decimal.ts'
import { deliveryPrice, type Price, price as priceOf } from '../../shop/catalog/pricing/price.ts'
import { discountBy } from '../../shop/catalog/pricing/promotion.ts'
import { sellablesFor } from '../../shop/catalog/pricing/sellables.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { type Offer, offerOf } from '../../shop/catalog/promos.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Destination, NewItem } from './orders.model.ts'
import type { OrderRow } from './orders.queries.ts'

export interface Priced extends Price {
  /** What its promotion promised. */
  readonly offer: Offer | null
}

interface Asked {
  readonly items: readonly NewItem[]
  readonly destination: Pick<Destination, 'stateCode' | 'deliveryType'>
  /** A code that is to be good now, or what one promised before. */
  readonly promo: string | Offer | null
}

/** Prices lines from the catalogue; nothing that the client says about money is asked for. */
export async function price(sql: Queryable, store: Store, { items, destination, promo }: Asked): Promise<Priced> {
  const isCode = typeof promo === 'string'
  const [products, offer] = await Promise.all([sellablesFor(sql, store.id, items), isCode ? offerOf(sql, store.id, promo) : promo])
  const { deliveryPrices: delivery } = store.settings
  return { ...priceOf({ items, products, destination, delivery, offer, isPromised: !isCode }), offer }
}

/** What an order comes to at another address: delivery as it costs there, and what a promotion takes off of that. Its goods stay as they are. */
export async function priceElsewhere(
  sql: Queryable,
  store: Store,
  order: Pick<OrderRow, 'items' | 'offer' | 'subtotal' | 'discount'>,
  destination: Asked['destination'],
): Promise<Omit<Price, 'lines'>> {
  const { items: lines, offer } = order
  const found = await findProducts(sql, store.id, [...new Set(lines.map(({ productId }) => productId))])
  const products = new Map(found.map((product) => [product.id, product]))
  const delivery = deliveryPrice(
    store.settings.deliveryPrices,
    destination,
    lines.map(({ productId }) => products.get(productId)?.shipping ?? null),
  )
  const subtotal = decimal(order.subtotal)
  const isOfDelivery = offer?.kind === 'free_shipping' || offer?.kind === 'credit'
  const discount = isOfDelivery ? discountBy(offer, { lines, products, subtotal, delivery, destination }) : decimal(order.discount)
  return { subtotal, delivery, discount, total: subtotal + delivery - discount }
}
