import { type Sql, transaction } from '../../data/sql.ts'
import { invariant } from '../../lib/invariant.ts'
import { recordAudit } from '../../platform/audit/record-audit.ts'
import type { BulkJob } from './bulk.model.ts'
import { endJob, findJob, type JobRow } from './jobs.queries.ts'
import { presentJob } from './present-job.ts'
import { updateWaitingJobRows } from './rows.queries.ts'

/** Cancels a job: orders that it has not reached are left as they are. Does nothing for a job that is over. */
export async function cancelJob(sql: Sql, job: JobRow): Promise<BulkJob> {
  await transaction(sql, async (tx) => {
    if (!(await endJob(tx, job, 'cancelled'))) return
    await updateWaitingJobRows(tx, job, { status: 'cancelled' })
    await recordAudit(tx, { storeId: job.storeId }, { what: 'orders.job_cancelled', thing: job.id, after: { type: job.action.type } })
  })
  return presentJob(invariant(await findJob(sql, job.id), 'A job that was cancelled'))
}
