/** Parameter of an OAuth endpoint for the OpenAPI document. The endpoints parse parameters themselves, as the RFCs require. */
interface Field {
  readonly description: string
  readonly values?: readonly string[]
  readonly example?: string
}

const text = ({ description, values, example }: Field) => ({
  type: 'string' as const,
  description,
  ...(values && { enum: [...values] }),
  ...(example !== undefined && { example }),
})

const formOf = (fields: Readonly<Record<string, Field>>, required: readonly string[] = []) => ({
  type: 'object' as const,
  ...(required.length > 0 && { required: [...required] }),
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, text(field)])),
})

/** Parameters of an authorization request, in the query of `/oauth/authorize` or pushed before. */
const authorization = {
  client_id: { description: 'the id of the app', example: 'app_01jd3k8s6wq2v5x7y9z0a1b2c3' },
  response_type: { description: '`code` is the only one', values: ['code'], example: 'code' },
  redirect_uri: {
    description: 'address to redirect the user to, exactly as registered; optional if the app registered only one',
    example: 'https://app.example/callback',
  },
  scope: { description: 'scopes separated by spaces; all scopes of the app by default', example: 'orders:read' },
  state: { description: 'returned unchanged, at most 2,000 characters; protects against forged responses', example: 'af0ifjsldkj' },
  code_challenge: {
    description: 'the SHA-256 of the verifier in base64url (PKCE, RFC 7636); required for an app without a secret',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  },
  code_challenge_method: { description: '`S256` is the only one', values: ['S256'], example: 'S256' },
  response_mode: { description: '`query` is the only one', values: ['query'] },
  dpop_jkt: { description: 'the thumbprint of the key that the tokens are bound to (RFC 9449)' },
  ui_locales: { description: 'languages of the user in order of preference: en, fr, ar', example: 'fr' },
} as const satisfies Readonly<Record<string, Field>>

const REQUIRED = ['client_id', 'response_type']

/** OpenAPI parameters of `/oauth/authorize`. */
export const authorizeParameters = Object.entries({
  ...authorization,
  request_uri: { description: 'the request_uri of a pushed request (RFC 9126); send only this and client_id' },
}).map(([name, { description, ...rest }]: [string, Field]) => {
  const { description: _, ...schema } = text({ ...rest, description })
  return { name, in: 'query' as const, required: name === 'client_id', description, schema }
})

const client = {
  client_id: { description: 'the id of the app, unless it authenticates with HTTP Basic', example: 'app_01jd3k8s6wq2v5x7y9z0a1b2c3' },
  client_secret: { description: 'the secret of the app, unless it has none or authenticates with HTTP Basic' },
} as const

/** OpenAPI schema of the form of the token endpoint. */
export const TOKEN_FORM = formOf(
  {
    grant_type: {
      description: 'what is exchanged for an access token',
      values: ['authorization_code', 'refresh_token'],
      example: 'authorization_code',
    },
    code: { description: 'for authorization_code: the code from the redirect; works once, within a minute', example: 'ac_…' },
    redirect_uri: {
      description: 'for authorization_code: the redirect_uri of the authorization request, if it had one',
      example: 'https://app.example/callback',
    },
    code_verifier: {
      description: 'for authorization_code: the verifier of the code_challenge',
      example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    refresh_token: { description: 'for refresh_token: works once', example: 'rt_…' },
    scope: { description: 'for refresh_token: fewer scopes than were granted' },
    ...client,
  },
  ['grant_type'],
)

const token = { description: 'an access token or a refresh token', example: 'at_…' }
const hint = { description: 'optional type of the token', values: ['access_token', 'refresh_token'] }
/** OpenAPI schema of the form that revokes a token. */
export const REVOKE_FORM = formOf({ token, token_type_hint: hint, ...client }, ['token'])
/** OpenAPI schema of the form that introspects a token. */
export const INTROSPECT_FORM = formOf({ token, token_type_hint: hint, ...client }, ['token'])
/** OpenAPI schema of the form that pushes an authorization request. */
export const PUSH_FORM = formOf({ ...authorization, client_secret: client.client_secret }, REQUIRED)

/** OpenAPI schema of the forms on the authorization pages. */
export const PAGE_FORM = formOf(
  {
    csrf: { description: 'CSRF token of the page' },
    action: { description: 'action of the user', values: ['signin', 'allow', 'deny', 'switch'] },
    project: { description: 'for allow: the project that the app may access' },
    email: { description: 'to sign in' },
    password: { description: 'to sign in' },
    secondFactor: { description: 'to sign in, if the account has a second factor' },
  },
  ['csrf'],
)
