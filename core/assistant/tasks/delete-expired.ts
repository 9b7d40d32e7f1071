import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { removeFile } from '../../platform/files/files.ts'
import { forgetContents } from './tasks.queries.ts'

/** Days for which the input and the result of a task are stored after its end. The costs are never deleted. */
export const KEPT_DAYS = 30
const BATCH = 100

/** Deletes inputs, results and files of tasks that ended long ago, in batches, until none is left or the signal aborts. */
export async function forgetOld({ sql }: Context, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted; ) {
    deleted = await transaction(sql, async (tx) => {
      const tasks = await forgetContents(tx, KEPT_DAYS, BATCH)
      for (const { files } of tasks) for (const file of files) await removeFile(tx, file)
      return tasks.length
    })
  }
}
