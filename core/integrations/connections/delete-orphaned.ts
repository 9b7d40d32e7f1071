import type { Context } from '../../context.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { deleteConnection } from './connect.ts'
import { listOrphanedConnections } from './connections.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'connections.deleteOrphaned': Record<string, unknown>
  }
}

/** Hours after the deletion of a store at which its connections are deleted. Providers have been notified by then. */
const HOURS = 24
const AT_ONCE = 200

/** Deletes the connections of deleted stores and revokes their tokens. Skips a connection that is still needed. */
export async function deleteOrphanedConnections(context: Context, _: unknown, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listOrphanedConnections(context.sql, HOURS, after, AT_ONCE)
    for (const row of rows) {
      signal.throwIfAborted()
      await deleteConnection(context, row).catch((err: unknown) => {
        if (!(err instanceof DomainError)) throw err
        context.log.info({ err, connection: row.id }, 'a connection of a deleted store is still needed')
      })
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}
