import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../../data/sql.ts'
import { currentTenant } from '../../../data/tenant-context.ts'
import { channelOf, type Of } from '../channels.queries.ts'
import { endReplay, listCame, listUnworked, markUnworked, noteReplay, type Place } from './callbacks.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'channels.callback': { callbackId: string }
    'channels.replay': { connectionId?: string }
  }
}

/** What is worked on for longer has failed again and again. */
const PATIENCE_MINUTES = 60
const AT_ONCE = 500
/** Written in one transaction. */
const SLICE = 100

/** One job for each, however often it is asked for. */
export const requestWork = (sql: Queryable, callbackId: string, owner: string) =>
  enqueue(sql, 'channels.callback', { callbackId }, { key: `channel-callback:${callbackId}`, owner })

/** Has what a shop called with since then, as far as it is kept, worked again: what it told that is known already changes nothing. */
export async function requestReplay(tx: Tx, { id: connectionId, projectId: owner }: Of, since: string): Promise<void> {
  await noteReplay(tx, connectionId, since)
  const name = `channel-replay:${connectionId}`
  await enqueue(tx, 'channels.replay', { connectionId }, { key: name, queue: name, owner })
}

/** A slice at a time: a shop calls often in a month. Whoever takes over from a process that died leaves out what was worked again by then. */
export async function workAgain({ sql }: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const { replaySince, replayAskedAt } = await channelOf(sql, connectionId)
  if (replaySince === null || replayAskedAt === null) return
  let after: Place = { at: replaySince, id: '' }
  for (let more = true; more; ) {
    signal.throwIfAborted()
    const came = await listCame(sql, connectionId, replayAskedAt, after, SLICE)
    await transaction(sql, async (tx) => {
      const ids = came.map(({ id }) => id)
      for (const { id } of await markUnworked(tx, ids, replayAskedAt)) await requestWork(tx, id, currentTenant())
    })
    after = came.at(-1) ?? after
    more = came.length === SLICE
  }
  await endReplay(sql, connectionId, replayAskedAt)
}

/** Callbacks that could not be worked are, as long as they are kept: what the shop told, nobody tells again. */
export async function workUnworked({ sql }: Context, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listUnworked(sql, PATIENCE_MINUTES, after, AT_ONCE)
    for (const { id, projectId } of rows) {
      signal.throwIfAborted()
      await requestWork(sql, id, projectId)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}
