import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { type Connection, unsealCredentials } from './connection.ts'
import { lockAndFindConnection, lockConnection, mergeConnectionSettings, type SyncState, updateConnection } from './connections.queries.ts'

/** Records the progress of a connection's synchronisation. */
export const recordSync = (sql: Queryable, id: string, sync: SyncState) => updateConnection(sql, id, { sync })

/** Adds settings that the provider supplied to those that the user chose. */
export const addConnectionSettings = (sql: Queryable, id: string, given: Readonly<Record<string, string>>) =>
  mergeConnectionSettings(sql, id, given)

/** Locks the connection's row until the transaction ends, so that no other transaction changes or deletes it. */
export const lockConnectionForChange = (tx: Tx, id: string) => lockConnection(tx, id)

/**
 * Adds credentials that the provider supplied to the latest ones that the user entered. Returns the connection with them. Throws
 * `not_found` if it was deleted.
 */
export function addConnectionCredentials<C extends Connection>(
  context: Context,
  connection: C,
  given: Readonly<Record<string, string>>,
): Promise<C> {
  const { id } = connection.row
  return transaction(context.sql, async (tx) => {
    const now = await lockAndFindConnection(tx, id)
    if (!now) throw notFound('The connection')
    const credentials = { ...unsealCredentials(context, now), ...given }
    await updateConnection(tx, id, { credentials: context.vault.seal(JSON.stringify(credentials), id) })
    return { ...connection, credentials }
  })
}
