import type { HandedTokens } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { findConnection, heldConnection, updateConnection } from '../connections.queries.ts'
import { clearAttention } from '../health/attention.queries.ts'
import { testOrLater } from '../health/test-later.ts'
import { putHanded } from './oauth.queries.ts'
import { sealTokens } from './tokens.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.testHanded': { readonly connectionId: string }
  }
}

/**
 * Keeps what the other side handed over, as if somebody had signed in here, and has it tested. What comes again or late changes nothing: the
 * token that renews works once, and may be used by now.
 */
export async function takeHandedTokens(context: Context, connectionId: string, handed: HandedTokens): Promise<void> {
  const { accessToken, refreshToken = null, expiresAt } = handed
  const expiresInMs = Date.parse(expiresAt) - Date.now()
  if (expiresInMs <= 0) return
  const sealed = sealTokens(context, connectionId, { accessToken, refreshToken, filled: {}, expiresInMs })
  await transaction(context.sql, async (tx) => {
    if (!(await heldConnection(tx, connectionId))) return
    if (!(await putHanded(tx, connectionId, sealed, expiresAt))) return
    await clearAttention(tx, connectionId)
    await publish(tx, 'connection.signed_in', { connectionId })
    await updateConnection(tx, connectionId, { status: 'untested', statusMessage: null })
    await enqueue(tx, 'connections.testHanded', { connectionId })
  })
}

export async function testHanded(context: Context, connectionId: string): Promise<void> {
  const row = await findConnection(context.sql, connectionId)
  if (row?.enabled) await testOrLater(context, row)
}
