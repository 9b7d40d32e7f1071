import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { type Connection, unsealCredentials } from './connection.ts'
import type { ConnectionRef } from './connections.model.ts'
import { lockAndFindConnection, lockConnection, mergeConnectionSettings, type SyncState, updateConnection } from './connections.queries.ts'

/** Records the progress of a connection's synchronisation. */
export const recordSync = (sql: Queryable, connection: ConnectionRef, sync: SyncState) => updateConnection(sql, connection, { sync })

/** Adds settings that the provider supplied to those that the user chose. */
export const addConnectionSettings = (sql: Queryable, connection: ConnectionRef, given: Readonly<Record<string, string>>) =>
  mergeConnectionSettings(sql, connection, given)

/** Locks the connection's row until the transaction ends, so that no other transaction changes or deletes it. */
export const lockConnectionForChange = (tx: Tx, connection: ConnectionRef) => lockConnection(tx, connection)

/**
 * Adds credentials that the provider supplied to the latest ones that the user entered. Returns the connection with them. Throws
 * `not_found` if it was deleted.
 */
export function addConnectionCredentials<C extends Connection>(
  context: Context,
  connection: C,
  given: Readonly<Record<string, string>>,
): Promise<C> {
  const { row } = connection
  return transaction(context.sql, async (tx) => {
    const now = await lockAndFindConnection(tx, row)
    if (!now) throw notFound('The connection')
    const credentials = { ...unsealCredentials(context, now), ...given }
    await updateConnection(tx, row, { credentials: context.vault.seal(JSON.stringify(credentials), row.id) })
    return { ...connection, credentials }
  })
}
