import { feature } from '../../feature.ts'
import { deleteJobsOf, forgetJobs } from './landing.queries.ts'
import { landing } from './landing.routes.ts'
import { makeLanding } from './make.ts'

const KEPT_DAYS = 90

/** Pages and templates for products, made by models. */
export default feature('landing', {
  routes: [landing],
  jobs: {
    'landing.make': { work: (context, { jobId }, signal) => makeLanding(context, jobId, signal) },
    'landing.forget': { at: '37 3 * * *', work: async ({ sql }) => void (await forgetJobs(sql, KEPT_DAYS)) },
  },
  follows: { 'store.leaving': async (tx, { store }) => void (await deleteJobsOf(tx, store.id)) },
})
