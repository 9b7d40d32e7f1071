import type { Context } from '../../context.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../http/errors/errors.ts'
import { type Connection, credentialsOf } from './connection.ts'
import { heldConnection, lockConnection, mergeSettings, type SyncState, updateConnection } from './connections.queries.ts'

/** How its synchronisation goes. */
export const noteSync = (sql: Queryable, id: string, sync: SyncState) => updateConnection(sql, id, { sync })

/** Keeps settings that the platform gave beside those that a person chose. */
export const addSettings = (sql: Queryable, id: string, given: Readonly<Record<string, string>>) => mergeSettings(sql, id, given)

/** Nobody else changes or leaves the connection until the transaction ends. */
export const holdConnection = (tx: Tx, id: string) => lockConnection(tx, id)

/**
 * Keeps credentials that the platform gave beside those that a person typed in, also while it was asked. Answers the connection with them. Throws
 * `not_found` where it is gone by now.
 */
export function addCredentials<C extends Connection>(context: Context, connection: C, given: Readonly<Record<string, string>>): Promise<C> {
  const { id } = connection.row
  return transaction(context.sql, async (tx) => {
    const now = await heldConnection(tx, id)
    if (!now) throw notFound('The connection')
    const credentials = { ...credentialsOf(context, now), ...given }
    await updateConnection(tx, id, { credentials: context.vault.seal(JSON.stringify(credentials), id) })
    return { ...connection, credentials }
  })
}
