import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { deleteFileWithBytes } from '../../platform/files/files.ts'
import { deleteTaskContents } from './tasks.queries.ts'

/** Days for which the input and the result of a task are stored after its end. The costs are never deleted. */
const RETENTION_DAYS = 30
const BATCH = 100

/** Deletes inputs, results and files of tasks that ended long ago, in batches, until none is left or the signal aborts. */
export async function deleteExpiredTaskContents({ sql }: Context, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted; ) {
    deleted = await transaction(sql, async (tx) => {
      const tasks = await deleteTaskContents(tx, RETENTION_DAYS, BATCH)
      for (const { projectId, files } of tasks) for (const id of files) await deleteFileWithBytes(tx, { projectId, id })
      return tasks.length
    })
  }
}
