import type { Sql } from '../../data/sql.ts'
import { type OrderStatus, orderStatuses } from '../../orders/statuses.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { dayAfter } from '../product/range.ts'
import { CONFIRMED, rate } from '../product/read-figures.ts'
import type { AskedSeries, LorFigures, StoreLor } from './analytics.model.ts'
import type { Cell } from './cells.queries.ts'
import { assertProducts, countOf, type Figures, readFigures, seriesOf } from './read.ts'
import { readViews } from './views.queries.ts'

const STANDING = orderStatuses.filter((status) => status !== 'cancelled')
/** Their parcel came to an end. */
const SETTLED: readonly OrderStatus[] = ['delivered', 'returned', 'lost']

/** From views to what was delivered of the leads that came of them. */
function lorOf(cells: readonly Cell[], views: number): LorFigures {
  // What is sent in exchange for goods of another order is no lead of its own.
  const count = (statuses?: readonly OrderStatus[]) => countOf(cells, 'orders', statuses) - countOf(cells, 'exchanges', statuses)
  const [leads, orders, confirmed] = [count(), count(STANDING), count(CONFIRMED)]
  const [delivered, returned, settled] = [count(['delivered']), count(['returned']), count(SETTLED)]
  return {
    views,
    leads,
    orders,
    confirmed,
    delivered,
    returned,
    viewToLeadRate: rate(leads, views),
    leadToOrderRate: rate(orders, leads),
    confirmationRate: rate(confirmed, leads),
    deliveryRate: rate(delivered, settled),
    returnRate: rate(returned, settled),
  }
}

type Views = readonly { readonly day: string; readonly key: string; readonly views: number }[]

const answer = (store: Store, figures: Figures, views: Views, { interval = 'day' }: AskedSeries): StoreLor => {
  const { timeZone, from, to } = figures
  const ofDay = new Map(views.map(({ day, views }) => [day, views]))
  const viewsOf = (days: Iterable<string>) => [...days].reduce((sum, day) => sum + (ofDay.get(day) ?? 0), 0)
  const figuresOf = (cells: readonly Cell[], days: Iterable<string>) => lorOf(cells, viewsOf(days))
  return { storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, figuresOf) }
}

type Asking = AskedSeries & {
  readonly at: '/query' | '/body'
  readonly dimension: 'store' | 'productId' | 'landingPageId'
  readonly keys?: readonly string[]
}

/** What the orders of a range came to, and what was looked at meanwhile, by value. */
async function readLor(sql: Sql, store: Store, asking: Asking) {
  const figures = await readFigures(sql, store, asking, true)
  const { timeZone, from, to } = figures
  const { dimension, keys = null } = asking
  const views = await readViews(sql, store.id, { dimension, keys, timeZone, from, until: dayAfter(to) })
  const [cellsOf, viewsOf] = [Map.groupBy(figures.cells, ({ key }) => key), Map.groupBy(views, ({ key }) => key)]
  return (key: string) => answer(store, { ...figures, cells: cellsOf.get(key) ?? [] }, viewsOf.get(key) ?? [], asking)
}

/** Of all orders of a store. */
export const lorOfStore = async (sql: Sql, store: Store, asked: AskedSeries, at: '/query' | '/body'): Promise<StoreLor> =>
  (await readLor(sql, store, { ...asked, at, dimension: 'store' }))('')

/** Of several stores, each in its own time zone; one after another, so that nobody takes all connections. */
export async function lorOfStores(sql: Sql, stores: readonly Store[], asked: AskedSeries) {
  const all: StoreLor[] = []
  for (const store of stores) all.push(await lorOfStore(sql, store, asked, '/body'))
  return all
}

/** Of the orders that have a line of the product, in the order of the ids. Throws `not_found`. */
export async function lorOfProducts(sql: Sql, store: Store, ids: readonly string[], asked: AskedSeries, at: '/query' | '/body') {
  await assertProducts(sql, store, ids)
  const lor = await readLor(sql, store, { ...asked, at, dimension: 'productId', keys: ids })
  return ids.map((productId) => ({ productId, ...lor(productId) }))
}

/** Of the orders that say in their metadata which landing page they came from. What no order names has none. */
export async function lorOfLandingPage(sql: Sql, store: Store, landingPageId: string, asked: AskedSeries) {
  const lor = await readLor(sql, store, { ...asked, at: '/query', dimension: 'landingPageId', keys: [landingPageId] })
  return { landingPageId, ...lor(landingPageId) }
}
