import type { Context } from '../../context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import type { Connection } from './connection.ts'

/** Where the other side of a connection tells its news. */
export const addressOf = (context: Pick<Context, 'config' | 'listener'>, { row }: Pick<Connection, 'row'>): string => {
  const base = row.owner === 'platform' ? '/v1/platform' : `/v1/stores/${row.storeId}`
  return `${serverAddress(context)}${base}/integrations/${row.key}/webhook`
}

/** The address to call; of an other side that signs nothing, with the secret that proves it. */
export function webhookAddress(context: Pick<Context, 'config' | 'listener'>, connection: Connection): string {
  const { unsigned } = (connection.mounted.adapter as { webhook?: { unsigned?: string } }).webhook ?? {}
  const token = unsigned && connection.credentials[unsigned]
  const address = addressOf(context, connection)
  return token ? `${address}?token=${encodeURIComponent(String(token))}` : address
}
