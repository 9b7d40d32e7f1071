import type { Context } from '../../../context.ts'
import { listOpenBatches } from './batches.queries.ts'
import { completeIfDone } from './complete.ts'
import { requestRows } from './work.ts'

const OPEN_MAX = 500

/** Resumes batches without progress: a process died, or a callback or a user decided about their last row. */
export async function sweepBatches({ sql }: Context) {
  for (const { projectId, id, isWaiting } of await listOpenBatches(sql, OPEN_MAX)) {
    if (isWaiting) await requestRows(sql, projectId)
    else await completeIfDone(sql, projectId, id)
  }
}
