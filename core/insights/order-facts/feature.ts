import { feature } from '../../feature.ts'
import { aggregateMarkedDays } from './aggregate-days.ts'
import { lorRoutes, orderAnalyticsRoutes } from './analytics.routes.ts'
import { countingTriggers } from './counting-triggers.ts'
import { markChangedDays } from './mark-days.ts'
import { deleteOldViews } from './views/count-views.ts'
import { viewRoutes } from './views/views.routes.ts'

/** Figures of a store's orders, counted by day, and of the views of its pages. */
export default feature('order-facts', {
  routes: [lorRoutes, orderAnalyticsRoutes, viewRoutes],
  subscribers: { 'orders.changed': (tx, { changes }) => markChangedDays(tx, changes) },
  triggers: countingTriggers,
  jobs: {
    'analytics.fold': { schedule: '* * * * *', work: (context, _, signal) => aggregateMarkedDays(context, signal) },
    'analytics.deleteOldViews': { schedule: '41 3 * * *', work: (context, _, signal) => deleteOldViews(context, signal) },
  },
})

declare module '../../data/jobs.ts' {
  interface Jobs {
    'analytics.fold': Record<string, never>
    'analytics.deleteOldViews': Record<string, never>
  }
}
