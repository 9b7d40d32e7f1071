import type { Context } from '../../context.ts'
import type { Queryable } from '../../data/sql.ts'
import type { Connection } from './connection.ts'
import { type SyncState, updateConnection } from './connections.queries.ts'

/** How its synchronisation goes. */
export const noteSync = (sql: Queryable, id: string, sync: SyncState) => updateConnection(sql, id, { sync })

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
