import { type Static, Type as T } from '@sinclair/typebox'
import { PrintableText, StorableText } from '../../../plugins/schema.ts'
import { exact, Id, MapOf, Maybe, Nullable, named, oneOf, stated, Timestamp, WEB_ADDRESS } from '../../http/schema.ts'

/** Methods by which an MCP server authenticates users. */
export const authMethods = ['none', 'headers', 'oauth'] as const

const Address = stated(
  T.String({ minLength: 8, maxLength: 2000, description: 'of its streamable HTTP; https, and nowhere private' }),
  WEB_ADDRESS,
)
const Auth = oneOf(authMethods, {
  description: 'how requests to the server authenticate',
})
const Headers = MapOf(100, StorableText(4000, 1), {
  maxProperties: 10,
  description: 'sent with each request, such as Authorization; stored encrypted, and never shown again',
})
const Client = exact(
  { clientId: PrintableText(500, 1), clientSecret: Maybe(StorableText(2000, 1)) },
  { description: 'OAuth client that you registered at its authorization server; without one, a client is registered automatically' },
)

/** Body that adds an MCP server. */
export const NewMcpServer = named(
  'NewMcpServer',
  exact({
    storeId: Id,
    name: PrintableText(60, 1),
    url: Address,
    shared: Maybe(T.Boolean({ default: false, description: 'true: shared by the whole store, for admins only; false: yours alone' })),
    auth: Maybe(Auth),
    headers: Maybe(Headers),
    client: Maybe(Client),
    enabled: Maybe(T.Boolean({ default: true })),
  }),
)
/** Type of {@link NewMcpServer}. */
export type NewMcpServer = Static<typeof NewMcpServer>

/** Body that changes an MCP server. */
export const McpServerChange = named(
  'McpServerChange',
  exact(
    {
      name: Maybe(PrintableText(60, 1)),
      url: Maybe(Address),
      auth: Maybe(Auth),
      headers: Maybe(Headers),
      client: Maybe(Nullable(Client)),
      enabled: Maybe(T.Boolean()),
    },
    { minProperties: 1, description: 'A new URL or a new auth method deletes the stored sign-ins.' },
  ),
)
/** Type of {@link McpServerChange}. */
export type McpServerChange = Static<typeof McpServerChange>

/** MCP server as a user sees it, without its secrets. */
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
    headerNames: T.Array(T.String(), { description: 'names of the headers sent with each request' }),
    clientId: Nullable(T.String()),
    signedIn: T.Boolean({ description: 'true when you have signed in there' }),
    protocol: Nullable(T.String(), { description: 'protocol version when it was last reached' }),
    title: Nullable(T.String(), { description: 'its own title' }),
    problem: Nullable(T.String(), { description: 'reason of the last failure' }),
    reachedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link McpServer}. */
export type McpServer = Static<typeof McpServer>

/** Tool of an MCP server. */
export const McpTool = named(
  'McpTool',
  T.Object({
    name: T.String({ description: 'name for the assistant, unique among all servers' }),
    tool: T.String({ description: 'name at the server' }),
    title: T.String(),
    description: T.String({ description: 'in the words of the server' }),
    parameters: T.Record(T.String(), T.Unknown(), { description: 'a JSON Schema' }),
    readOnly: T.Boolean({ description: 'as the server claims; a tool that is not read-only is called after the user confirms it' }),
  }),
)
/** Type of {@link McpTool}. */
export type McpTool = Static<typeof McpTool>

/** Result of a connection test. */
export const McpProbe = named(
  'McpProbe',
  T.Object({
    ok: T.Boolean(),
    problem: Nullable(T.String()),
    signIn: T.Boolean({ description: 'true when you have to sign in there first, with oauth/start' }),
    protocol: Nullable(T.String()),
    title: Nullable(T.String()),
    tools: T.Integer(),
    leftOut: T.Array(T.String(), { description: 'tools that cannot be used, with the reason' }),
    milliseconds: T.Integer(),
  }),
)
/** Type of {@link McpProbe}. */
export type McpProbe = Static<typeof McpProbe>

/** Body that starts a sign-in. */
export const SignInStart = named(
  'McpSignInStart',
  exact({ returnTo: Maybe(T.String({ maxLength: 2000, description: "a page of this server's origin, or of one of CORS_ORIGINS" })) }),
)
/** Started sign-in. */
export const SignInStarted = named(
  'McpSignInBegun',
  T.Object({
    authorizationUrl: T.String({ description: 'URL to open in the browser' }),
    state: T.String({ description: 'state that the browser returns with' }),
    expiresAt: Timestamp,
  }),
)
/** Body that completes a sign-in: the query that the browser returned with. */
export const SignInCompletion = named(
  'McpSignInEnd',
  exact({
    state: T.String({ minLength: 1, maxLength: 200 }),
    code: Maybe(T.String({ minLength: 1, maxLength: 4000 })),
    iss: Maybe(T.String({ maxLength: 2000 })),
    error: Maybe(T.String({ maxLength: 200 })),
  }),
)
/** Type of {@link SignInCompletion}. */
export type SignInCompletion = Static<typeof SignInCompletion>

/** Client id metadata document, which authorization servers read at our own URL. */
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
