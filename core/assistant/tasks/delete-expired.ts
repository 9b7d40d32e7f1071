import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { removeFile } from '../../platform/files/files.ts'
import { forgetContents } from './tasks.queries.ts'

/** What was asked and answered is kept for so long after the end; what it cost is kept. */
export const KEPT_DAYS = 30
const AT_ONCE = 100

export async function forgetOld({ sql }: Context, signal: AbortSignal): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE && !signal.aborted; ) {
    forgotten = await transaction(sql, async (tx) => {
      const tasks = await forgetContents(tx, KEPT_DAYS, AT_ONCE)
      for (const { files } of tasks) for (const file of files) await removeFile(tx, file)
      return tasks.length
    })
  }
}
