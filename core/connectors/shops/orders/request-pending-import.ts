import { enqueue } from '../../../data/jobs.ts'
import type { Queryable } from '../../../data/sql.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'channels.settle': { connectionId: string }
  }
}

/** Enqueues another import of waiting orders, after an optional delay. */
export const requestPendingImport = (sql: Queryable, connectionId: string, inMs = 0) =>
  enqueue(
    sql,
    'channels.settle',
    { connectionId },
    { key: `channel-settle:${connectionId}`, queue: `channel-settle:${connectionId}`, runAt: new Date(Date.now() + inMs) },
  )
