import type { Queryable } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { resolveAddress } from '../../platform/geo/resolve/resolve-address.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { placeWarnings } from '../create/place-warning.ts'
import { priceWarnings } from '../create/price-warnings.ts'
import { findOrder, listOrderLines, type OrderRow } from '../orders.queries.ts'
import { presentOrderItems } from '../present.ts'
import { assertOrderSize } from '../public/public-limits.ts'
import { assertInStock } from '../stock/stock.ts'
import type { CalculatedOrder, OrderCalculation } from './calculate.model.ts'
import { priceOrder } from './price.ts'
import { promisedOffer } from './reprice.ts'

/**
 * Prices an order by the rules of `createOrder`, or a changed one by those of `changeOrder`, without storing anything. Throws
 * `product_unavailable`, `invalid_promo`, `reserved_stock_conflict`, `not_found`, and `order_too_large` for a storefront.
 */
export async function calculateOrder(
  sql: Queryable,
  store: Store,
  input: OrderCalculation,
  source: OrderRow['source'],
): Promise<CalculatedOrder> {
  const { cityName = '', ...typed } = input.destination
  const place = resolveAddress({ ...typed, cityName })
  const order = await findChangedOrder(sql, store, input, source)
  const lines = order ? await listOrderLines(sql, store.id, order.id) : []
  const promo = order ? promotionAfter(order, input.promoCode) : (input.promoCode ?? null)
  const priced = await priceOrder(sql, store, { items: input.items, destination: place, promo, lines })
  if (source === 'storefront') assertOrderSize(store, priced.lines, priced)
  await assertInStock(sql, store, priced.lines, {
    at: ['items'],
    isPublic: source === 'storefront',
    own: order?.reservationId ? lines : [],
  })
  const { country, stateCode, stateName, currentStateCode, cityCode } = place
  const { subtotal, delivery, discount, total } = priced
  // Without a city, only the state can be unknown.
  const isStateUnknown = stateName === null
  const warnings = source === 'storefront' ? [] : [...(isStateUnknown ? placeWarnings(place) : []), ...priceWarnings(store, place)]
  return {
    currencyCode: store.currencyCode,
    items: presentOrderItems(priced.lines.map(({ inventoryKey: _, unitCost: __, ...line }) => line)),
    totals: {
      subtotal: decimalNumber(subtotal),
      delivery: decimalNumber(delivery),
      discount: decimalNumber(discount),
      total: decimalNumber(total),
    },
    promoCode: priced.offer?.code ?? null,
    ...(warnings.length > 0 && { warnings }),
    destination: {
      country,
      stateCode,
      stateName,
      ...(currentStateCode !== undefined && { currentStateCode }),
      cityCode,
      cityName: place.cityName,
    },
  }
}

/** Returns the order that is to be changed. Throws `not_found` for one of another store, and for clients without an account. */
async function findChangedOrder(
  sql: Queryable,
  store: Store,
  { orderId }: Pick<OrderCalculation, 'orderId'>,
  source: OrderRow['source'],
): Promise<OrderRow | undefined> {
  if (orderId === undefined) return undefined
  const order = source === 'storefront' ? undefined : await findOrder(sql, { storeId: store.id, id: orderId })
  if (!order) throw notFound('The order')
  return order
}

/** Returns the promotion of an order after a change: the promised terms when the code stays. */
function promotionAfter(order: OrderRow, code: string | null | undefined) {
  const isSame = code === undefined || (code ?? '').toLowerCase() === (order.promoCode ?? '').toLowerCase()
  return isSame ? promisedOffer(order) : code
}
