/** Parameters and forms of the OAuth endpoints, for the description of the interface. They are read by hand, as the RFCs say. */
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

/** What an app asks a person for: in the address of `/oauth/authorize`, or pushed before. */
const authorization = {
  client_id: { description: 'the id of the app', example: 'app_01jd3k8s6w' },
  response_type: { description: '`code` is the only one', values: ['code'], example: 'code' },
  redirect_uri: {
    description: 'where the person is sent back to, exactly as the app registered it; may be left out where it registered one',
    example: 'https://app.example/callback',
  },
  scope: { description: 'scopes with a space between them; all of the app, unless said', example: 'orders:read' },
  state: { description: 'comes back as it was, at most 2,000 characters; guards against forged answers', example: 'af0ifjsldkj' },
  code_challenge: {
    description: 'the SHA-256 of the verifier in base64url (PKCE, RFC 7636); required of an app without a secret',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  },
  code_challenge_method: { description: '`S256` is the only one', values: ['S256'], example: 'S256' },
  response_mode: { description: '`query` is the only one', values: ['query'] },
  dpop_jkt: { description: 'the thumbprint of the key that the tokens are bound to (RFC 9449)' },
  ui_locales: { description: 'languages that the person reads, the best first: en, fr, ar', example: 'fr' },
} as const satisfies Readonly<Record<string, Field>>

const REQUIRED = ['client_id', 'response_type']

export const authorizeParameters = Object.entries({
  ...authorization,
  request_uri: { description: 'the name of a request that was pushed before (RFC 9126): then only this and client_id are given' },
}).map(([name, { description, ...rest }]: [string, Field]) => {
  const { description: _, ...schema } = text({ ...rest, description })
  return { name, in: 'query' as const, required: name === 'client_id', description, schema }
})

const client = {
  client_id: { description: 'the id of the app, unless it says who it is by HTTP Basic', example: 'app_01jd3k8s6w' },
  client_secret: { description: 'the secret of the app, unless it has none or says it by HTTP Basic' },
} as const

export const TOKEN_FORM = formOf(
  {
    grant_type: {
      description: '`authorization_code`: for a code. `refresh_token`: for a refresh token',
      values: ['authorization_code', 'refresh_token'],
      example: 'authorization_code',
    },
    code: { description: 'for authorization_code: as the person brought it back; works once, for a minute', example: 'ac_…' },
    redirect_uri: {
      description: 'for authorization_code: the same as before, where one was named',
      example: 'https://app.example/callback',
    },
    code_verifier: { description: 'for authorization_code: of the code_challenge', example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
    refresh_token: { description: 'for refresh_token: works once', example: 'rt_…' },
    scope: { description: 'for refresh_token: fewer scopes than before, if any' },
    ...client,
  },
  ['grant_type'],
)

const token = { description: 'an access token or a refresh token', example: 'at_…' }
const hint = { description: 'may be left out: what it is', values: ['access_token', 'refresh_token'] }
export const REVOKE_FORM = formOf({ token, token_type_hint: hint, ...client }, ['token'])
export const INTROSPECT_FORM = formOf({ token, token_type_hint: hint, ...client }, ['token'])
export const PUSH_FORM = formOf({ ...authorization, client_secret: client.client_secret }, REQUIRED)

/** The form of our own page. */
export const PAGE_FORM = formOf(
  {
    csrf: { description: 'of the page that was shown' },
    action: { description: 'what the person did', values: ['signin', 'allow', 'deny', 'switch'] },
    project: { description: 'for allow: the project that the app is let into' },
    email: { description: 'to sign in' },
    password: { description: 'to sign in' },
    secondFactor: { description: 'to sign in, where the person has one' },
  },
  ['csrf'],
)
