import type { Sql } from '../../data/sql.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { type OrderStatus, orderStatuses } from '../orders/statuses.ts'
import { CONFIRMED, rate } from '../product-figures/read-figures.ts'
import type { AskedSeries, LorFigures, StoreLor } from './analytics.model.ts'
import type { Cell } from './cells.queries.ts'
import { assertProducts, countOf, type Figures, readFigures, seriesOf } from './read.ts'

const STANDING = orderStatuses.filter((status) => status !== 'cancelled')
/** Their parcel came to an end. */
const SETTLED: readonly OrderStatus[] = ['delivered', 'returned', 'lost']

/** From leads to what was delivered of them. */
function lorOf(cells: readonly Cell[]): LorFigures {
  const [leads, orders, confirmed] = [countOf(cells, 'orders'), countOf(cells, 'orders', STANDING), countOf(cells, 'orders', CONFIRMED)]
  const [delivered, returned] = [countOf(cells, 'orders', ['delivered']), countOf(cells, 'orders', ['returned'])]
  const settled = countOf(cells, 'orders', SETTLED)
  return {
    views: null,
    leads,
    orders,
    confirmed,
    delivered,
    returned,
    leadToOrderRate: rate(orders, leads),
    confirmationRate: rate(confirmed, leads),
    deliveryRate: rate(delivered, settled),
    returnRate: rate(returned, settled),
  }
}

const answer = (store: Store, figures: Figures, { interval = 'day' }: AskedSeries): StoreLor => {
  const { timeZone, from, to } = figures
  return { storeId: store.id, timeZone, from, to, interval, ...seriesOf(figures, lorOf) }
}

/** Of all orders of a store. */
export const lorOfStore = async (sql: Sql, store: Store, asked: AskedSeries, at: '/query' | '/body'): Promise<StoreLor> =>
  answer(store, await readFigures(sql, store, { ...asked, at, dimension: 'store' }, true), asked)

/** Of several stores, each in its own time zone; one after another, so that nobody takes all connections. */
export async function lorOfStores(sql: Sql, stores: readonly Store[], asked: AskedSeries) {
  const all: StoreLor[] = []
  for (const store of stores) all.push(await lorOfStore(sql, store, asked, '/body'))
  return all
}

/** Of the orders that have a line of the product, in the order of the ids. Throws `not_found`. */
export async function lorOfProducts(sql: Sql, store: Store, ids: readonly string[], asked: AskedSeries, at: '/query' | '/body') {
  await assertProducts(sql, store, ids)
  const figures = await readFigures(sql, store, { ...asked, at, dimension: 'productId', keys: ids }, true)
  const ofProduct = Map.groupBy(figures.cells, ({ key }) => key)
  return ids.map((productId) => ({ productId, ...answer(store, { ...figures, cells: ofProduct.get(productId) ?? [] }, asked) }))
}

/** Of the orders that say in their metadata which landing page they came from. What no order names has none. */
export async function lorOfLandingPage(sql: Sql, store: Store, landingPageId: string, asked: AskedSeries) {
  const figures = await readFigures(sql, store, { ...asked, at: '/query', dimension: 'landingPageId', keys: [landingPageId] }, true)
  return { landingPageId, ...answer(store, figures, asked) }
}
