import type { Context } from '../../context.ts'
import { type ConnectionRow, findOrphanedConnection } from './connections.queries.ts'

/** Unregisters the webhooks of a connection that is about to end, while its credentials still work. */
export async function unregisterWebhooks(context: Context, connection: ConnectionRow): Promise<void> {
  await context.operationRegistry.webhookHandlers(connection.kind)?.unregister?.(context, connection)
}

/** Unregisters the webhooks of a connection whose store was deleted. Does nothing if the connection is gone. */
export async function unregisterOrphanedWebhooks(context: Context, id: string): Promise<void> {
  const row = await findOrphanedConnection(context.sql, id)
  if (row) await unregisterWebhooks(context, row)
}
