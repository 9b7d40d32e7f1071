import { feature } from '../../feature.ts'
import { lor, orderAnalytics } from './analytics.routes.ts'
import { forgetOld } from './count-views.ts'
import { countingTriggers } from './counting-triggers.ts'
import { foldAll } from './fold.ts'
import { views } from './views.routes.ts'

/** What the orders of a store come to, counted by day, and what its visitors looked at. */
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
