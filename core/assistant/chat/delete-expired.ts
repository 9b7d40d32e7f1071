import type { Context } from '../../context.ts'
import { deleteOldGenerations, dropOldParts } from './generation/generations.queries.ts'

/** How an answer was made is kept for so long; the answer stays with its conversation. What was streamed of it is needed for the day. */
const KEPT_DAYS = 30
const STREAMED_DAYS = 1
const AT_ONCE = 100

export async function forgetOld({ sql }: Pick<Context, 'sql'>, signal: AbortSignal): Promise<void> {
  for (const forget of [() => dropOldParts(sql, STREAMED_DAYS, AT_ONCE), () => deleteOldGenerations(sql, KEPT_DAYS, AT_ONCE)])
    while (!signal.aborted && (await forget()) === AT_ONCE);
}
