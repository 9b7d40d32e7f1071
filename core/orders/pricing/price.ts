import type { Queryable } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { type Decimal, decimal } from '../../lib/money/decimal.ts'
import { deliveryPrice, type OrderPrice, priceOrder as priceOf } from '../../shop/catalog/pricing/price.ts'
import { buildPricedLines, type Sellables } from '../../shop/catalog/pricing/priced-lines.ts'
import { assertConditionsMet, discountOf } from '../../shop/catalog/pricing/promotion.ts'
import { findSellables } from '../../shop/catalog/pricing/sellables.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import { findOffer, type Offer } from '../../shop/catalog/promos/promos.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { Destination, NewItem } from '../orders.model.ts'
import type { LineRow, OrderRow } from '../orders.queries.ts'

/** What the store's people said in place of what is reckoned. */
export interface ByHand {
  /** Null: as it is priced. */
  readonly delivery: Decimal | null
  /** Taken off besides what a promotion takes off. */
  readonly discount: Decimal
}
const NOTHING: ByHand = { delivery: null, discount: 0n }

interface Whole {
  /** What its promotion promised. */
  readonly offer: Offer | null
  /** Of the discount, what somebody gave. */
  readonly discountByHand: Decimal
}
export type Priced = OrderPrice & Whole
/** Of an order whose goods stay as they are. */
export type PricedElsewhere = Omit<Priced, 'lines'> & { readonly lines?: never }

interface Asked {
  readonly destination: Pick<Destination, 'country' | 'stateCode' | 'currentStateCode' | 'cityCode' | 'deliveryType'>
  /** A code that is to be good now, or what one promised before. */
  readonly promo: string | Offer | null
  readonly byHand?: ByHand
}

export interface AskedGoods extends Asked {
  readonly items: readonly NewItem[]
  /** What the order has already: no less is on sale than these. */
  readonly lines?: readonly LineRow[]
}

/** Prices lines from the catalogue; nothing that the client says about money is asked for. */
export async function price(sql: Queryable, store: Store, asked: AskedGoods): Promise<Priced> {
  const { items, destination, promo, lines = [], byHand = NOTHING } = asked
  const isCode = typeof promo === 'string'
  const [products, offer] = await Promise.all([findSellables(sql, store.id, items), isCode ? findOffer(sql, store.id, promo) : promo])
  const { currencyCode: currency, settings } = store
  const kept = keptOf(products, items, lines, currency)
  const said = { isPromised: !isCode, deliveryByHand: byHand.delivery }
  const whole = priceOf({ currency, items, products, destination, delivery: settings.deliveryPrices, offer, kept, ...said })
  return { ...whole, offer, ...lessByHand(whole, byHand) }
}

/** Of what is on sale no more, what the order has of it already, at the price that it has it for. A bundle is not among that. */
function keptOf(
  products: Sellables,
  items: readonly NewItem[],
  lines: readonly LineRow[],
  currency: string,
): ReadonlyMap<NewItem, LineRow> {
  const left = lines.filter(({ offerId }) => offerId === null).map((line) => ({ line, pieces: line.quantity }))
  return new Map(
    items.flatMap((item) => {
      if (item.offerId || lines.length === 0 || isOnSale(products, item, currency)) return []
      const isOf = ({ productId, variantId }: LineRow) => productId === item.productId && variantId === (item.variantId ?? null)
      const own = left.find(({ line, pieces }) => isOf(line) && pieces >= item.quantity)
      if (!own) return []
      own.pieces -= item.quantity
      return [[item, { ...own.line, quantity: item.quantity }] as const]
    }),
  )
}

function isOnSale(products: Sellables, item: NewItem, currency: string): boolean {
  try {
    return buildPricedLines(products, [item], currency).length > 0
  } catch (error) {
    if (error instanceof ApiError && error.code === 'product_unavailable') return false
    throw error
  }
}

/** No more than what the goods cost, nor than what is left to pay. */
function lessByHand({ subtotal, delivery, discount }: Omit<OrderPrice, 'lines'>, byHand: ByHand) {
  const discountByHand = [byHand.discount, subtotal, subtotal + delivery - discount].reduce((one, other) => (one < other ? one : other))
  const whole = discount + discountByHand
  return { discountByHand, discount: whole, total: subtotal + delivery - whole }
}

interface Elsewhere extends Asked {
  /** Whether the promotion is the one that it had: what that took off of the goods stands. */
  readonly isSamePromo: boolean
  /** Whether delivery may cost something else. */
  readonly isElsewhere: boolean
}

/** What an order comes to at another address or with another promotion: its goods stay as they are. Throws `invalid_promo`. */
export async function priceElsewhere(
  sql: Queryable,
  store: Store,
  order: Pick<OrderRow, 'items' | 'subtotal' | 'delivery' | 'discount' | 'discountByHand'>,
  { destination, promo, isSamePromo, isElsewhere, byHand = NOTHING }: Elsewhere,
): Promise<PricedElsewhere> {
  const { items: lines } = order
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const [found, offer] = await Promise.all([
    findProducts(sql, store.id, ids),
    typeof promo === 'string' ? findOffer(sql, store.id, promo) : promo,
  ])
  const products = new Map(found.map((product) => [product.id, product]))
  const shippings = lines.map(({ productId }) => products.get(productId)?.shipping ?? null)
  const { currencyCode: currency, settings } = store
  const prices = { prices: settings.deliveryPrices, currency }
  const priced = isElsewhere ? deliveryPrice(prices, destination, shippings) : decimal(order.delivery)
  const [subtotal, delivery] = [decimal(order.subtotal), byHand.delivery ?? priced]
  const bill = { lines, products, subtotal, delivery, destination, currency }
  if (offer && !isSamePromo) assertConditionsMet(offer, bill)
  const isOfDelivery = offer?.kind === 'free_shipping' || offer?.kind === 'credit'
  const stands = isSamePromo && !isOfDelivery
  const discount = stands ? decimal(order.discount) - decimal(order.discountByHand) : offer ? discountOf(offer, bill) : 0n
  return { offer, subtotal, delivery, ...lessByHand({ subtotal, delivery, discount, total: 0n }, byHand) }
}
