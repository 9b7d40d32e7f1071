import type { Context } from '../../context.ts'
import { deleteOldGenerations, deleteOldParts } from './generation/generations.queries.ts'

/** Days for which an ended generation is stored; the answer stays in its conversation. */
const RETENTION_DAYS = 30
/** Days for which the streamed parts of an ended generation are stored, for clients that resume the stream. */
const PARTS_DAYS = 1
const BATCH = 100

/** Deletes expired parts, then expired generations, in batches, until none is left or the signal aborts. */
export async function deleteExpiredGenerations({ sql }: Pick<Context, 'sql'>, signal: AbortSignal): Promise<void> {
  for (const deleteBatch of [() => deleteOldParts(sql, PARTS_DAYS, BATCH), () => deleteOldGenerations(sql, RETENTION_DAYS, BATCH)])
    while (!signal.aborted && (await deleteBatch()) === BATCH);
}
