import type { Tx } from '../../../data/sql.ts'
import type { Store } from '../../../shop/stores/stores.model.ts'
import { type BulkAction, JOB_IDS_MAX } from '../bulk.model.ts'
import { createJob } from '../create-job.ts'
import type { JobRow } from '../jobs.queries.ts'
import { listSentRows } from '../rows.queries.ts'

/**
 * Creates the jobs that print the labels of what a job has sent, if its action asks for them: one for each 500 orders, in the transaction
 * that ends the job.
 */
export async function printSentOrders(tx: Tx, store: Store, job: JobRow, { print }: Extract<BulkAction, { type: 'send' }>): Promise<void> {
  if (print === undefined) return
  const sent = await listSentRows(tx, job)
  for (let at = 0; at < sent.length; at += JOB_IDS_MAX) {
    const rows = sent.slice(at, at + JOB_IDS_MAX).map((order, place) => ({ ...order, row: place + 1, userId: null }))
    await createJob(tx, store, { action: { type: 'print', ...print }, rows, grantId: job.grantId }, { isInline: false, isFollowUp: true })
  }
}
