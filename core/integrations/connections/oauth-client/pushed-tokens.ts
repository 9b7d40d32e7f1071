import type { HandedTokens } from '../../../../plugins/connector/linking.model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { ConnectionRef } from '../connections.model.ts'
import { findConnection, lockAndFindConnection, updateConnection } from '../connections.queries.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { testNowOrLater } from '../health/test-later.ts'
import { upsertPushedTokens } from './oauth.queries.ts'
import { sealTokens } from './tokens.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.testPushedTokens': { readonly connectionId: string }
  }
}

/**
 * Stores tokens that the provider pushed, as if a user had signed in, and enqueues a test. Ignores expired and repeated ones: their refresh
 * token works once and may be used already.
 */
export async function storePushedTokens(context: Context, key: ConnectionRef, handed: HandedTokens): Promise<void> {
  const { accessToken, refreshToken = null, expiresAt } = handed
  const expiresInMs = Date.parse(expiresAt) - Date.now()
  if (expiresInMs <= 0) return
  const { projectId, id: connectionId } = key
  const sealed = sealTokens(context, connectionId, { accessToken, refreshToken, filled: {}, expiresInMs })
  await transaction(context.sql, async (tx) => {
    if (!(await lockAndFindConnection(tx, connectionId))) return
    if (!(await upsertPushedTokens(tx, key, sealed, expiresAt))) return
    await clearAttention(tx, connectionId)
    await publish(tx, 'connection.signed_in', { projectId, connectionId })
    await updateConnection(tx, connectionId, { status: 'untested', statusMessage: null })
    await enqueue(tx, 'connections.testPushedTokens', { connectionId })
  })
}

/** Runs the job that tests a connection after the provider pushed its tokens. */
export async function testPushedTokens(context: Context, connectionId: string): Promise<void> {
  const row = await findConnection(context.sql, connectionId)
  if (row?.enabled) await testNowOrLater(context, row)
}
