import { feature } from '../../feature.ts'
import { lor, orderAnalytics } from './analytics.routes.ts'
import { foldAll } from './fold.ts'

/** What the orders of a store come to, counted by day. */
export default feature('analytics', {
  routes: [lor, orderAnalytics],
  jobs: { 'analytics.fold': { at: '* * * * *', work: (context, _, signal) => foldAll(context, signal) } },
})

declare module '../../data/jobs.ts' {
  interface Jobs {
    'analytics.fold': Record<string, never>
  }
}
