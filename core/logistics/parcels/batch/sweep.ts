import type { Context } from '../../../context.ts'
import { listOpenBatches } from './batches.queries.ts'
import { completeBatchIfDone } from './complete.ts'
import { enqueueBatches } from './process-batches.ts'

const OPEN_MAX = 500

/** Resumes batches without progress: a process died, or a callback or a user decided about their last row. */
export async function sweepBatches({ sql }: Context) {
  for (const { projectId, id, isWaiting } of await listOpenBatches(sql, OPEN_MAX)) {
    if (isWaiting) await enqueueBatches(sql, projectId)
    else await completeBatchIfDone(sql, projectId, id)
  }
}
