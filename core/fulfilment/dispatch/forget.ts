import type { Context } from '../../context.ts'
import { deleteOldDispatches } from './dispatch.queries.ts'

/** Shares are counted over thirty days; who asks why an order went where it did asks within months. */
const KEPT_DAYS = 180
const AT_ONCE = 1_000

export async function forgetOld({ sql }: Pick<Context, 'sql'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldDispatches(sql, KEPT_DAYS, AT_ONCE)) === AT_ONCE);
}
