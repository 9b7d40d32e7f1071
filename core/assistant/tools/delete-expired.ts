import type { Context } from '../../context.ts'
import { deleteOldProposals } from './proposals.queries.ts'

/** What was proposed, and what became of it, is kept for so long. */
const KEPT_DAYS = 30
const AT_ONCE = 500

export async function forgetOld({ sql }: Pick<Context, 'sql'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldProposals(sql, KEPT_DAYS, AT_ONCE)) === AT_ONCE);
}
