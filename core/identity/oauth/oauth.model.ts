import { Type as T, type TSchema } from '@sinclair/typebox'
import { dialect } from '../../http/openapi/openapi.ts'
import { Id, named, Timestamp } from '../../http/schema.ts'
import { ClientMetadata } from '../apps/register.ts'

const Text = T.String()
const Texts = T.Array(Text)

export const AuthorizationServer = named(
  'AuthorizationServer',
  T.Object({
    issuer: Text,
    authorization_endpoint: Text,
    token_endpoint: Text,
    revocation_endpoint: Text,
    introspection_endpoint: Text,
    pushed_authorization_request_endpoint: Text,
    registration_endpoint: Text,
    client_id_metadata_document_supported: T.Boolean(),
    scopes_supported: Texts,
    response_types_supported: Texts,
    response_modes_supported: Texts,
    grant_types_supported: Texts,
    token_endpoint_auth_methods_supported: Texts,
    revocation_endpoint_auth_methods_supported: Texts,
    introspection_endpoint_auth_methods_supported: Texts,
    code_challenge_methods_supported: Texts,
    authorization_response_iss_parameter_supported: T.Boolean(),
    dpop_signing_alg_values_supported: Texts,
    ui_locales_supported: Texts,
    service_documentation: Text,
  }),
)

export const Tokens = named(
  'Tokens',
  T.Object({
    access_token: T.String({ description: 'at_…: sent as Authorization: Bearer, or DPoP where it is bound to a key' }),
    token_type: T.String({ description: 'Bearer or DPoP' }),
    expires_in: T.Integer({ description: 'seconds: 90 days' }),
    refresh_token: T.String({ description: 'rt_…: works once' }),
    scope: T.String(),
  }),
)

export const Introspection = named(
  'Introspection',
  T.Object({
    active: T.Boolean(),
    scope: T.Optional(Text),
    client_id: T.Optional(Text),
    sub: T.Optional(T.String({ description: 'the id of the person' })),
    token_type: T.Optional(Text),
    iss: T.Optional(Text),
    iat: T.Optional(T.Integer()),
    exp: T.Optional(T.Integer()),
    cnf: T.Optional(T.Object({ jkt: Text })),
  }),
)

export const Registered = named(
  'RegisteredClient',
  T.Object({
    client_id: Text,
    client_id_issued_at: T.Integer(),
    client_secret: T.Optional(T.String({ description: 'in this answer and nowhere else; absent for token_endpoint_auth_method none' })),
    client_secret_expires_at: T.Optional(T.Integer({ description: '0: it does not expire' })),
    client_name: Text,
    client_uri: T.Optional(Text),
    redirect_uris: Texts,
    grant_types: Texts,
    response_types: Texts,
    token_endpoint_auth_method: Text,
    scope: Text,
  }),
)

export const Pushed = named('PushedRequest', T.Object({ request_uri: Text, expires_in: T.Integer({ description: 'seconds' }) }))

export const ConnectedApp = named(
  'ConnectedApp',
  T.Object({
    id: Id,
    name: Text,
    description: Text,
    website: T.Union([Text, T.Null()]),
    scopes: Texts,
    connectedAt: Timestamp,
    expiresAt: { ...Timestamp, description: 'when it ends, unless the app renews it before' },
  }),
)

/** RFC 6749, section 5.2. */
const OAuthError = named(
  'OAuthError',
  T.Object({
    error: T.String({ description: 'what went wrong, in a word' }),
    error_description: T.String({ description: 'and in a sentence' }),
  }),
)
const refused = (description: string) => ({ description, content: { 'application/json': { schema: OAuthError as object } } })

const TOLD =
  'Takes a form (application/x-www-form-urlencoded). The app says who it is by HTTP Basic, by client_id and client_secret in the form, or, where it ' +
  'has no secret, by client_id alone. Failures are told as RFC 6749, section 5.2 says: {"error", "error_description"}.'

/** How an endpoint is described that apps ask with a form of their own. */
export const protocol = (summary: string, operationId: string, form: object, answer?: TSchema, status = 200) => ({
  tags: ['OAuth'],
  summary,
  operationId,
  description: TOLD,
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: form },
    },
  },
  responses: {
    [status]: { description: 'Success.', ...(answer && { content: { 'application/json': { schema: answer as object } } }) },
    400: refused('The request, or the code or token in it, is wrong.'),
    401: refused('It is no app, or its secret is wrong.'),
    429: refused('Too many requests, or too many wrong ones; wait for Retry-After seconds.'),
    default: {
      description: 'Any other failure.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
    },
  },
})

/** How dynamic client registration is described. */
export const registration = (operationId: string) => {
  const { responses } = protocol('', operationId, {}, Registered, 201)
  return {
    tags: ['OAuth'],
    summary: 'Register a client (RFC 7591)',
    operationId,
    description:
      'For programs that come by themselves, such as MCP clients. 20 registrations an hour from one network. A client that nobody lets in ' +
      'within a day is forgotten. Instead of registering, client_id may be the https address of a client id metadata document.',
    requestBody: { required: true, content: { 'application/json': { schema: dialect(ClientMetadata) as object } } },
    responses,
  }
}
