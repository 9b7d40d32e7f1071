import type { Context } from '../../context.ts'
import { serverAddress } from '../../http/address/server-address.ts'
import type { Connection } from './connection.ts'

/** Returns the address at which a connection receives webhooks, without a token. */
export const webhookUrlWithoutToken = (context: Pick<Context, 'config' | 'listener'>, { row }: Pick<Connection, 'row'>): string => {
  const base = row.owner === 'platform' ? '/v1/platform' : `/v1/stores/${row.storeId}`
  return `${serverAddress(context)}${base}/integrations/${row.key}/webhook`
}

/** Returns the webhook address to register at the provider. Includes a secret token if the provider does not sign its webhooks. */
export function webhookUrlOf(context: Pick<Context, 'config' | 'listener'>, connection: Connection): string {
  const { unsigned } = (connection.mounted.adapter as { webhook?: { unsigned?: string } }).webhook ?? {}
  const token = unsigned && connection.credentials[unsigned]
  const address = webhookUrlWithoutToken(context, connection)
  return token ? `${address}?token=${encodeURIComponent(String(token))}` : address
}
