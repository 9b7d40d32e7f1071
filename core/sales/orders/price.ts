import type { Queryable } from '../../data/sql.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { MONEY_MAX } from '../../http/schema.ts'
import { type Decimal, decimal, decimalText, ONE } from '../../lib/decimal.ts'
import { findProducts, type ProductRow } from '../../shop/catalog/products.queries.ts'
import { discountBy, type Offer, offerOf } from '../../shop/catalog/promos.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Destination, NewItem } from './orders.model.ts'
import type { LineRow } from './orders.queries.ts'

export interface Priced {
  readonly lines: readonly LineRow[]
  readonly subtotal: Decimal
  readonly delivery: Decimal
  readonly discount: Decimal
  readonly total: Decimal
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
export async function price(sql: Queryable, store: Store, input: Asked): Promise<Priced> {
  const found = await findProducts(sql, store.id, [...new Set(input.items.map(({ productId }) => productId))])
  const byId = new Map(found.map((product) => [product.id, product]))
  const lines = input.items.map((item, at) => line(byId.get(item.productId), item, at))
  const subtotal = lines.reduce((sum, { unitPrice, quantity }) => sum + decimal(unitPrice) * BigInt(quantity), 0n)
  const { promo } = input
  const offer = typeof promo === 'string' ? await offerOf(sql, store.id, promo, subtotal) : promo
  const discount = offer ? discountBy(offer, subtotal) : 0n
  const delivery = deliveryPrice(store, input.destination)
  if (subtotal + delivery > decimal(MONEY_MAX)) throw invalid('/body/items', `The order comes to more than ${MONEY_MAX}.`)
  return { lines, subtotal, delivery, discount, total: subtotal + delivery - discount, offer }
}

function line(product: ProductRow | undefined, { productId, variantId, quantity }: NewItem, at: number): LineRow {
  const unavailable = (message: string) =>
    new ApiError('product_unavailable', message, { details: [{ path: `/body/items/${at}`, message }] })
  if (product?.status !== 'active') throw unavailable(`The product ${productId} is not on sale in this store.`)
  const variant = product.variants.find(({ id }) => id === variantId)
  if (variantId && !variant) throw unavailable(`The product ${productId} has no variant ${variantId}.`)
  return {
    productId,
    variantId: variant?.id ?? null,
    name: variant ? `${product.name} – ${variant.name}` : product.name,
    sku: variant?.sku ?? product.sku,
    unitPrice: variant?.price !== undefined && variant.price !== null ? decimalText(decimal(variant.price)) : product.price,
    quantity,
    inventoryKey: product.stockKeeping ? (variant?.inventoryKey ?? product.inventoryKey) : null,
  }
}

/** The store's price to this state, else its general one, else nothing. */
export function deliveryPrice({ settings }: Store, { stateCode, deliveryType }: Pick<Destination, 'stateCode' | 'deliveryType'>): Decimal {
  const prices = settings.deliveryPrices
  const kind = deliveryType === 'home' ? 'home' : 'pickup'
  const value = prices?.byState?.[stateCode]?.[kind] ?? prices?.[kind] ?? 0
  return BigInt(Math.round(value * 100)) * (ONE / 100n)
}
