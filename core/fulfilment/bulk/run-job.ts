import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { runAsActor } from '../../data/tenant-context.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import type { PriceSource } from '../dispatch/prices.ts'
import { endJob, findJob, type JobKey, startJob } from './jobs.queries.ts'
import { completeDocument } from './printing/documents.ts'
import { printSentOrders } from './printing/print-sent-orders.ts'
import { listWaitingJobRows, updateWaitingJobRows, type WaitingRow } from './rows.queries.ts'
import { findStoreOfJob } from './starter-rights.ts'
import { changeRows } from './steps/change-rows.ts'
import type { JobRun } from './steps/job-run.ts'
import { printRows } from './steps/print-rows.ts'
import { refusedWith } from './steps/row-failure.ts'
import { sendRows } from './steps/send-rows.ts'

/** Number of orders per step. Rights and a cancellation are looked at before each. */
const ROWS_PER_STEP = 50

const steps = { confirm: changeRows, cancel: changeRows, assign: changeRows, tag: changeRows, send: sendRows, print: printRows }

/**
 * Runs a job as the actor who started it, until each order has a result. Each result is stored with its change, so that a job goes on where
 * its process died. Does nothing for a job that is over.
 */
export async function runJob(context: Context, prices: PriceSource, key: JobKey, signal?: AbortSignal): Promise<void> {
  const { sql } = context
  if (!(await startJob(sql, key))) return
  const job = await findJob(sql, key.id)
  if (!job) return
  await runAsActor(job.madeBy, async () => {
    for (
      let rows = await listWaitingJobRows(sql, key, ROWS_PER_STEP);
      rows.length > 0;
      rows = await listWaitingJobRows(sql, key, ROWS_PER_STEP)
    ) {
      signal?.throwIfAborted()
      const store = await findStoreOfJob(sql, job)
      if (store instanceof DomainError) await updateWaitingJobRows(sql, key, refusedWith(store))
      else await runStep({ context, prices, job, store, signal }, rows)
    }
    if (job.action.type === 'print') await completeDocument(context, job, job.action.paper ?? 'a6', signal)
    const store = await findStoreOfJob(sql, job)
    await transaction(sql, async (tx) => {
      if (!(await endJob(tx, key, 'completed')) || store instanceof DomainError) return
      if (job.action.type === 'send') await printSentOrders(tx, store, job, job.action)
    })
  })
}

const runStep = (run: JobRun, rows: readonly WaitingRow[]): Promise<void> => steps[run.job.action.type](run, rows)
