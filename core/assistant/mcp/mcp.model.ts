import { type Static, Type as T } from '@sinclair/typebox'
import { Printed, Written } from '../../../plugins/schema.ts'
import { exact, Id, MapOf, Maybe, Nullable, named, oneOf, stated, Timestamp, WEB_ADDRESS } from '../../http/schema.ts'

export const auths = ['none', 'headers', 'oauth'] as const

const Address = stated(
  T.String({ minLength: 8, maxLength: 2000, description: 'of its streamable HTTP; https, and nowhere private' }),
  WEB_ADDRESS,
)
const Auth = oneOf(auths, { description: '`headers`: what is sent with each request; `oauth`: each person signs in for himself' })
const Headers = MapOf(100, Written(4000, 1), {
  maxProperties: 10,
  description: 'sent with each request, such as Authorization; kept sealed, and never shown again',
})
const Client = exact(
  { clientId: Printed(500, 1), clientSecret: Maybe(Written(2000, 1)) },
  { description: 'a client that was made at its authorization server by hand; without one it is registered by itself' },
)

export const NewMcpServer = named(
  'NewMcpServer',
  exact({
    storeId: Id,
    name: Printed(60, 1),
    url: Address,
    shared: Maybe(T.Boolean({ default: false, description: "the whole store's, which admins add; else yours alone" })),
    auth: Maybe(Auth),
    headers: Maybe(Headers),
    client: Maybe(Client),
    enabled: Maybe(T.Boolean({ default: true })),
  }),
)
export type NewMcpServer = Static<typeof NewMcpServer>

export const McpServerChange = named(
  'McpServerChange',
  exact(
    {
      name: Maybe(Printed(60, 1)),
      url: Maybe(Address),
      auth: Maybe(Auth),
      headers: Maybe(Headers),
      client: Maybe(Nullable(Client)),
      enabled: Maybe(T.Boolean()),
    },
    { minProperties: 1, description: 'Another address or another way in forgets what was signed in with.' },
  ),
)
export type McpServerChange = Static<typeof McpServerChange>

export const McpServer = named(
  'McpServer',
  T.Object({
    id: Id,
    storeId: Id,
    name: T.String(),
    url: T.String(),
    shared: T.Boolean(),
    auth: Auth,
    enabled: T.Boolean(),
    headerNames: T.Array(T.String(), { description: 'of what is sent with each request' }),
    clientId: Nullable(T.String()),
    signedIn: T.Boolean({ description: 'whether you have signed in there' }),
    protocol: Nullable(T.String(), { description: 'what it spoke when it was last reached' }),
    title: Nullable(T.String(), { description: 'what it calls itself' }),
    problem: Nullable(T.String(), { description: 'why it could not be used, as of the last time' }),
    reachedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type McpServer = Static<typeof McpServer>

export const McpTool = named(
  'McpTool',
  T.Object({
    name: T.String({ description: 'as the assistant knows it: the same name at two servers is two names' }),
    tool: T.String({ description: 'as the server calls it' }),
    title: T.String(),
    description: T.String({ description: 'in the words of the server' }),
    parameters: T.Record(T.String(), T.Unknown(), { description: 'a JSON Schema' }),
    readOnly: T.Boolean({ description: 'what the server says of it; what is not is called once the person has confirmed it' }),
  }),
)
export type McpTool = Static<typeof McpTool>

export const McpProbe = named(
  'McpProbe',
  T.Object({
    ok: T.Boolean(),
    problem: Nullable(T.String()),
    signIn: T.Boolean({ description: 'whether somebody has to sign in there first: begin with oauth/start' }),
    protocol: Nullable(T.String()),
    title: Nullable(T.String()),
    tools: T.Integer(),
    leftOut: T.Array(T.String(), { description: 'tools that cannot be used, and why' }),
    milliseconds: T.Integer(),
  }),
)
export type McpProbe = Static<typeof McpProbe>

export const SignInStart = named(
  'McpSignInStart',
  exact({ returnTo: Maybe(T.String({ maxLength: 2000, description: "a page of this server's origin, or of one of CORS_ORIGINS" })) }),
)
export const SignInBegun = named(
  'McpSignInBegun',
  T.Object({
    authorizationUrl: T.String({ description: 'where the browser goes' }),
    state: T.String({ description: 'what it comes back with' }),
    expiresAt: Timestamp,
  }),
)
export const SignInEnd = named(
  'McpSignInEnd',
  exact({
    state: T.String({ minLength: 1, maxLength: 200 }),
    code: Maybe(T.String({ minLength: 1, maxLength: 4000 })),
    iss: Maybe(T.String({ maxLength: 2000 })),
    error: Maybe(T.String({ maxLength: 200 })),
  }),
)
export type SignInEnd = Static<typeof SignInEnd>

/** What an authorization server reads of us at our own address (client id metadata document). */
export const ClientMetadata = named(
  'McpClientMetadata',
  T.Object({
    client_id: T.String(),
    client_name: T.String(),
    client_uri: T.String(),
    redirect_uris: T.Array(T.String()),
    grant_types: T.Array(T.String()),
    response_types: T.Array(T.String()),
    token_endpoint_auth_method: T.String(),
    application_type: T.String(),
  }),
)
