import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { PLATFORM_PROJECT_ID, storeIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { AdapterFailure } from '../../egress/adapter-failure.ts'
import type { ConnectionRow } from '../connections.queries.ts'
import { clearAttention, findAttentionEmail, markNeedsAttention } from './attention.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.notifyOwner': { readonly connectionId: string; readonly noticeId: string }
  }
}

/** Operation name of a connection test, whose caller sees the result. */
export const TEST_OPERATION = 'testConnection'

/** Records that a call of the provider succeeded. Clears the need for attention that the same operation caused. */
export function recordCallSuccess(context: Context, row: ConnectionRow, operation: string): void {
  context.connections.successLog.record(row)
  // An operation without permission keeps failing while all others succeed.
  if (row.attentionOperation === operation) context.connections.runInBackground(() => clearAttention(context.egress.sql, row, operation))
}

/** Flags the connection if the provider rejected its credentials, unless the call was a test. */
export function recordCallFailure(context: Context, row: ConnectionRow, operation: string, { reason, message }: AdapterFailure): void {
  if (reason === 'unauthorized' && operation !== TEST_OPERATION && row.attention === null)
    context.connections.runInBackground(() => flagConnection(context, row, operation, message))
}

const flagConnection = ({ egress: { sql } }: Context, row: ConnectionRow, operation: string, why: string) =>
  transaction(sql, (tx) => requestAttention(tx, row, operation, why))

/** Marks the connection as needing attention and enqueues one email to its owners. Does nothing if it is already marked. */
export async function requestAttention(tx: Tx, row: ConnectionRow, operation: string, why: string): Promise<void> {
  if (!(await markNeedsAttention(tx, row, { attention: why, operation, credentials: row.credentials }))) return
  await enqueue(tx, 'connections.notifyOwner', { connectionId: row.id, noticeId: newId('not') })
}

/** Emails each owner once per notice, however often the job runs. Does nothing if the connection no longer needs attention. */
export async function notifyOwners({ sql, mail, log, plugins }: Context, connectionId: string, noticeId: string): Promise<void> {
  const email = await findAttentionEmail(sql, connectionId)
  if (!email) return
  const { key, name, projectId, storeName, attention, attentionSince, to } = email
  const label = plugins.named(key)?.adapter.label ?? key
  const values = {
    adapter: name ? `${label} (${name})` : label,
    since: attentionSince,
    why: attention,
    place:
      projectId === PLATFORM_PROJECT_ID ? `/v1/platform/integrations/${key}` : `/v1/stores/${storeIdOf(projectId)}/integrations/${key}`,
  }
  log.warn({ noticeId, connectionId, key, owners: to.length }, `a connection needs attention: ${attention}`)
  for (const address of to)
    await transaction(sql, (tx) => {
      const about = { to: address, once: `${noticeId} ${address}` }
      if (storeName === null) return mail.send(tx, { ...about, template: 'platform_connection_attention', values })
      return mail.send(tx, { ...about, template: 'connection_attention', values: { ...values, store: storeName } })
    })
}
