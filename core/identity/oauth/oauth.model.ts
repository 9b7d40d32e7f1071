import { Type as T, type TSchema } from '@sinclair/typebox'
import { toOpenApi30 } from '../../http/openapi/to-openapi30.ts'
import { Id, named, Timestamp } from '../../http/schema.ts'
import { ClientMetadata } from '../apps/register.ts'

const Text = T.String()
const Texts = T.Array(Text)

/** Metadata of the authorization server (RFC 8414). */
export const AuthorizationServerMetadata = named(
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

/** Response of the token endpoint (RFC 6749, section 5.1). */
export const TokenResponse = named(
  'Tokens',
  T.Object({
    access_token: T.String({ description: 'at_…: send it as Authorization: Bearer, or DPoP if it is bound to a key' }),
    token_type: T.String({ description: 'Bearer or DPoP' }),
    expires_in: T.Integer({ description: 'seconds: 90 days' }),
    refresh_token: T.String({ description: 'rt_…: works once' }),
    scope: T.String(),
  }),
)

/** Response of the introspection endpoint (RFC 7662). */
export const Introspection = named(
  'Introspection',
  T.Object({
    active: T.Boolean(),
    scope: T.Optional(Text),
    client_id: T.Optional(Text),
    sub: T.Optional(T.String({ description: 'the id of the user' })),
    token_type: T.Optional(Text),
    iss: T.Optional(Text),
    iat: T.Optional(T.Integer()),
    exp: T.Optional(T.Integer()),
    cnf: T.Optional(T.Object({ jkt: Text })),
  }),
)

/** Response of the registration endpoint (RFC 7591). */
const RegisteredClient = named(
  'RegisteredClient',
  T.Object({
    client_id: Text,
    client_id_issued_at: T.Integer(),
    client_secret: T.Optional(T.String({ description: 'only in this response; absent for token_endpoint_auth_method none' })),
    client_secret_expires_at: T.Optional(T.Integer({ description: '0: the secret does not expire' })),
    client_name: Text,
    client_uri: T.Optional(Text),
    redirect_uris: Texts,
    grant_types: Texts,
    response_types: Texts,
    token_endpoint_auth_method: Text,
    scope: Text,
  }),
)

/** Response to a pushed authorization request (RFC 9126). */
export const PushedRequest = named('PushedRequest', T.Object({ request_uri: Text, expires_in: T.Integer({ description: 'seconds' }) }))

/** App that a user authorized, as the API shows it. */
export const ConnectedApp = named(
  'ConnectedApp',
  T.Object({
    id: Id,
    name: Text,
    description: Text,
    website: T.Union([Text, T.Null()]),
    scopes: Texts,
    connectedAt: Timestamp,
    expiresAt: { ...Timestamp, description: 'end of the access, unless the app refreshes its tokens before' },
  }),
)

/** Error response of RFC 6749, section 5.2. */
const OAuthError = named(
  'OAuthError',
  T.Object({
    error: T.String({ description: 'error code' }),
    error_description: T.String({ description: 'explanation of the error' }),
  }),
)
const errorResponse = (description: string) => ({ description, content: { 'application/json': { schema: OAuthError as object } } })

const DESCRIPTION =
  'Accepts a form (application/x-www-form-urlencoded). The app authenticates with HTTP Basic, with client_id and client_secret in the form, or, if it ' +
  'has no secret, with client_id alone. Errors follow RFC 6749, section 5.2: {"error", "error_description"}.'

/** Builds the OpenAPI description of an endpoint that takes a form from apps. */
export const describeProtocolEndpoint = (summary: string, operationId: string, form: object, answer?: TSchema, status = 200) => ({
  tags: ['OAuth'],
  summary,
  operationId,
  description: DESCRIPTION,
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': { schema: form },
    },
  },
  responses: {
    [status]: { description: 'Success.', ...(answer && { content: { 'application/json': { schema: answer as object } } }) },
    400: errorResponse('The request, or the code or token in it, is wrong.'),
    401: errorResponse('The app is unknown, or its secret is wrong.'),
    429: errorResponse('Too many requests or failed attempts; wait for Retry-After seconds.'),
    default: {
      description: 'Any other failure.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
    },
  },
})

/** Builds the OpenAPI description of dynamic client registration. */
export const describeRegistration = (operationId: string) => {
  const { responses } = describeProtocolEndpoint('', operationId, {}, RegisteredClient, 201)
  return {
    tags: ['OAuth'],
    summary: 'Register a client (RFC 7591)',
    operationId,
    description:
      'For programs that register themselves, such as MCP clients. At most 20 registrations per hour and network. A client that no user authorizes ' +
      'within a day is deleted. Instead of registering, a client may use the https address of its client id metadata document as client_id.',
    requestBody: { required: true, content: { 'application/json': { schema: toOpenApi30(ClientMetadata) as object } } },
    responses,
  }
}
