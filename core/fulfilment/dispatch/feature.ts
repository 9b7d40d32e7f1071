import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteExpiredDispatches } from './delete-old-dispatches.ts'
import { countUndispatchedOrders } from './dispatch.queries.ts'
import { dispatchRoutes } from './dispatch.routes.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'dispatch.deleteExpired': Record<string, unknown>
  }
}

/** Choice of carriers for orders by the rules of a store. */
export default feature('dispatch', {
  routes: [dispatchRoutes],
  jobs: { 'dispatch.deleteExpired': { schedule: '59 3 * * *', work: (context, _, signal) => deleteExpiredDispatches(context, signal) } },
  attention: [
    {
      kind: 'orders_not_dispatched',
      meaning: 'Sales for which the rules found no carrier, or whose carrier refused: choose one by hand.',
      group: 'parcels',
      right: ['agent', 'orders:write'],
      count: countUndispatchedOrders,
    },
  ],
  personalData: [eraseBySearch({ table: 'dispatches', owner: 'order', key: ['id'], columns: { reason: 'text', tried: 'json' } })],
})
