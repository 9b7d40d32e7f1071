import { feature } from '../../feature.ts'
import { countStatuses, statusCountCheck } from './count-statuses.ts'
import { storeFigureRoutes } from './store-figures.routes.ts'

/** Figures of stores. */
export default feature('store-figures', {
  routes: [storeFigureRoutes],
  subscribers: { 'orders.changed': (tx, { changes }) => countStatuses(tx, changes) },
  checks: [statusCountCheck],
})
