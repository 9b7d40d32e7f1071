import type { Context } from '../../context.ts'
import { type ConnectionRow, findOrphanedConnection } from './connections.queries.ts'

/** Notifies the provider that a store's connection is about to end, with a best effort. Does not throw for failures of the provider. */
export type DisconnectHandler = (context: Context, connection: ConnectionRow) => Promise<void>

declare module '../../context.ts' {
  interface Services {
    /** Handlers by kind, registered by later features. They run while the credentials still work. */
    readonly disconnectHandlers: Map<string, DisconnectHandler>
  }
}

/** Runs the disconnect handler of the connection's kind, if there is one. */
export async function runDisconnectHandler(context: Context, connection: ConnectionRow): Promise<void> {
  await context.disconnectHandlers.get(connection.kind)?.(context, connection)
}

/** Runs the disconnect handler for a connection whose store was deleted. Does nothing if the connection is gone. */
export async function disconnectOrphaned(context: Context, id: string): Promise<void> {
  const row = await findOrphanedConnection(context.sql, id)
  if (row) await runDisconnectHandler(context, row)
}
