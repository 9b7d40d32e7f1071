import { createHmac } from 'node:crypto'
import type { Account } from '../../../../plugins/social/acceptance.ts'
import { type Call, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { openBooks, openKeys, sentBack, timed } from '../books.ts'

export const client = { clientId: '123456789012345', clientSecret: 'facebook-simulated-secret' }
const VERSION = '/v26.0'

/** An error as the Graph API writes it. */
const graphError = (message: string, code: number, status = 400) =>
  Response.json({ error: { message, type: 'OAuthException', code, fbtrace_id: 'x' } }, { status })

/** Facebook's side: versions that ended answer nothing, an address is told and never that it was checked, and readings are proven with the secret. */
export async function startFacebook(options: SimulatorOptions = {}) {
  const books = openBooks()
  const keys = await openKeys()
  /** Tokens of other apps, and those that are over. */
  const [foreign, over] = [new Set<string>(), new Set<string>()]

  function answer(call: Call): Response {
    const { method, path, query, body } = call
    if (path === '/.well-known/oauth/openid/jwks/') return keys.jwks()
    if (!path.startsWith(`${VERSION}/`)) return graphError('This version of the API is over.', 2635)
    const name = path.slice(VERSION.length)
    if (name === '/dialog/oauth') return authorize(query)
    // Both are taken: the address, and a form.
    if (name === '/oauth/access_token') return token(method === 'POST' ? new URLSearchParams(body) : query)
    if (name === '/debug_token') return debug(query)
    return name === '/me' ? me(query) : graphError('Unknown path components', 2500, 404)
  }

  function authorize(query: URLSearchParams): Response {
    if (query.get('client_id') !== client.clientId || !query.get('state')) return graphError('Invalid app', 101)
    if (books.state.denies) return sentBack(query, { error: 'access_denied', error_reason: 'user_denied' }, '#_=_')
    return sentBack(query, { code: books.issue(query) }, '#_=_')
  }

  function token(form: URLSearchParams): Response {
    if (form.get('client_id') !== client.clientId || form.get('client_secret') !== client.clientSecret)
      return graphError('Error validating client secret.', 1)
    const issued = books.redeem(new URLSearchParams([...form, ['grant_type', 'authorization_code']]))
    if (!issued) return graphError('This authorization code has been used.', 100)
    return Response.json({ access_token: books.newToken(issued.account), token_type: 'bearer', expires_in: 5_183_999 })
  }

  function debug(query: URLSearchParams): Response {
    if (query.get('access_token') !== `${client.clientId}|${client.clientSecret}`) return graphError('Invalid OAuth access token.', 190)
    const token = query.get('input_token') ?? ''
    const account = books.tokens.get(token)
    if (!account)
      return Response.json({ data: { error: { code: 190, message: 'The access token could not be decrypted' }, is_valid: false } })
    const expires_at = Math.floor(Date.now() / 1000) + (over.has(token) ? -60 : 3600)
    const app_id = foreign.has(token) ? '999' : client.clientId
    return Response.json({ data: { app_id, type: 'USER', is_valid: !over.has(token), expires_at, user_id: account.subject } })
  }

  function me(query: URLSearchParams): Response {
    const token = query.get('access_token') ?? ''
    const account = books.tokens.get(token)
    if (!account || over.has(token)) return graphError('Error validating access token.', 190, 401)
    const proof = createHmac('sha256', client.clientSecret).update(token).digest('hex')
    if (query.get('appsecret_proof') !== proof) return graphError('Invalid appsecret_proof provided in the API argument', 100)
    const { subject: id, name, email } = account
    const all = { id, name, email } as Readonly<Record<string, string | undefined>>
    return Response.json(Object.fromEntries((query.get('fields') ?? 'id').split(',').map((field) => [field, all[field]])))
  }

  const simulator = startSimulator(options, { faultsOn: '/oauth/access_token$', answer })
  return {
    ...simulator,
    books,
    foreign,
    over,
    /** Of Limited Login. */
    idToken: ({ subject, email, name }: Account) =>
      keys.sign({ iss: 'https://www.facebook.com', aud: client.clientId, sub: subject, email, name, ...timed() }),
  }
}
