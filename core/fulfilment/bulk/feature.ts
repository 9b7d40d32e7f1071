import type { Context } from '../../context.ts'
import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { openPriceSource, type PriceSource } from '../dispatch/prices.ts'
import { bulkRoutes } from './bulk.routes.ts'
import { deleteJobsOlderThan } from './jobs.queries.ts'
import { deleteDocumentsOfOrders, deleteDocumentsOlderThan } from './printing/documents.queries.ts'
import { orderLabelRoutes } from './printing/labels.routes.ts'
import { runJob } from './run-job.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'orders.deleteOldJobs': Record<string, unknown>
  }
}

const KEPT_DAYS = 30
const DOCUMENT_HOURS = 24

const sources = new WeakMap<Context['sql'], PriceSource>()
/** Returns the source of prices of a process, which caches what carriers answered. */
function pricesOf(context: Context): PriceSource {
  const prices = sources.get(context.sql) ?? openPriceSource(context)
  sources.set(context.sql, prices)
  return prices
}

/** Actions on many orders in the background, and documents of their labels. */
export default feature('bulk', {
  routes: [bulkRoutes, (context) => orderLabelRoutes(context, pricesOf(context))],
  jobs: {
    'orders.bulk': { work: (context, { projectId, jobId: id }, signal) => runJob(context, pricesOf(context), { projectId, id }, signal) },
    'orders.deleteOldJobs': {
      schedule: '13 * * * *',
      async work({ sql }) {
        await deleteDocumentsOlderThan(sql, DOCUMENT_HOURS)
        await deleteJobsOlderThan(sql, KEPT_DAYS)
      },
    },
  },
  personalData: [
    {
      table: 'order_job_files',
      async erase({ sql }, { projectId, orderIds }) {
        await deleteDocumentsOfOrders(sql, projectId, orderIds)
        return null
      },
    },
    eraseBySearch({ table: 'order_job_rows', owner: 'order', key: ['job_id', 'row:integer'], columns: { error: 'json' } }),
    eraseBySearch({ table: 'order_jobs', owner: 'project', key: ['id'], columns: { action: 'json' }, created: 'created_at' }),
  ],
})
