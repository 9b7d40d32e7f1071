import { expectOne, type Queryable } from '../../data/sql.ts'
import type { StoreDays } from '../../lib/days.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import type { DayRange } from '../product/product-figures.model.ts'
import { dayAfter, listDays } from '../product/range.ts'
import { CONFIRMED_STATUSES, ratio } from '../product/read-figures.ts'
import { readStatusRows } from './status-counts.queries.ts'
import {
  type ChartQuery,
  LEADERS_MAX,
  type Leaderboard,
  type StatusCounts,
  type StatusCountsQuery,
  type StoreChart,
  type StoreFigures,
  type StoreSummary,
} from './store-figures.model.ts'
import {
  type CountedRow,
  readChartRows,
  readLeaderRows,
  readStatusRowsOfDays,
  readSummaryRows,
  type SummaryRow,
} from './store-figures.queries.ts'

/** Statuses of orders whose money is still expected. */
const UNDERWAY: readonly OrderStatus[] = ['confirmed', 'sent', 'out_for_delivery']

function openRange(store: Store, range: DayRange) {
  const timeZone = timeZoneOf(store)
  const days = listDays(range, timeZone)
  const [from, to] = [expectOne(days), expectOne(days.slice(-1))]
  const period: StoreDays = { storeId: store.id, timeZone, from, until: dayAfter(to) }
  return { days, period, heading: { timeZone, from, to } }
}

const daysBefore = (day: string, count: number) => new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10)

/** Reads the results of the orders of a range of days, and of the same number of days before. */
export async function readStoreSummary(sql: Queryable, store: Store, range: DayRange): Promise<StoreSummary> {
  const { days, period, heading } = openRange(store, range)
  const whole = { ...period, from: daysBefore(period.from, days.length) }
  const rows = await readSummaryRows(sql, whole, period.from, CONFIRMED_STATUSES, UNDERWAY)
  const [now, before] = [rows.find((row) => !row.isBefore), rows.find((row) => row.isBefore)]
  const { member = 0, api = 0, storefront = 0, connector = 0 } = now ?? {}
  return {
    currencyCode: store.currencyCode,
    ...heading,
    total: figuresOf(now),
    before: figuresOf(before),
    bySource: { member, api, storefront, connector },
  }
}

const NO_ORDERS = { orders: 0, confirmed: 0, delivered: 0, returned: 0, cancelled: 0, revenue: '0' }

function figuresOf(row: SummaryRow | undefined): StoreFigures {
  const { lost = 0, expected = '0', averageOrder = null } = row ?? {}
  const counts = countsOf(row ?? NO_ORDERS)
  const { orders, confirmed, delivered, returned, cancelled } = counts
  const settled = delivered + returned + lost
  return {
    ...counts,
    expected: Number(expected),
    averageOrder: averageOrder === null ? null : Number(averageOrder),
    confirmationRate: ratio(confirmed, orders),
    deliveryRate: ratio(delivered, settled),
    returnRate: ratio(returned, settled),
    cancellationRate: ratio(cancelled, orders),
  }
}

const countsOf = ({ orders, confirmed, delivered, returned, cancelled, revenue }: CountedRow) => ({
  orders,
  confirmed,
  delivered,
  returned,
  cancelled,
  revenue: decimalNumber(decimal(revenue)),
})

/** Reads the orders of a range by the day, week or month of their creation. */
export async function readStoreChart(sql: Queryable, store: Store, { by = 'day', ...range }: ChartQuery): Promise<StoreChart> {
  const { days, period, heading } = openRange(store, range)
  const rows = new Map((await readChartRows(sql, period, by, CONFIRMED_STATUSES)).map((row) => [row.day, row]))
  const points = [...new Set(days.map((day) => startOfStep[by](day)))].map((day) => ({ day, ...countsOf(rows.get(day) ?? NO_ORDERS) }))
  return { currencyCode: store.currencyCode, ...heading, by, points }
}

const startOfStep: Readonly<Record<StoreChart['by'], (day: string) => string>> = {
  day: (day) => day,
  week: (day) => daysBefore(day, (new Date(day).getUTCDay() + 6) % 7),
  month: (day) => `${day.slice(0, 7)}-01`,
}

/** Counts the orders in each current status: all of the store, or those created in a range of days. */
export async function readStatusCounts(sql: Queryable, store: Store, range: StatusCountsQuery): Promise<StatusCounts> {
  const isAll = range.from === undefined && range.to === undefined
  const rows = await (isAll ? readStatusRows(sql, store.id) : readStatusRowsOfDays(sql, openRange(store, range).period))
  const found = new Map(rows.map(({ status, orders }) => [status, orders]))
  return {
    total: rows.reduce((sum, { orders }) => sum + orders, 0),
    byStatus: Object.fromEntries(orderStatuses.map((status) => [status, found.get(status) ?? 0])),
  }
}

/** Ranks agents by the orders that they confirmed in a range of days, with the results of those orders. */
export async function readLeaderboard(sql: Queryable, store: Store, range: DayRange): Promise<Leaderboard> {
  const { period, heading } = openRange(store, range)
  const rows = await readLeaderRows(sql, period, LEADERS_MAX)
  const agents = rows.map(({ lost, revenue, ...row }, at) => ({
    rank: at + 1,
    ...row,
    confirmationRate: ratio(row.confirmed, row.handled),
    deliveryRate: ratio(row.delivered, row.delivered + row.returned + lost),
    revenue: decimalNumber(decimal(revenue)),
  }))
  return { currencyCode: store.currencyCode, ...heading, agents }
}
