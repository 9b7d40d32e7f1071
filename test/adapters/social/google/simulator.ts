import type { JWTPayload } from 'jose'
import type { Account } from '../../../../plugins/social/acceptance.ts'
import { type Call, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { formOf, openBooks, openKeys, refusal, sentBack, timed } from '../books.ts'

export const client = { clientId: 'web-1234.apps.googleusercontent.com', clientSecret: 'GOCSPX-simulated-secret' }

/** Google's side: PKCE is needed, the answer stands in the address, and who somebody is stands in a token that is signed with a key of the day. */
export async function startGoogle(options: SimulatorOptions = {}) {
  const books = openBooks()
  const keys = await openKeys()
  /** Codes of what did not ask who somebody is, and so is not told. */
  const anonymous = new Set<string>()
  const claimsOf = ({ subject, email, emailVerified, name }: Account): JWTPayload => ({
    iss: 'https://accounts.google.com',
    aud: client.clientId,
    azp: client.clientId,
    sub: subject,
    ...(email !== undefined && { email }),
    ...(emailVerified !== undefined && { email_verified: emailVerified }),
    ...(name !== undefined && { name, given_name: name.split(' ')[0] }),
    ...timed(),
  })

  async function answer(call: Call): Promise<Response> {
    const { method, path, query } = call
    if (path === '/o/oauth2/v2/auth') return authorize(query)
    if (`${method} ${path}` === 'POST /token') return token(call)
    return path === '/oauth2/v3/certs' ? keys.jwks() : refusal('not_found', 404)
  }

  function authorize(query: URLSearchParams): Response {
    const isAsked = query.get('client_id') === client.clientId && query.get('response_type') === 'code' && query.get('state')
    if (!isAsked || query.get('code_challenge_method') !== 'S256') return refusal('invalid_request')
    if (books.state.denies) return sentBack(query, { error: 'access_denied' })
    const code = books.issue(query)
    if (!query.get('scope')?.split(' ').includes('openid')) anonymous.add(code)
    return sentBack(query, { code, scope: query.get('scope') ?? '', prompt: 'none' })
  }

  async function token(call: Call): Promise<Response> {
    const form = formOf(call)
    if (form.get('client_id') !== client.clientId || form.get('client_secret') !== client.clientSecret)
      return refusal('invalid_client', 401)
    const issued = books.redeem(form)
    if (!issued) return refusal('invalid_grant')
    const { account, nonce } = issued
    const id_token = !anonymous.has(form.get('code') ?? '') && (await keys.sign({ ...claimsOf(account), ...(nonce !== null && { nonce }) }))
    return Response.json({
      access_token: books.newToken(account),
      expires_in: 3599,
      scope: 'openid',
      token_type: 'Bearer',
      ...(id_token && { id_token }),
    })
  }

  const simulator = startSimulator(options, { faultsOn: '^POST /token$', answer })
  return {
    ...simulator,
    books,
    claimsOf,
    rotate: keys.rotate,
    /** As the SDK of an app is given one. */
    idToken: (account: Account, change: JWTPayload = {}, header: { kid?: string } = {}) =>
      keys.sign({ ...claimsOf(account), ...change }, header),
  }
}
