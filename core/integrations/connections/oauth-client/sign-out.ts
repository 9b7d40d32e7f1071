import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { AdapterFailure } from '../../egress/adapter-failure.ts'
import { type Connection, openAnyConnection } from '../connection.ts'
import { type ConnectionRow, updateConnection } from '../connections.queries.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { deleteTokens } from './oauth.queries.ts'
import { findOAuthClient } from './oauth-client.ts'
import { revokeToken } from './token-request.ts'
import { unsealTokens } from './tokens.ts'

/** Deletes the tokens of a connection and revokes them at the provider. Succeeds even if the provider does not answer. */
export async function signOut(context: Context, row: ConnectionRow): Promise<void> {
  const connection = openAnyConnection(context, row)
  const forgotten = await transaction(context.sql, async (tx) => {
    await updateConnection(tx, row, { status: 'untested', statusMessage: null })
    await clearAttention(tx, row)
    return deleteTokens(tx, row)
  })
  if (forgotten) await revokeTokens(context, connection, forgotten.sealed)
}

/** Revokes tokens at the provider, if it supports that. Logs a failure of the provider and does not throw. */
export async function revokeTokens(context: Context, connection: Connection, sealed: string): Promise<void> {
  const client = await findOAuthClient(context, connection)
  if (!client?.revokeUrl) return
  const { accessToken, refreshToken } = unsealTokens(context, connection.row.id, sealed)
  await revokeToken(context, connection, client, client.revokeUrl, refreshToken ?? accessToken).catch((error: unknown) => {
    if (!(error instanceof AdapterFailure)) throw error
    context.log.info({ connection: connection.row.id, reason: error.reason }, 'tokens could not be revoked at the provider')
  })
}
