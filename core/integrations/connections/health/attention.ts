import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { AdapterFailure } from '../../egress/failure.ts'
import type { ConnectionRow } from '../connections.queries.ts'
import { beginAttention, clearAttention, findLetter } from './attention.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connections.tellOwner': { readonly connectionId: string; readonly noticeId: string }
  }
}

/** The operation of a test: whoever asked for it sees how it went. */
export const TEST = 'testConnection'

/** The other side did what it was asked. */
export function succeeded(context: Context, row: ConnectionRow, operation: string): void {
  context.connections.successes.note(row.id)
  // What fails for want of a right goes on failing while everything else works.
  if (row.attentionOperation === operation) context.connections.later(() => clearAttention(context.gateway.sql, row.id, operation))
}

/** The other side takes the credentials no more: a person has to see to it. */
export function failed(context: Context, row: ConnectionRow, operation: string, { reason, message }: AdapterFailure): void {
  if (reason === 'unauthorized' && operation !== TEST && row.attention === null)
    context.connections.later(() => needsAttention(context, row, operation, message))
}

const needsAttention = ({ gateway: { sql } }: Context, row: ConnectionRow, operation: string, why: string) =>
  transaction(sql, (tx) => beginNeed(tx, row, operation, why))

/** Says so, and tells the owner, once. */
export async function beginNeed(tx: Tx, { id, credentials }: ConnectionRow, operation: string, why: string): Promise<void> {
  if (!(await beginAttention(tx, id, { attention: why, operation, credentials }))) return
  await enqueue(tx, 'connections.tellOwner', { connectionId: id, noticeId: newId('not') })
}

/** One mail to each owner for each need, however often its job runs. */
export async function tellOwner({ sql, mail, log, plugins }: Context, connectionId: string, noticeId: string): Promise<void> {
  const letter = await findLetter(sql, connectionId)
  if (!letter) return
  const { key, name, storeId, storeName, attention, attentionSince, to } = letter
  const label = plugins.named(key)?.adapter.label ?? key
  const values = {
    adapter: name ? `${label} (${name})` : label,
    since: attentionSince,
    why: attention,
    place: storeId === null ? `/v1/platform/integrations/${key}` : `/v1/stores/${storeId}/integrations/${key}`,
  }
  log.warn({ noticeId, connectionId, key, owners: to.length }, `a connection needs attention: ${attention}`)
  for (const address of to)
    await transaction(sql, (tx) => {
      const about = { to: address, once: `${noticeId} ${address}` }
      if (storeName === null) return mail.send(tx, { ...about, template: 'platform_connection_attention', values })
      return mail.send(tx, { ...about, template: 'connection_attention', values: { ...values, store: storeName } })
    })
}
