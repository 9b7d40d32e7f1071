import type { Context } from '../../context.ts'
import { deleteOldDispatches } from './dispatch.queries.ts'

/** Days after which dispatches are deleted. Shares need 30 days; users ask for reasons within months. */
const RETENTION_DAYS = 180
const AT_ONCE = 1_000

/** Deletes old dispatches in batches. Work of the job `dispatch.deleteExpired`. */
export async function deleteExpiredDispatches({ sql }: Pick<Context, 'sql'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldDispatches(sql, RETENTION_DAYS, AT_ONCE)) === AT_ONCE);
}
