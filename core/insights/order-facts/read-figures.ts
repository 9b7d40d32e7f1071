import { type Sql, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { OrderStatus } from '../../orders/statuses.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import { listDays } from '../product/range.ts'
import type { SeriesQuery } from './analytics.model.ts'
import { type CellsQuery, countOrdersNow, listUncountedDays, type OrderFactCell, readCountedCells, useSnapshot } from './cells.queries.ts'
import type { Dimension } from './counting.queries.ts'
import { dayRunsOf, type IntervalSpan, intervalSpansOf } from './days.ts'

/** Query for the figures of a store over a range of days. */
export interface FiguresQuery extends SeriesQuery {
  readonly dimension: Dimension
  /** Values to read; all when omitted. */
  readonly keys?: readonly string[]
}

/** Cells of a range of days, with its intervals. */
export interface RangeFigures {
  readonly timeZone: string
  readonly from: string
  readonly to: string
  readonly spans: readonly IntervalSpan[]
  readonly cells: readonly OrderFactCell[]
}

/** Reads the figures of a range of days. Throws `invalid_request` for an invalid range. */
export async function readFigures(
  sql: Sql,
  store: Store,
  query: FiguresQuery,
  { byDay }: { readonly byDay: boolean },
): Promise<RangeFigures> {
  const { dimension, keys = null, interval = 'day' } = query
  const timeZone = timeZoneOf(store)
  const days = listDays(query, timeZone)
  const cells = await readCells(sql, { projectId: store.projectId, timeZone, dimension, keys, days }, { byDay })
  return { timeZone, from: days[0] ?? '', to: days.at(-1) ?? '', spans: intervalSpansOf(days, interval), cells }
}

/**
 * Reads stored cells where they are up to date, and computes the others from the orders, in one snapshot. A value may occur in several
 * cells.
 */
const readCells = (sql: Sql, asked: CellsQuery, { byDay }: { readonly byDay: boolean }): Promise<OrderFactCell[]> =>
  transaction(sql, async (tx) => {
    await useSnapshot(tx)
    const stale = await listUncountedDays(tx, asked)
    const runs = dayRunsOf(stale, asked.timeZone)
    const read = await Promise.all([
      readCountedCells(tx, asked, stale, { byDay }),
      ...runs.map((run) => {
        const within = stale.filter((day) => day >= run.from && day < run.until)
        return countOrdersNow(tx, asked, run, within, { byDay })
      }),
    ])
    return read.flat()
  })

/** Computes a figure over all cells, and one for each interval. */
export function seriesOf<F extends object>(
  { spans, cells }: RangeFigures,
  figuresOf: (cells: readonly OrderFactCell[], days: readonly string[]) => F,
) {
  const ofDay = Map.groupBy(cells, ({ day }) => day)
  const series = spans.map(({ from, to, days }) => ({
    from,
    to,
    ...figuresOf(
      days.flatMap((day) => ofDay.get(day) ?? []),
      days,
    ),
  }))
  const all = spans.flatMap(({ days }) => days)
  return { total: figuresOf(cells, all), series }
}

type Count = 'orders' | 'units' | 'unitsWithoutCost' | 'exchanges'
type Amount = 'goods' | 'delivery' | 'discount' | 'total' | 'paid' | 'cost' | 'kept' | 'keptDelivery' | 'returned' | 'toCome'

const filterByStatus = (cells: readonly OrderFactCell[], statuses?: readonly OrderStatus[]) =>
  statuses === undefined ? cells : cells.filter(({ status }) => (statuses as readonly string[]).includes(status))

/** Sums a count over the cells in these statuses; over all cells by default. */
export const sumCounts = (cells: readonly OrderFactCell[], what: Count, statuses?: readonly OrderStatus[]): number =>
  filterByStatus(cells, statuses).reduce((sum, cell) => sum + Number(cell[what]), 0)

/** Sums an amount over the cells in these statuses, as an exact decimal; over all cells by default. */
export const sumAmounts = (cells: readonly OrderFactCell[], what: Amount, statuses?: readonly OrderStatus[]): bigint =>
  filterByStatus(cells, statuses).reduce((sum, cell) => sum + decimal(cell[what]), 0n)

/** Sums an amount like {@link sumAmounts}, as a number. */
export const sumAmountsAsNumber = (...asked: Parameters<typeof sumAmounts>): number => decimalNumber(sumAmounts(...asked))

/** Counts orders by status, without statuses that have no orders. */
export const countByStatus = (cells: readonly OrderFactCell[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(cells, ({ status }) => status)].map(([status, within]) => [status, sumCounts(within, 'orders')]))

/** Throws `not_found` when the store lacks one of the products. */
export async function assertProductsExist(sql: Sql, store: Store, ids: readonly string[]) {
  const found = await findProducts(sql, store.projectId, ids)
  if (found.length < ids.length) throw notFound('The product')
}
