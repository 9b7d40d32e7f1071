import { Type as T, type TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readFromReplica } from '../../data/database/replica.ts'
import { withCustomPlan } from '../../data/keyset-page.ts'
import type { Tx } from '../../data/sql.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { Data, Id } from '../../http/schema.ts'
import { DayRange } from '../product/product-figures.model.ts'
import { readLeaderboard, readStatusCounts, readStoreChart, readStoreSummary } from './read-figures.ts'
import { ChartQuery, Leaderboard, StatusCounts, StatusCountsQuery, StoreChart, StoreSummary } from './store-figures.model.ts'

const routeOptions = <Q extends TSchema, R extends TSchema>(query: Q, answer: R, summary: string, operationId: string) => ({
  params: T.Object({ storeId: Id }),
  query,
  response: Data(answer),
  detail: { tags: ['Stores'], summary, operationId },
})

/** Routes of the figures of a store. */
export function storeFigureRoutes({ sql, authority }: Context) {
  const read = async <V>(work: (tx: Tx) => Promise<V>) => ({ data: await readFromReplica(sql, (from) => withCustomPlan(from, work)) })
  return new Elysia({ name: 'store figures', prefix: '/v1/stores/:storeId' })
    .use(authority)
    .get('/summary', ({ store, query }) => read((tx) => readStoreSummary(tx, store, query)), {
      store: ['viewer', sensitiveNeeds.readFigures],
      ...routeOptions(
        DayRange,
        StoreSummary,
        'Read the results of the orders of a range of days, and of the same number of days before',
        'readStoreSummary',
      ),
    })
    .get('/chart', ({ store, query }) => read((tx) => readStoreChart(tx, store, query)), {
      store: ['viewer', sensitiveNeeds.readFigures],
      ...routeOptions(ChartQuery, StoreChart, 'Read orders and revenue by day, week or month', 'readStoreChart'),
    })
    .get('/orders/status-counts', ({ store, query }) => read((tx) => readStatusCounts(tx, store, query)), {
      store: ['viewer', 'orders:read'],
      ...routeOptions(StatusCountsQuery, StatusCounts, 'Count orders by current status', 'readStatusCounts'),
    })
    .get('/leaderboard', ({ store, query }) => read((tx) => readLeaderboard(tx, store, query)), {
      store: ['agent', sensitiveNeeds.readFigures],
      ...routeOptions(DayRange, Leaderboard, 'Rank agents by confirmed orders, with the results of those orders', 'readLeaderboard'),
    })
}
