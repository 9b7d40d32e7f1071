import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, MapOf, Nullable, named, oneOf, stated, Text, Timestamp, WEB_ADDRESS } from '../../../http/schema.ts'

const Host = T.String({
  pattern: '^(\\*\\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$',
  maxLength: 253,
  description: 'the name of a host in small letters; *.example.com for all below a name',
})

export const ProxyHostsFields = named('ProxyHostsFields', exact({ hosts: T.Array(Host, { maxItems: 50, uniqueItems: true }) }))
export const ProxyHosts = named('ProxyHosts', T.Object({ hosts: T.Array(T.String()), updatedAt: Nullable(Timestamp) }))
export type ProxyHosts = Static<typeof ProxyHosts>

const header = T.Optional(Text(500, 1))
export const BODY_MAX = 64 * 1024

export const ProxyRequest = named(
  'ProxyRequest',
  exact({
    storeId: T.Optional(Id),
    url: stated(
      T.String({ minLength: 8, maxLength: 4000, description: 'an https address at a host that the owner of the store has listed' }),
      WEB_ADDRESS,
    ),
    method: T.Optional(oneOf(['GET', 'POST'], { default: 'GET' })),
    headers: T.Optional(
      exact(
        { accept: header, 'accept-language': header, 'content-type': header, 'if-none-match': header, 'if-modified-since': header },
        { description: 'no other is passed on, and no credential' },
      ),
    ),
    body: T.Optional(T.String({ maxLength: BODY_MAX, description: 'of a POST' })),
  }),
)
export type ProxyRequest = Static<typeof ProxyRequest>

export const ProxyAnswer = named(
  'ProxyAnswer',
  T.Object({
    status: T.Integer(),
    headers: MapOf(60, T.String(), { maxProperties: 20, description: 'those that say what the body is; no cookie' }),
    body: T.String({ description: 'up to 1 MiB' }),
    encoding: oneOf(['utf8', 'base64'], { description: 'how the body is written here: base64 where it is no text' }),
  }),
)
export type ProxyAnswer = Static<typeof ProxyAnswer>
