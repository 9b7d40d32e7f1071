import type { Context } from '../../context.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import type { Connection } from './connection.ts'
import { lockConnection, mergeSettings, type SyncState, updateConnection } from './connections.queries.ts'

/** How its synchronisation goes. */
export const noteSync = (sql: Queryable, id: string, sync: SyncState) => updateConnection(sql, id, { sync })

/** Keeps settings that the platform gave beside those that a person chose. */
export const addSettings = (sql: Queryable, id: string, given: Readonly<Record<string, string>>) => mergeSettings(sql, id, given)

/** Nobody else changes or leaves the connection until the transaction ends. */
export const holdConnection = (tx: Tx, id: string) => lockConnection(tx, id)

/** Keeps credentials that the platform gave beside those that a person typed in. Answers the connection with them. */
export async function addCredentials<C extends Connection>(
  { sql, vault }: Context,
  connection: C,
  given: Readonly<Record<string, string>>,
): Promise<C> {
  const { id } = connection.row
  const credentials = { ...connection.credentials, ...given }
  await updateConnection(sql, id, { credentials: vault.seal(JSON.stringify(credentials), id) })
  return { ...connection, credentials }
}
