import type { Sql } from '../../data/sql.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { dayAfter } from '../product/range.ts'
import { CONFIRMED_STATUSES, ratio } from '../product/read-figures.ts'
import type { LorFigures, SeriesQuery, StoreLor } from './analytics.model.ts'
import type { OrderFactCell } from './cells.queries.ts'
import { assertProductsExist, type RangeFigures, readFigures, seriesOf, sumCounts } from './read-figures.ts'
import { readViews } from './views/views.queries.ts'

const NOT_CANCELLED = orderStatuses.filter((status) => status !== 'cancelled')
/** Statuses of orders whose parcel has ended. */
const ENDED: readonly OrderStatus[] = ['delivered', 'returned', 'lost']

/** Figures from views to delivered orders. */
function lorOf(cells: readonly OrderFactCell[], views: number): LorFigures {
  // Exchange orders are not leads of their own.
  const count = (statuses?: readonly OrderStatus[]) => sumCounts(cells, 'orders', statuses) - sumCounts(cells, 'exchanges', statuses)
  const [leads, orders, confirmed] = [count(), count(NOT_CANCELLED), count(CONFIRMED_STATUSES)]
  const [delivered, returned, settled] = [count(['delivered']), count(['returned']), count(ENDED)]
  return {
    views,
    leads,
    orders,
    confirmed,
    delivered,
    returned,
    viewToLeadRate: ratio(leads, views),
    leadToOrderRate: ratio(orders, leads),
    confirmationRate: ratio(confirmed, leads),
    deliveryRate: ratio(delivered, settled),
    returnRate: ratio(returned, settled),
  }
}

type Views = readonly { readonly day: string; readonly key: string; readonly views: number }[]

const presentLor = (store: Store, figures: RangeFigures, views: Views, { interval = 'day' }: SeriesQuery): StoreLor => {
  const { timeZone, from, to } = figures
  const ofDay = new Map(views.map(({ day, views }) => [day, views]))
  const viewsOf = (days: Iterable<string>) => [...days].reduce((sum, day) => sum + (ofDay.get(day) ?? 0), 0)
  const figuresOf = (cells: readonly OrderFactCell[], days: Iterable<string>) => lorOf(cells, viewsOf(days))
  return { storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, figuresOf) }
}

type LorQuery = SeriesQuery & {
  readonly dimension: 'store' | 'productId' | 'landingPageId'
  readonly keys?: readonly string[]
}

/** Reads orders and views of a range. Returns a function that presents the figures of one value. */
async function readLor(sql: Sql, store: Store, query: LorQuery) {
  const figures = await readFigures(sql, store, query, { byDay: true })
  const { timeZone, from, to } = figures
  const { dimension, keys = null } = query
  const views = await readViews(sql, store.projectId, { dimension, keys, timeZone, from, until: dayAfter(to) })
  const [cellsOf, viewsOf] = [Map.groupBy(figures.cells, ({ key }) => key), Map.groupBy(views, ({ key }) => key)]
  return (key: string) => presentLor(store, { ...figures, cells: cellsOf.get(key) ?? [] }, viewsOf.get(key) ?? [], query)
}

/** Reads the lead-to-order rates of all orders of a store. */
export const readStoreLor = async (sql: Sql, store: Store, asked: SeriesQuery): Promise<StoreLor> =>
  (await readLor(sql, store, { ...asked, dimension: 'store' }))('')

/**
 * Reads the lead-to-order rates of several stores, each in its own time zone. One after another, to leave connections for other requests.
 */
export async function readStoresLor(sql: Sql, stores: readonly Store[], asked: SeriesQuery) {
  const all: StoreLor[] = []
  for (const store of stores) all.push(await readStoreLor(sql, store, asked))
  return all
}

/** Reads the lead-to-order rates of orders with a line of each product, in the order of the ids. Throws `not_found`. */
export async function readProductsLor(sql: Sql, store: Store, ids: readonly string[], asked: SeriesQuery) {
  await assertProductsExist(sql, store, ids)
  const lor = await readLor(sql, store, { ...asked, dimension: 'productId', keys: ids })
  return ids.map((productId) => ({ productId, ...lor(productId) }))
}

/** Reads the lead-to-order rates of orders with this landing page in their metadata. Without such orders, all figures are 0. */
export async function readLandingPageLor(sql: Sql, store: Store, landingPageId: string, asked: SeriesQuery) {
  const lor = await readLor(sql, store, { ...asked, dimension: 'landingPageId', keys: [landingPageId] })
  return { landingPageId, ...lor(landingPageId) }
}
