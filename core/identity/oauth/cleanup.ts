import type { Sql } from '../../data/sql.ts'
import { deleteRemovedApp } from '../apps/client.ts'
import { deleteUnusedClients } from '../apps/register.ts'
import { deleteExpiredGrants, deleteGrantsOfApp } from './grants.queries.ts'

const BATCH = 5_000

/** Deletes expired requests, codes and grants, and unused clients. Tokens are deleted with the partition of their week. */
export async function deleteExpiredOAuthData(sql: Sql): Promise<void> {
  while (await deleteExpiredGrants(sql, BATCH));
  await deleteUnusedClients({ sql })
}

/** Deletes the grants of a deleted app in batches, which do not block other work, and then the app. */
export async function purgeRemovedApp(sql: Sql, appId: string, signal: AbortSignal): Promise<void> {
  while (await deleteGrantsOfApp(sql, appId, BATCH)) signal.throwIfAborted()
  await deleteRemovedApp(sql, appId, BATCH, signal)
}
