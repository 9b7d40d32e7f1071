import { type Static, Type as T } from '@sinclair/typebox'
import { scopes } from '../../http/auth/scopes.ts'
import { exact, Id, Metadata, Nullable, named, oneOf, stated, Text, Timestamp } from '../../http/schema.ts'

const Scope = oneOf(scopes)
const Name = Text(80, 1)
const Scopes = T.Array(Scope, { minItems: 1, maxItems: scopes.length, uniqueItems: true, description: 'all that it may ask people for' })
/** An address in ASCII without a fragment, of the schemes that are taken. */
const REDIRECT = {
  format: 'uri',
  pattern:
    '^([Hh][Tt][Tt][Pp][Ss]://|[A-Za-z][A-Za-z0-9+-]*(\\.[A-Za-z0-9+-]+)+:|[Hh][Tt][Tt][Pp]://(127\\.0\\.0\\.1|\\[::1\\]|localhost)([:/]|$))[!$-;=?-\\[\\]-~]*$',
}
const RedirectUris = T.Array(stated(Text(2_000, 1), REDIRECT), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'where people are sent back to, compared to the letter: https, a scheme of your own with a dot in it, or http on 127.0.0.1 or [::1] with any port',
})
const Website = Nullable(T.String({ pattern: '^https?://[^\\s<>"]+$', maxLength: 500 }))
const PushedOnly = T.Boolean({ description: 'requests are taken only if they were pushed before (RFC 9126)' })
const BoundOnly = T.Boolean({ description: 'tokens are given only to who proves a key, and to that key (DPoP, RFC 9449)' })
const DpopNonces = T.Boolean({
  description:
    'proofs of keys carry a nonce that the server gave within minutes (DPoP-Nonce, RFC 9449, 8): none is made long before it is sent',
})

export const App = named(
  'App',
  T.Object({
    id: { ...Id, description: 'its client_id' },
    name: T.String(),
    description: T.String(),
    website: Nullable(T.String()),
    kind: oneOf(['confidential', 'public'], { description: 'public: it cannot keep a secret, since it runs on its user’s device' }),
    secretLast4: Nullable(T.String()),
    redirectUris: T.Array(T.String()),
    scopes: T.Array(Scope),
    pushedRequestsOnly: T.Boolean(),
    boundTokensOnly: T.Boolean(),
    dpopNonces: T.Boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type App = Static<typeof App>

export const AppWithSecret = named(
  'AppWithSecret',
  T.Composite([App, T.Object({ secret: Nullable(T.String({ description: 'its client_secret, this once; null for a public app' })) })]),
)

export const NewApp = named(
  'NewApp',
  exact({
    name: Name,
    redirectUris: RedirectUris,
    description: T.Optional(Text(500)),
    website: T.Optional(Website),
    kind: T.Optional(oneOf(['confidential', 'public'], { default: 'confidential' })),
    scopes: T.Optional(Scopes),
    pushedRequestsOnly: T.Optional(PushedOnly),
    boundTokensOnly: T.Optional(BoundOnly),
    dpopNonces: T.Optional(DpopNonces),
  }),
)
export type NewApp = Static<typeof NewApp>

export const AppChange = named(
  'AppChange',
  exact(
    {
      name: T.Optional(Name),
      redirectUris: T.Optional(RedirectUris),
      description: T.Optional(Text(500)),
      website: T.Optional(Website),
      scopes: T.Optional(Scopes),
      pushedRequestsOnly: T.Optional(PushedOnly),
      boundTokensOnly: T.Optional(BoundOnly),
      dpopNonces: T.Optional(DpopNonces),
    },
    { minProperties: 1 },
  ),
)
export type AppChange = Static<typeof AppChange>

/** What an app keeps, for itself or of a person. */
export const Kept = Metadata
export type Kept = Static<typeof Kept>
