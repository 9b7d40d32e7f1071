import type { Sql } from '../../data/sql.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { CONFIRMED, rate } from '../product/read-figures.ts'
import {
  type AskedSeries,
  type ConfirmationInsights,
  type CountAsked,
  type Field,
  type FinancialFigures,
  type InsightFigures,
  type InsightsAsked,
  type OrdersCount,
  type OrdersTimeline,
  type TimelineAsked,
  VALUES_DEFAULT,
} from './analytics.model.ts'
import type { Cell } from './cells.queries.ts'
import type { Dimension } from './counting.queries.ts'
import { amountIn, amountOf, assertProducts, byStatusOf, countOf, readFigures, seriesOf } from './read.ts'

const statusesExcept = (...statuses: readonly OrderStatus[]) => orderStatuses.filter((status) => !statuses.includes(status))
const NOT_CANCELLED = statusesExcept('cancelled')
const UNCONFIRMED: readonly OrderStatus[] = ['pending', 'unreachable', 'postponed']
const ENDED: readonly OrderStatus[] = ['delivered', 'returned', 'lost']

const countedOf = (cells: readonly Cell[]) => ({
  orders: countOf(cells, 'orders'),
  units: countOf(cells, 'units'),
  byStatus: byStatusOf(cells),
})

/** Counts orders over time with their current statuses: of a store, or of those with a line of a product. */
export async function ordersTimeline(sql: Sql, store: Store, asked: TimelineAsked): Promise<OrdersTimeline> {
  const { productId = null, interval = 'day' } = asked
  if (productId !== null) await assertProducts(sql, store, [productId])
  const of = productId === null ? { dimension: 'store' as const } : { dimension: 'productId' as const, keys: [productId] }
  const figures = await readFigures(sql, store, { ...asked, ...of, at: '/body' }, true)
  const { timeZone, from, to } = figures
  return { productId, storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, countedOf) }
}

const DELIVERED: readonly OrderStatus[] = ['delivered']

function financesOf(cells: readonly Cell[]): FinancialFigures {
  const margin = amountOf(cells, 'kept') - amountOf(cells, 'keptDelivery') - amountOf(cells, 'cost')
  const notCancelled = (what: 'goods' | 'delivery' | 'discount' | 'total') => amountOf(cells, what, NOT_CANCELLED)
  const credit = notCancelled('goods') + notCancelled('delivery') - notCancelled('discount') - notCancelled('total')
  return {
    orders: countOf(cells, 'orders', NOT_CANCELLED),
    goods: amountIn(cells, 'goods', NOT_CANCELLED),
    delivery: amountIn(cells, 'delivery', NOT_CANCELLED),
    discount: amountIn(cells, 'discount', NOT_CANCELLED),
    credit: decimalNumber(credit),
    total: amountIn(cells, 'total', NOT_CANCELLED),
    paid: amountIn(cells, 'paid', NOT_CANCELLED),
    delivered: amountIn(cells, 'kept'),
    returned: amountIn(cells, 'returned'),
    underWay: amountIn(cells, 'toCome'),
    cost: amountIn(cells, 'cost'),
    unitsWithoutCost: countOf(cells, 'unitsWithoutCost'),
    margin: decimalNumber(margin),
  }
}

/** Sums the amounts of a store's orders by the day of their creation. */
export async function financialTimeline(sql: Sql, store: Store, asked: AskedSeries) {
  const figures = await readFigures(sql, store, { ...asked, at: '/body', dimension: 'store' }, true)
  const { timeZone, from, to } = figures
  const { interval = 'day' } = asked
  return { currencyCode: store.currencyCode, storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, financesOf) }
}

const dimensionOf: { readonly [F in Field]: Dimension } = {
  status: 'store',
  stateCode: 'stateCode',
  source: 'source',
  deliveryType: 'deliveryType',
  assignedTo: 'assignedTo',
  paymentStatus: 'paymentStatus',
  promoCode: 'promoCode',
  landingPageId: 'landingPageId',
  productId: 'productId',
}

/** Counts orders by the values of a field, most frequent first. */
export async function countByField(
  sql: Sql,
  store: Store,
  { field, limit = VALUES_DEFAULT, storeId: _, ...range }: CountAsked,
): Promise<OrdersCount> {
  const asked = { ...range, at: '/body' as const }
  const { timeZone, from, to, cells } = await readFigures(sql, store, { ...asked, dimension: dimensionOf[field] }, false)
  const values = [...Map.groupBy(cells, ({ key, status }) => (field === 'status' ? status : key))]
    .map(([value, within]) => ({ value: value || null, orders: countOf(within, 'orders'), byStatus: byStatusOf(within) }))
    .sort((a, b) => b.orders - a.orders || (a.value ?? '').localeCompare(b.value ?? ''))
  // An order with several products counts once per product, so the total is counted over orders.
  const whole = field === 'productId' ? (await readFigures(sql, store, { ...asked, dimension: 'store' }, false)).cells : cells
  return {
    field,
    storeId: store.id,
    timeZone,
    from,
    to,
    total: countOf(whole, 'orders'),
    values: values.slice(0, limit),
    others: Math.max(0, values.length - limit),
  }
}

function insightOf(cells: readonly Cell[]): InsightFigures {
  const [confirmed, cancelled] = [countOf(cells, 'orders', CONFIRMED), countOf(cells, 'orders', ['cancelled'])]
  const [delivered, returned] = [countOf(cells, 'orders', DELIVERED), countOf(cells, 'orders', ['returned'])]
  return {
    assigned: countOf(cells, 'orders'),
    confirmed,
    cancelled,
    waiting: countOf(cells, 'orders', UNCONFIRMED),
    delivered,
    returned,
    confirmationRate: rate(confirmed, confirmed + cancelled),
    deliveryRate: rate(delivered, countOf(cells, 'orders', ENDED)),
    deliveredTotal: amountIn(cells, 'kept'),
    byStatus: byStatusOf(cells),
  }
}

/** Counts the results of the orders of each agent, most confirmed orders first. */
export async function confirmationInsights(sql: Sql, store: Store, { storeId: _, ...range }: InsightsAsked): Promise<ConfirmationInsights> {
  const figures = await readFigures(sql, store, { ...range, at: '/body', dimension: 'agent' }, false)
  const { timeZone, from, to, cells } = figures
  const agents = [...Map.groupBy(cells, ({ key }) => key)]
    .map(([agentId, within]) => ({ agentId: agentId || null, ...insightOf(within) }))
    .sort((a, b) => b.confirmed - a.confirmed || (a.agentId ?? '').localeCompare(b.agentId ?? ''))
  return { storeId: store.id, timeZone, from, to, currencyCode: store.currencyCode, total: insightOf(cells), agents }
}
