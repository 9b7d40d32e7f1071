import { searched } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { deleteJobsOf, endStale, forgetJobs } from './landing.queries.ts'
import { landing } from './landing.routes.ts'
import { makeLanding } from './make.ts'

const KEPT_DAYS = 90
/** Nothing that is made takes so long. */
const STALE_HOURS = 2
const BROKE_OFF = 'It was begun and broke off. Ask for it again.'

/** Pages and templates for products, made by models. */
export default feature('landing', {
  routes: [landing],
  jobs: {
    'landing.make': { work: (context, { jobId }, signal) => makeLanding(context, jobId, signal) },
    'landing.sweep': { at: '*/10 * * * *', work: async ({ sql }) => void (await endStale(sql, STALE_HOURS, BROKE_OFF)) },
    'landing.forget': { at: '37 3 * * *', work: async ({ sql }) => void (await forgetJobs(sql, KEPT_DAYS)) },
  },
  subscribers: { 'store.leaving': async (tx, { store }) => void (await deleteJobsOf(tx, store.id)) },
  personalData: [
    searched({
      table: 'landing_jobs',
      owner: 'store',
      key: ['id'],
      columns: { asked: 'json', data: 'json', failure: 'text' },
      created: 'created_at',
    }),
  ],
})
