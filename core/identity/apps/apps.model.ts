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
    'addresses that users return to, compared exactly: https, a scheme of your own with a dot in it, or http on 127.0.0.1 or [::1] with any port',
})
const Website = Nullable(T.String({ pattern: '^https?://[^\\s<>"]+$', maxLength: 500 }))
const PushedOnly = T.Boolean({ description: 'the app must push its authorization requests first (RFC 9126)' })
const BoundOnly = T.Boolean({ description: 'the app must prove a key, and its tokens are bound to that key (DPoP, RFC 9449)' })
const DpopNonces = T.Boolean({
  description: 'DPoP proofs must carry a recent nonce of the server (DPoP-Nonce, RFC 9449, section 8), so that no proof is made in advance',
})

/** OAuth app as its owner sees it in the API. */
export const App = named(
  'App',
  T.Object({
    id: { ...Id, description: 'its client_id' },
    name: T.String(),
    description: T.String(),
    website: Nullable(T.String()),
    kind: oneOf(['confidential', 'public']),
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
/** Type of {@link App}. */
export type App = Static<typeof App>

/** App together with its `client_secret`, which the API returns only once. */
export const AppWithSecret = named(
  'AppWithSecret',
  T.Composite([
    App,
    T.Object({ secret: Nullable(T.String({ description: 'its client_secret, shown only once; null for a public app' })) }),
  ]),
)

/** Body of the request that registers an app. */
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
/** Type of {@link NewApp}. */
export type NewApp = Static<typeof NewApp>

/** Body of the request that changes an app. Fields that are left out keep their values. */
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
/** Type of {@link AppChange}. */
export type AppChange = Static<typeof AppChange>

/** Free-form JSON object that an app stores about itself or about a user. */
export const AppData = Metadata
/** Type of {@link AppData}. */
export type AppData = Static<typeof AppData>
