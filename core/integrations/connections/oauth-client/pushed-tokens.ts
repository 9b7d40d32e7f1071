import type { HandedTokens } from '../../../../plugins/connector/linking.model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { ConnectionRef } from '../connections.model.ts'
import { findConnectionById, lockAndFindConnection, updateConnection } from '../connections.queries.ts'
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
export async function storePushedTokens(context: Context, ref: ConnectionRef, handed: HandedTokens): Promise<void> {
  const { accessToken, refreshToken = null, expiresAt } = handed
  const expiresInMs = Date.parse(expiresAt) - Date.now()
  if (expiresInMs <= 0) return
  const { projectId, id: connectionId } = ref
  const sealed = sealTokens(context, connectionId, { accessToken, refreshToken, filled: {}, expiresInMs })
  await transaction(context.sql, async (tx) => {
    if (!(await lockAndFindConnection(tx, ref))) return
    if (!(await upsertPushedTokens(tx, ref, sealed, expiresAt))) return
    await clearAttention(tx, ref)
    await publish(tx, 'connection.signed_in', { projectId, connectionId })
    await updateConnection(tx, ref, { status: 'untested', statusMessage: null })
    await enqueue(tx, 'connections.testPushedTokens', { connectionId })
  })
}

/** Runs the job that tests a connection after the provider pushed its tokens. */
export async function testPushedTokens(context: Context, connectionId: string): Promise<void> {
  const row = await findConnectionById(context.sql, connectionId)
  if (row?.enabled) await testNowOrLater(context, row)
}
