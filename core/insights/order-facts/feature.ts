import { feature } from '../../feature.ts'
import { lor, orderAnalytics } from './analytics.routes.ts'
import { forgetOld } from './count-views.ts'
import { countingTriggers } from './counting-triggers.ts'
import { foldAll } from './fold.ts'
import { views } from './views.routes.ts'

/** Figures of a store's orders, counted by day, and of the views of its pages. */
export default feature('analytics', {
  routes: [lor, orderAnalytics, views],
  triggers: countingTriggers,
  jobs: {
    'analytics.fold': { schedule: '* * * * *', work: (context, _, signal) => foldAll(context, signal) },
    'analytics.forgetViews': { schedule: '41 3 * * *', work: (context, _, signal) => forgetOld(context, signal) },
  },
})

declare module '../../data/jobs.ts' {
  interface Jobs {
    'analytics.fold': Record<string, never>
    'analytics.forgetViews': Record<string, never>
  }
}
