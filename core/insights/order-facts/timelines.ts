import type { Sql } from '../../data/sql.ts'
import { decimalNumber } from '../../lib/money/decimal.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { CONFIRMED_STATUSES, ratio } from '../product/read-figures.ts'
import {
  type ConfirmationInsights,
  type ConfirmationInsightsRequest,
  type CountableField,
  type FinancialFigures,
  type InsightFigures,
  type OrdersCount,
  type OrdersCountRequest,
  type OrdersTimeline,
  type OrdersTimelineRequest,
  type SeriesQuery,
  VALUES_DEFAULT,
} from './analytics.model.ts'
import type { OrderFactCell } from './cells.queries.ts'
import type { Dimension } from './counting.queries.ts'
import { assertProductsExist, countByStatus, readFigures, seriesOf, sumAmounts, sumAmountsAsNumber, sumCounts } from './read-figures.ts'

const statusesExcept = (...statuses: readonly OrderStatus[]) => orderStatuses.filter((status) => !statuses.includes(status))
const NOT_CANCELLED = statusesExcept('cancelled')
const UNCONFIRMED: readonly OrderStatus[] = ['pending', 'unreachable', 'postponed']
const ENDED: readonly OrderStatus[] = ['delivered', 'returned', 'lost']

const countedOf = (cells: readonly OrderFactCell[]) => ({
  orders: sumCounts(cells, 'orders'),
  units: sumCounts(cells, 'units'),
  byStatus: countByStatus(cells),
})

/** Counts orders over time with their current statuses: of a store, or of those with a line of a product. */
export async function readOrdersTimeline(sql: Sql, store: Store, asked: OrdersTimelineRequest): Promise<OrdersTimeline> {
  const { productId = null, interval = 'day' } = asked
  if (productId !== null) await assertProductsExist(sql, store, [productId])
  const of = productId === null ? { dimension: 'store' as const } : { dimension: 'productId' as const, keys: [productId] }
  const figures = await readFigures(sql, store, { ...asked, ...of }, { byDay: true })
  const { timeZone, from, to } = figures
  return { productId, storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, countedOf) }
}

const DELIVERED: readonly OrderStatus[] = ['delivered']

function financesOf(cells: readonly OrderFactCell[]): FinancialFigures {
  const margin = sumAmounts(cells, 'kept') - sumAmounts(cells, 'keptDelivery') - sumAmounts(cells, 'cost')
  const notCancelled = (what: 'goods' | 'delivery' | 'discount' | 'total') => sumAmounts(cells, what, NOT_CANCELLED)
  const credit = notCancelled('goods') + notCancelled('delivery') - notCancelled('discount') - notCancelled('total')
  return {
    orders: sumCounts(cells, 'orders', NOT_CANCELLED),
    goods: sumAmountsAsNumber(cells, 'goods', NOT_CANCELLED),
    delivery: sumAmountsAsNumber(cells, 'delivery', NOT_CANCELLED),
    discount: sumAmountsAsNumber(cells, 'discount', NOT_CANCELLED),
    credit: decimalNumber(credit),
    total: sumAmountsAsNumber(cells, 'total', NOT_CANCELLED),
    paid: sumAmountsAsNumber(cells, 'paid', NOT_CANCELLED),
    delivered: sumAmountsAsNumber(cells, 'kept'),
    returned: sumAmountsAsNumber(cells, 'returned'),
    underWay: sumAmountsAsNumber(cells, 'toCome'),
    cost: sumAmountsAsNumber(cells, 'cost'),
    unitsWithoutCost: sumCounts(cells, 'unitsWithoutCost'),
    margin: decimalNumber(margin),
  }
}

/** Sums the amounts of a store's orders by the day of their creation. */
export async function readFinancialTimeline(sql: Sql, store: Store, asked: SeriesQuery) {
  const figures = await readFigures(sql, store, { ...asked, dimension: 'store' }, { byDay: true })
  const { timeZone, from, to } = figures
  const { interval = 'day' } = asked
  return { currencyCode: store.currencyCode, storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, financesOf) }
}

const dimensionOf: { readonly [F in CountableField]: Dimension } = {
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
export async function countOrdersByField(
  sql: Sql,
  store: Store,
  { field, limit = VALUES_DEFAULT, storeId: _, ...range }: OrdersCountRequest,
): Promise<OrdersCount> {
  const { timeZone, from, to, cells } = await readFigures(sql, store, { ...range, dimension: dimensionOf[field] }, { byDay: false })
  const values = [...Map.groupBy(cells, ({ key, status }) => (field === 'status' ? status : key))]
    .map(([value, within]) => ({ value: value || null, orders: sumCounts(within, 'orders'), byStatus: countByStatus(within) }))
    .sort((a, b) => b.orders - a.orders || (a.value ?? '').localeCompare(b.value ?? ''))
  // An order with several products counts once per product, so the total is counted over orders.
  const whole = field === 'productId' ? (await readFigures(sql, store, { ...range, dimension: 'store' }, { byDay: false })).cells : cells
  return {
    field,
    storeId: store.id,
    timeZone,
    from,
    to,
    total: sumCounts(whole, 'orders'),
    values: values.slice(0, limit),
    others: Math.max(0, values.length - limit),
  }
}

function insightOf(cells: readonly OrderFactCell[]): InsightFigures {
  const [confirmed, cancelled] = [sumCounts(cells, 'orders', CONFIRMED_STATUSES), sumCounts(cells, 'orders', ['cancelled'])]
  const [delivered, returned] = [sumCounts(cells, 'orders', DELIVERED), sumCounts(cells, 'orders', ['returned'])]
  return {
    assigned: sumCounts(cells, 'orders'),
    confirmed,
    cancelled,
    waiting: sumCounts(cells, 'orders', UNCONFIRMED),
    delivered,
    returned,
    confirmationRate: ratio(confirmed, confirmed + cancelled),
    deliveryRate: ratio(delivered, sumCounts(cells, 'orders', ENDED)),
    deliveredTotal: sumAmountsAsNumber(cells, 'kept'),
    byStatus: countByStatus(cells),
  }
}

/** Counts the results of the orders of each agent, most confirmed orders first. */
export async function readConfirmationInsights(
  sql: Sql,
  store: Store,
  { storeId: _, ...range }: ConfirmationInsightsRequest,
): Promise<ConfirmationInsights> {
  const figures = await readFigures(sql, store, { ...range, dimension: 'agent' }, { byDay: false })
  const { timeZone, from, to, cells } = figures
  const agents = [...Map.groupBy(cells, ({ key }) => key)]
    .map(([agentId, within]) => ({ agentId: agentId || null, ...insightOf(within) }))
    .sort((a, b) => b.confirmed - a.confirmed || (a.agentId ?? '').localeCompare(b.agentId ?? ''))
  return { storeId: store.id, timeZone, from, to, currencyCode: store.currencyCode, total: insightOf(cells), agents }
}
