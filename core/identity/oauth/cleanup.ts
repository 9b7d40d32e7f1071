import type { Sql } from '../../data/sql.ts'
import { finishRemoval } from '../apps/client.ts'
import { forgetUnused } from '../apps/register.ts'
import { deleteSomeOfApp, forgetOver } from './grants.queries.ts'

const BATCH = 5_000

/** Forgets what is over, but for tokens, which go with the week that they stand in. */
export async function keepHouse(sql: Sql): Promise<void> {
  while (await forgetOver(sql, BATCH));
  await forgetUnused({ sql })
}

/** Removes what people allowed an app that is deleted, in slices that hold nobody up, and then the app. */
export async function removeApp(sql: Sql, appId: string, signal: AbortSignal): Promise<void> {
  while (await deleteSomeOfApp(sql, appId, BATCH)) signal.throwIfAborted()
  await finishRemoval(sql, appId, BATCH, signal)
}
