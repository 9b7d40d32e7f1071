import type { Context } from '../../../context.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { chooseConnection, findAdapterForStore } from '../choose-connection.ts'
import { connectAdapter } from '../connect.ts'
import { notEnabledError } from '../connection.ts'
import { notEnabledSentences } from '../connections.errors.ts'
import type { ConnectionChoice } from '../connections.model.ts'
import { type ConnectionRow, findConnectionByKey } from '../connections.queries.ts'

/**
 * Finds the connection that a user signs in for, or creates one that uses the platform's client. Throws "not enabled" if there is no such
 * client, and `not_found` if the adapter is unknown.
 */
export async function findOrCreateConnectionToSignIn(
  context: Context,
  storeId: string,
  key: string,
  choice: ConnectionChoice = {},
): Promise<ConnectionRow> {
  const mounted = findAdapterForStore(context, key)
  if (!mounted?.adapter.oauth || choice.connection !== undefined) return chooseConnection(context, storeId, key, choice)
  const { slug, label } = mounted.adapter
  if (await findConnectionByKey(context.sql, storeId, slug)) return chooseConnection(context, storeId, key)
  await chooseConnection(context, null, slug).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    throw notEnabledError(mounted.kind.name, notEnabledSentences.noClientYet(label))
  })
  return connectAdapter(context, storeId, slug, { enabled: true, credentials: {} })
}
