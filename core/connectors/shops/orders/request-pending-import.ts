import { enqueue } from '../../../data/jobs.ts'
import type { Queryable } from '../../../data/sql.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.importPending': { connectionId: string }
  }
}

/** Enqueues another import of waiting orders, after an optional delay. */
export const requestPendingImport = (sql: Queryable, connectionId: string, inMs = 0) =>
  enqueue(
    sql,
    'connectors.importPending',
    { connectionId },
    { key: `channel-settle:${connectionId}`, queue: `channel-settle:${connectionId}`, runAt: new Date(Date.now() + inMs) },
  )
