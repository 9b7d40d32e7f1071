import type { Context } from '../../context.ts'
import type { Connection } from './connection.ts'

/** Where this server is reached from outside. */
export const originOf = ({ config }: Pick<Context, 'config'>, request: Request): string => config.publicUrl ?? new URL(request.url).origin

/** Where the other side of a connection tells its news. */
export const addressOf = (context: Pick<Context, 'config'>, { row }: Pick<Connection, 'row'>, request: Request): string => {
  const base = row.owner === 'platform' ? '/v1/platform' : `/v1/stores/${row.storeId}`
  return `${originOf(context, request)}${base}/integrations/${row.key}/webhook`
}

/** The address to call; of an other side that signs nothing, with the secret that proves it. */
export function webhookAddress(context: Pick<Context, 'config'>, connection: Connection, request: Request): string {
  const { unsigned } = (connection.mounted.adapter as { webhook?: { unsigned?: string } }).webhook ?? {}
  const token = unsigned && connection.credentials[unsigned]
  const address = addressOf(context, connection, request)
  return token ? `${address}?token=${encodeURIComponent(String(token))}` : address
}
