import type { OAuth } from '../../../../plugins/adapter.ts'
import { withDefaults } from '../../../../plugins/fields.ts'
import type { Context } from '../../../context.ts'
import { isDeclaredHost } from '../../../lib/net/outbound.ts'
import { hostsOf } from '../calls/hosts.ts'
import { type Connection, openAnyConnection } from '../connection.ts'
import { listByKey } from '../connections.queries.ts'

type Values = Readonly<Record<string, unknown>>

/** Who asks for tokens on behalf of a connection, and where. */
export interface Client {
  readonly oauth: OAuth
  readonly id: string
  readonly secret: string | undefined
  /** It is the platform's; the store has none of its own. */
  readonly isLent: boolean
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly revokeUrl: string | undefined
  /** The connection's, and for what it lacks the platform's. */
  readonly credentials: Values
}

/** The client of a connection: its own, or else the platform's. Undefined where there is neither, or the adapter has no `oauth`. */
export async function clientOf(context: Context, connection: Connection): Promise<Client | undefined> {
  const { row, mounted, credentials: own } = connection
  const { oauth } = mounted.adapter
  if (!oauth) return undefined
  const isLent = !own[oauth.client.id]
  const credentials = isLent ? { ...(await credentialsOfPlatform(context, row.key)), ...own } : own
  const { id, secret } = oauth.client
  if (!credentials[id]) return undefined
  return {
    oauth,
    id: String(credentials[id]),
    secret: secret && credentials[secret] ? String(credentials[secret]) : undefined,
    isLent,
    ...addressesOf(oauth, valuesOf(connection)),
    credentials,
  }
}

async function credentialsOfPlatform(context: Context, key: string): Promise<Values> {
  const [row] = await listByKey(context.sql, null, key, 1)
  return row?.enabled ? openAnyConnection(context, row).credentials : {}
}

const valuesOf = ({ row, mounted: { adapter }, credentials }: Connection): Values => ({
  ...withDefaults(adapter.settings, row.settings),
  ...withDefaults(adapter.credentials, credentials),
})

const filled = (address: string, values: Values) =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

const addressesOf = ({ authorizeUrl, tokenUrl, revokeUrl }: OAuth, values: Values) => ({
  authorizeUrl: filled(authorizeUrl, values),
  tokenUrl: filled(tokenUrl, values),
  revokeUrl: revokeUrl && filled(revokeUrl, values),
})

/** What tokens belong to: another client, or another address, and they are worth nothing. */
export function belongingOf(connection: Connection): string {
  const { oauth } = connection.mounted.adapter
  return oauth ? JSON.stringify([connection.credentials[oauth.client.id], addressesOf(oauth, valuesOf(connection))]) : ''
}

/** Whether a browser may be sent there: the other side's declared hosts, and nowhere else. */
export function mayVisit(context: Context, connection: Connection, address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && isDeclaredHost(url.host, hostsOf(context, connection))
}
