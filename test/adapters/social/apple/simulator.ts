import { exportPKCS8, generateKeyPair, type JWTPayload, jwtVerify } from 'jose'
import type { Account } from '../../../../plugins/social/acceptance.ts'
import { type Call, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { formOf, openBooks, openKeys, refusal, timed } from '../books.ts'

export const names = { clientId: 'com.example.web', teamId: 'TEAM123456', keyId: 'KEY1234567' }
const HALF_YEAR_S = 15_777_000

/**
 * Apple's side: the answer comes as a form of a page of its own, the name beside it the first time only, truth values are words, and the
 * client's secret is a token that was signed with its key.
 */
export async function startApple(options: SimulatorOptions = {}) {
  const books = openBooks()
  const keys = await openKeys()
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const client = { ...names, privateKey: await exportPKCS8(privateKey) }
  const known = new Set<string>()
  /** What tokens are renewed with, and whose it is; gone once it was given up. */
  const renewing = new Map<string, string>()
  const claimsOf = ({ subject, email, emailVerified }: Account): JWTPayload => ({
    iss: 'https://appleid.apple.com',
    aud: client.clientId,
    sub: subject,
    ...(email !== undefined && { email, is_private_email: String(email.endsWith('@privaterelay.appleid.com')) }),
    ...(emailVerified !== undefined && { email_verified: String(emailVerified) }),
    nonce_supported: true,
    ...timed(),
  })

  async function answer(call: Call): Promise<Response> {
    const { method, path, query } = call
    if (path === '/auth/authorize') return authorize(query)
    if (`${method} ${path}` === 'POST /auth/token') return token(call)
    if (`${method} ${path}` === 'POST /auth/revoke') return revoke(call)
    return path === '/auth/keys' ? keys.jwks() : refusal('not_found', 404)
  }

  function authorize(query: URLSearchParams): Response {
    const isAsked = query.get('client_id') === client.clientId && query.get('response_type') === 'code' && query.get('state')
    if (!isAsked || (query.get('scope') && query.get('response_mode') !== 'form_post')) return refusal('invalid_request')
    const { account, denies } = books.state
    const said = denies ? { error: 'user_cancelled_authorize' } : { code: books.issue(query), ...nameFor(account) }
    const fields = Object.entries({ ...said, state: query.get('state') ?? '' })
    const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`)
    const page = `<form method="post" action="${query.get('redirect_uri')}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
    return new Response(page, { headers: { 'content-type': 'text/html' } })
  }

  /** The first time only. */
  function nameFor({ subject, name = '', email }: Account): { user?: string } {
    if (known.has(subject)) return {}
    known.add(subject)
    return { user: userOf(name, email) }
  }

  async function token(call: Call): Promise<Response> {
    const form = formOf(call)
    if (form.get('client_id') !== client.clientId || !(await takesSecret(form.get('client_secret') ?? ''))) return refusal('invalid_client')
    const issued = books.redeem(form)
    if (!issued) return refusal('invalid_grant')
    const { account, nonce } = issued
    const refresh_token = `r.${books.newToken(account)}`
    renewing.set(refresh_token, account.subject)
    const id_token = await keys.sign({ ...claimsOf(account), ...(nonce !== null && { nonce }) })
    return Response.json({
      access_token: books.newToken(account),
      expires_in: 3600,
      refresh_token,
      token_type: 'Bearer',
      id_token,
    })
  }

  /** Also what was given up before is fine to it. */
  async function revoke(call: Call): Promise<Response> {
    const form = formOf(call)
    if (form.get('client_id') !== client.clientId || !(await takesSecret(form.get('client_secret') ?? ''))) return refusal('invalid_client')
    if (!form.get('token')) return refusal('invalid_request')
    renewing.delete(form.get('token') ?? '')
    return new Response(null, { status: 200 })
  }

  async function takesSecret(secret: string): Promise<boolean> {
    // Signatures are written without padding (RFC 7515, 2).
    if (secret.includes('=')) return false
    const rules = { issuer: client.teamId, subject: client.clientId, audience: 'https://appleid.apple.com', algorithms: ['ES256'] }
    const verified = await jwtVerify(secret, publicKey, rules).catch(() => undefined)
    const { exp = Number.POSITIVE_INFINITY, iat = 0 } = verified?.payload ?? {}
    return verified?.protectedHeader.kid === client.keyId && exp - iat <= HALF_YEAR_S
  }

  const simulator = startSimulator(options, { faultsOn: '^POST /auth/token$', answer })
  return {
    ...simulator,
    books,
    client,
    renewing,
    claimsOf,
    takesSecret,
    idToken: (account: Account, change: JWTPayload = {}) => keys.sign({ ...claimsOf(account), ...change }),
  }
}

export const userOf = (name: string, email?: string) => {
  const [firstName = '', ...rest] = name.split(' ')
  return JSON.stringify({ name: { firstName, lastName: rest.join(' ') }, ...(email !== undefined && { email }) })
}
