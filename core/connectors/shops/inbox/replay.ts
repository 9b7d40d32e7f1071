import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { findConnectionRef } from '../../../integrations/connections/connections.queries.ts'
import { findOrInsertShopSync } from '../shop-sync.queries.ts'
import {
  endReplay,
  listReceivedWebhooks,
  listUnprocessedWebhooks,
  markWebhooksUnprocessed,
  recordReplayRequest,
  type WebhookPosition,
} from './received-webhooks.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.processWebhook': { callbackId: string }
    'connectors.replayWebhooks': { connectionId?: string }
  }
}

/** Minutes after which a webhook counts as failed: its job has retried by then. */
const PATIENCE_MINUTES = 60
const AT_ONCE = 500
/** Webhooks per transaction. */
const SLICE = 100

/** Enqueues one job per webhook, however often it is requested. */
export const requestWebhookProcessing = (sql: Queryable, callbackId: string, owner: string) =>
  enqueue(sql, 'connectors.processWebhook', { callbackId }, { key: `channel-callback:${callbackId}`, owner })

/** Enqueues the replay of stored webhooks since a time. Events that are known already change nothing. */
export async function requestReplay(tx: Tx, connection: ConnectionRef, since: string): Promise<void> {
  const { id: connectionId, projectId: owner } = connection
  await recordReplayRequest(tx, connection, since)
  const name = `channel-replay:${connectionId}`
  await enqueue(tx, 'connectors.replayWebhooks', { connectionId }, { key: name, queue: name, owner })
}

/** Runs the job that replays webhooks, in slices. A run that continues after a crash skips those that were processed again already. */
export async function replayWebhooks({ sql }: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await findConnectionRef(sql, connectionId)
  if (!connection) return
  const { projectId } = connection
  const { replaySince, replayAskedAt } = await findOrInsertShopSync(sql, connection)
  if (replaySince === null || replayAskedAt === null) return
  let after: WebhookPosition = { at: replaySince, id: '' }
  for (let more = true; more; ) {
    signal.throwIfAborted()
    const received = await listReceivedWebhooks(sql, connection, replayAskedAt, after, SLICE)
    await transaction(sql, async (tx) => {
      const ids = received.map(({ id }) => id)
      for (const { id } of await markWebhooksUnprocessed(tx, projectId, ids, replayAskedAt))
        await requestWebhookProcessing(tx, id, projectId)
    })
    after = received.at(-1) ?? after
    more = received.length === SLICE
  }
  await endReplay(sql, connection, replayAskedAt)
}

/** Enqueues webhooks again that failed, as long as they are stored, since shops do not repeat them. */
export async function retryUnprocessedWebhooks({ sql }: Context, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listUnprocessedWebhooks(sql, PATIENCE_MINUTES, after, AT_ONCE)
    for (const { id, projectId } of rows) {
      signal.throwIfAborted()
      await requestWebhookProcessing(sql, id, projectId)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}
