import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, MapOf, Nullable, named, oneOf, stated, Text, Timestamp, WEB_ADDRESS } from '../../../http/schema.ts'

const Host = T.String({
  pattern: '^(\\*\\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$',
  maxLength: 253,
  description: 'host name in lower case; *.example.com for all subdomains',
})

/** Body that sets the allowed hosts of a store. */
export const ProxyHostsFields = named('ProxyHostsFields', exact({ hosts: T.Array(Host, { maxItems: 50, uniqueItems: true }) }))
/** Hosts that pages of a store may call through the proxy. */
export const ProxyHosts = named('ProxyHosts', T.Object({ hosts: T.Array(T.String()), updatedAt: Nullable(Timestamp) }))
/** Type of {@link ProxyHosts}. */
export type ProxyHosts = Static<typeof ProxyHosts>

const header = T.Optional(Text(500, 1))
/** Characters of the body of a proxied request. */
const BODY_MAX = 64 * 1024

/** Request that the proxy sends. */
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
        { description: 'other headers and credentials are not forwarded' },
      ),
    ),
    body: T.Optional(T.String({ maxLength: BODY_MAX, description: 'body of a POST' })),
  }),
)
/** Type of {@link ProxyRequest}. */
export type ProxyRequest = Static<typeof ProxyRequest>

/** Response of the host. */
export const ProxyAnswer = named(
  'ProxyAnswer',
  T.Object({
    status: T.Integer(),
    headers: MapOf(60, T.String(), { maxProperties: 20, description: 'headers that describe the body; no cookies' }),
    body: T.String({ description: 'up to 1 MiB' }),
    encoding: oneOf(['utf8', 'base64'], { description: 'encoding of the body' }),
  }),
)
/** Type of {@link ProxyAnswer}. */
export type ProxyAnswer = Static<typeof ProxyAnswer>
