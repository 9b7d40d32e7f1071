import { type Sql, transaction } from '../../data/sql.ts'
import { notFound } from '../../http/errors/errors.ts'
import { decimal, decimalNumber } from '../../lib/money/decimal.ts'
import type { OrderStatus } from '../../orders/statuses.ts'
import { findProducts } from '../../shop/catalog/products.queries.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { timeZoneOf } from '../../shop/stores/time-zone.ts'
import { daysOf } from '../product/range.ts'
import type { AskedSeries } from './analytics.model.ts'
import { type Asked, type Cell, listStale, lookOnce, readCounted, readOrders } from './cells.queries.ts'
import type { Dimension } from './counting.queries.ts'
import { runsOf, type Span, spansOf } from './days.ts'

/** Where a request says its range. */
type Where = '/query' | '/body'

/** What is read of a store's days. */
export interface Question extends AskedSeries {
  readonly at: Where
  readonly dimension: Dimension
  /** Of these values alone; all, if left out. */
  readonly keys?: readonly string[]
}

export interface Figures {
  readonly timeZone: string
  readonly from: string
  readonly to: string
  readonly spans: readonly Span[]
  readonly cells: readonly Cell[]
}

/** Reads what the orders of a range of days come to. Throws `invalid_request` where there is no such range. */
export async function readFigures(sql: Sql, store: Store, question: Question, byDay: boolean): Promise<Figures> {
  const { at, dimension, keys = null, interval = 'day' } = question
  const timeZone = timeZoneOf(store)
  const days = daysOf(question, timeZone, new Date(), at)
  const cells = await readCells(sql, { storeId: store.id, timeZone, dimension, keys, days }, byDay)
  return { timeZone, from: days[0] ?? '', to: days.at(-1) ?? '', spans: spansOf(days, interval), cells }
}

/** What was counted where that holds, the orders themselves where not, in one look. What both have of a value stands there twice. */
const readCells = (sql: Sql, asked: Asked, byDay: boolean): Promise<Cell[]> =>
  transaction(sql, async (tx) => {
    await lookOnce(tx)
    const stale = await listStale(tx, asked)
    const runs = runsOf(stale, asked.timeZone)
    const read = await Promise.all([
      readCounted(tx, asked, stale, byDay),
      ...runs.map((run) => {
        const within = stale.filter((day) => day >= run.from && day < run.until)
        return readOrders(tx, asked, run, within, byDay)
      }),
    ])
    return read.flat()
  })

/** A figure of all cells, and one of each interval. */
export function seriesOf<F extends object>({ spans, cells }: Figures, figuresOf: (cells: readonly Cell[], days: readonly string[]) => F) {
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

const among = (cells: readonly Cell[], statuses?: readonly OrderStatus[]) =>
  statuses === undefined ? cells : cells.filter(({ status }) => (statuses as readonly string[]).includes(status))

/** How many, of orders in these statuses; in all, if left out. */
export const countOf = (cells: readonly Cell[], what: Count, statuses?: readonly OrderStatus[]): number =>
  among(cells, statuses).reduce((sum, cell) => sum + Number(cell[what]), 0)

/** How much, exactly. */
export const amountOf = (cells: readonly Cell[], what: Amount, statuses?: readonly OrderStatus[]): bigint =>
  among(cells, statuses).reduce((sum, cell) => sum + decimal(cell[what]), 0n)

export const amountIn = (...asked: Parameters<typeof amountOf>): number => decimalNumber(amountOf(...asked))

/** Orders by status; those of which there are none are not there. */
export const byStatusOf = (cells: readonly Cell[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(cells, ({ status }) => status)].map(([status, within]) => [status, countOf(within, 'orders')]))

/** Throws `not_found` where the store does not have them all. */
export async function assertProducts(sql: Sql, store: Store, ids: readonly string[]) {
  const found = await findProducts(sql, store.id, ids)
  if (found.length < ids.length) throw notFound('The product')
}
