import type { Sql } from '../../data/sql.ts'
import { finishRemoval } from '../apps/client.ts'
import { forgetUnused } from '../apps/register.ts'
import { deleteSomeOfApp, forgetOver } from './grants.queries.ts'

const BATCH = 5_000

/** Deletes expired requests, codes and grants, and unused clients. Tokens are deleted with the partition of their week. */
export async function keepHouse(sql: Sql): Promise<void> {
  while (await forgetOver(sql, BATCH));
  await forgetUnused({ sql })
}

/** Deletes the grants of a deleted app in batches, which do not block other work, and then the app. */
export async function removeApp(sql: Sql, appId: string, signal: AbortSignal): Promise<void> {
  while (await deleteSomeOfApp(sql, appId, BATCH)) signal.throwIfAborted()
  await finishRemoval(sql, appId, BATCH, signal)
}
