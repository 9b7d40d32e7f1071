import type { Context } from '../../context.ts'
import { deleteOldProposals } from './proposals.queries.ts'

/** Days for which a proposal and its result are stored, counted from its decision or else its creation. */
const RETENTION_DAYS = 30
const BATCH = 500

/** Deletes proposals older than {@link RETENTION_DAYS}, in batches, until none is left or the signal aborts. */
export async function deleteExpiredProposals({ sql }: Pick<Context, 'sql'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteOldProposals(sql, RETENTION_DAYS, BATCH)) === BATCH);
}
