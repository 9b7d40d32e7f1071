import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { listUnworked, markUnworked } from './callbacks.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'channels.callback': { callbackId: string }
    'channels.replay': { connectionId?: string }
  }
}

/** What is worked on for longer has failed again and again. */
const PATIENCE_MINUTES = 60
const AT_ONCE = 500

/** One job for each, however often it is asked for. */
export const requestWork = (sql: Queryable, callbackId: string) =>
  enqueue(sql, 'channels.callback', { callbackId }, { key: `channel-callback:${callbackId}` })

/** Has what a shop called with since then, as far as it is kept, worked again: what it told that is known already changes nothing. */
export async function requestReplay(tx: Tx, connectionId: string, since: string): Promise<void> {
  await markUnworked(tx, connectionId, since)
  await enqueue(tx, 'channels.replay', { connectionId }, { key: `channel-replay:${connectionId}` })
}

/** Callbacks that could not be worked are, as long as they are kept: what the shop told, nobody tells again. */
export async function workUnworked({ sql }: Context, connectionId: string | null, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listUnworked(sql, connectionId, PATIENCE_MINUTES, after, AT_ONCE)
    for (const { id } of rows) {
      signal.throwIfAborted()
      await requestWork(sql, id)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}
