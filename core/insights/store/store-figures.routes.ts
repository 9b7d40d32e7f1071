import { Type as T, type TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readFromReplica } from '../../data/database/replica.ts'
import { withCustomPlan } from '../../data/keyset-page.ts'
import type { Tx } from '../../data/sql.ts'
import { Data, Id } from '../../http/schema.ts'
import { Range } from '../product/product-figures.model.ts'
import { readChart, readLeaderboard, readStatusCounts, readSummary } from './read-figures.ts'
import { ChartQuery, CountsQuery, Leaderboard, StatusCounts, StoreChart, StoreSummary } from './store-figures.model.ts'

const asked = <Q extends TSchema, R extends TSchema>(query: Q, answer: R, summary: string, operationId: string) => ({
  params: T.Object({ storeId: Id }),
  query,
  response: Data(answer),
  detail: { tags: ['Stores'], summary, operationId },
})

/** How a store does. */
export function storeFigures({ sql, authority }: Context) {
  const read = async <V>(work: (tx: Tx) => Promise<V>) => ({ data: await readFromReplica(sql, (from) => withCustomPlan(from, work)) })
  return new Elysia({ name: 'store figures', prefix: '/v1/stores/:storeId' })
    .use(authority)
    .get('/summary', ({ store, query }) => read((tx) => readSummary(tx, store, query)), {
      store: ['viewer', 'orders:read'],
      ...asked(Range, StoreSummary, 'What became of the orders of some days, beside as many days before', 'readStoreSummary'),
    })
    .get('/chart', ({ store, query }) => read((tx) => readChart(tx, store, query)), {
      store: ['viewer', 'orders:read'],
      ...asked(ChartQuery, StoreChart, 'Orders and money by day, week or month', 'readStoreChart'),
    })
    .get('/orders/status-counts', ({ store, query }) => read((tx) => readStatusCounts(tx, store, query)), {
      store: ['viewer', 'orders:read'],
      ...asked(CountsQuery, StatusCounts, 'How many orders are in each status now', 'readStatusCounts'),
    })
    .get('/leaderboard', ({ store, query }) => read((tx) => readLeaderboard(tx, store, query)), {
      store: ['agent', 'orders:read'],
      ...asked(Range, Leaderboard, 'Who confirmed how many orders, and what came of them', 'readLeaderboard'),
    })
}
