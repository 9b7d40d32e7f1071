import type { OAuth } from '../../../../plugins/adapter.ts'
import { withDefaults } from '../../../../plugins/fields.ts'
import type { Context } from '../../../context.ts'
import { isDeclaredHost } from '../../../lib/net/outbound-target.ts'
import { hostsOf } from '../calls/hosts.ts'
import { type Connection, openAnyConnection } from '../connection.ts'
import { listConnectionsByKey } from '../connections.queries.ts'

type Values = Readonly<Record<string, unknown>>

/** OAuth client of a connection, with the addresses of its provider. */
export interface OAuthClient {
  readonly oauth: OAuth
  readonly id: string
  readonly secret: string | undefined
  /** True if the client belongs to the platform, since the store has none of its own. */
  readonly isPlatformClient: boolean
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly revokeUrl: string | undefined
  /** Credentials of the connection, completed with those of the platform. */
  readonly credentials: Values
}

/**
 * Returns the client of a connection, its own or else the platform's. Returns undefined if there is neither, or if the adapter has no
 * `oauth`.
 */
export async function findOAuthClient(context: Context, connection: Connection): Promise<OAuthClient | undefined> {
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
    isPlatformClient: isLent,
    ...addressesOf(oauth, valuesOf(connection)),
    credentials,
  }
}

async function credentialsOfPlatform(context: Context, key: string): Promise<Values> {
  const [row] = await listConnectionsByKey(context.sql, null, key, 1)
  return row?.enabled ? openAnyConnection(context, row).credentials : {}
}

const valuesOf = ({ row, mounted: { adapter }, credentials }: Connection): Values => ({
  ...withDefaults(adapter.settings, row.settings),
  ...withDefaults(adapter.credentials, credentials),
})

const fillPlaceholders = (address: string, values: Values) =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))

const addressesOf = ({ authorizeUrl, tokenUrl, revokeUrl }: OAuth, values: Values) => ({
  authorizeUrl: fillPlaceholders(authorizeUrl, values),
  tokenUrl: fillPlaceholders(tokenUrl, values),
  revokeUrl: revokeUrl && fillPlaceholders(revokeUrl, values),
})

/** Returns a key of the client and its addresses. Tokens are valid only while this key stays the same. */
export function signInKeyOf(connection: Connection): string {
  const { oauth } = connection.mounted.adapter
  return oauth ? JSON.stringify([connection.credentials[oauth.client.id], addressesOf(oauth, valuesOf(connection))]) : ''
}

/** Returns true if a browser may be redirected to the address: HTTPS, and on a declared host of the provider. */
export function canRedirectTo(context: Context, connection: Connection, address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && isDeclaredHost(url.host, hostsOf(context, connection))
}
