import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import type { AdapterFailure } from '../../platform/gateway/failure.ts'
import { beginAttention, clearAttention, findLetter } from './attention.queries.ts'
import type { ConnectionRow } from './connections.queries.ts'

declare module '../../data/jobs.ts' {
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

/** The letter goes to the log and to `DATA_DIR/outbox`, as all mail does while there is no SMTP server. */
export async function tellOwner({ sql, config, log, plugins }: Context, connectionId: string, noticeId: string): Promise<void> {
  const letter = await findLetter(sql, connectionId)
  if (!letter) return
  const { key, name, storeId, storeName, attention, attentionSince, to } = letter
  const label = plugins.named(key)?.adapter.label ?? key
  const whose = storeId === null ? "The platform's connection" : `The connection of ${storeName}`
  const place = storeId === null ? `/v1/platform/integrations/${key}` : `/v1/stores/${storeId}/integrations/${key}`
  const text = `${whose} to ${label}${name && ` (${name})`} has needed attention since ${attentionSince}: ${attention} Until then little or nothing is done through it. See to its credentials, or sign in again: ${place}`
  log.warn({ noticeId, connectionId, to }, text)
  const folder = join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  for (const [at, address] of to.entries())
    await Bun.write(
      join(folder, `${noticeId}${at === 0 ? '' : `-${at}`}.json`),
      `${JSON.stringify({ to: address, subject: `${label} needs attention`, text }, null, 2)}\n`,
    )
}
