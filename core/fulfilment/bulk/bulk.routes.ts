import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { actorOf, type Principal } from '../../http/auth/principal.ts'
import { type CreationRequest, createOnce, findPreviousResponse } from '../../http/idempotency.ts'
import { readList } from '../../http/resource/list.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List } from '../../http/schema.ts'
import { csvResponse, exportCsv, exportQuery } from '../../http/table/csv-export.ts'
import { storeItemMacro } from '../../shop/stores/authority.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { BulkJob, BulkJobRow, BulkRequest, jobList, jobRowList } from './bulk.model.ts'
import { cancelJob } from './cancel-job.ts'
import { createJob, prepareJob } from './create-job.ts'
import { jobColumns } from './job-columns.ts'
import { findJob, type JobRow, listJobsOf } from './jobs.queries.ts'
import { presentJob } from './present-job.ts'
import { listJobRows } from './rows.queries.ts'

const describe = tagOperations('Orders')
const ById = T.Object({ id: Id })

/** Routes of jobs that act on many orders in the background. */
export function bulkRoutes(context: Context) {
  const { sql } = context
  const readRows = (job: JobRow, query: Record<string, unknown>) =>
    readList(
      sql,
      jobRowList,
      query,
      (reader, { filter, page }) => listJobRows(reader, job, filter.status, page),
      ({ row }) => String(row),
    )
  const start = async (creation: CreationRequest & { caller: Principal; store: Store; body: BulkRequest }) => {
    const prepared = await prepareJob(context, creation.caller, creation.store, creation.body)
    return createOnce(context, creation, async (tx) => ({ data: await createJob(tx, creation.store, prepared, { isInline: false }) }))
  }
  return new Elysia({ name: 'order jobs', prefix: '/v1/orders/bulk' })
    .use(context.authority)
    .macro(
      'job',
      storeItemMacro(context, 'job', (id) => findJob(sql, id)),
    )
    .post(
      '',
      async (creation) => {
        const answer = (await findPreviousResponse<{ data: BulkJob }>(context, creation)) ?? (await start(creation))
        creation.set.status = 202
        return answer
      },
      {
        store: ['agent', 'orders:write'],
        body: BulkRequest,
        response: { 202: Data(BulkJob) },
        detail: {
          ...describe('Confirm, cancel, assign, send or print up to 10,000 orders in the background', 'startOrderJob'),
          description:
            'The filter is evaluated now. An order to confirm or cancel whose status somebody changed meanwhile is left as it is, with the error `conflict`. Before each 50 orders, the rights of the one who started the job are checked again. The jobs of a store run one after another; jobs that print wait for none of the others.',
        },
      },
    )
    .get(
      '',
      async ({ store, caller, query }) => {
        const { id } = actorOf(caller)
        const found = await readList(sql, jobList, query, (reader, { page }) => listJobsOf(reader, store.projectId, id, page))
        return { ...found, data: found.data.map(presentJob) }
      },
      {
        store: ['viewer', 'orders:read'],
        query: jobList.query,
        response: List(BulkJob),
        detail: describe('List the jobs on orders that you started, newest first', 'listOrderJobs'),
      },
    )
    .get('/:id', ({ job }) => ({ data: presentJob(job) }), {
      job: ['viewer', 'orders:read'],
      params: ById,
      response: Data(BulkJob),
      detail: describe('Read a job on orders, with its progress', 'readOrderJob'),
    })
    .get('/:id/rows', ({ job, query }) => readRows(job, query), {
      job: ['viewer', 'orders:read'],
      params: ById,
      query: jobRowList.query,
      response: List(BulkJobRow),
      detail: describe('List the orders of a job with the result of each', 'listOrderJobRows'),
    })
    .get(
      '/:id/rows/export.csv',
      ({ job, query, request }) =>
        exportCsv({ request, query, ownerId: job.storeId, name: 'orders' }, jobColumns, (asked) => readRows(job, asked)),
      {
        job: ['viewer', 'orders:read'],
        params: ById,
        query: exportQuery(jobRowList.query),
        detail: { ...describe('Export the orders of a job as CSV, such as those that failed', 'exportOrderJobRows'), ...csvResponse },
      },
    )
    .post('/:id/cancel', async ({ job }) => ({ data: await cancelJob(sql, job) }), {
      job: ['agent', 'orders:write'],
      params: ById,
      response: Data(BulkJob),
      detail: describe('Cancel a job: orders that it has not reached stay as they are', 'cancelOrderJob'),
    })
}
