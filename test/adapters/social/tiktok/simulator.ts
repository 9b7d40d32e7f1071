import { createHash } from 'node:crypto'
import { type Call, type SimulatorOptions, startSimulator } from '../../../support/simulator/simulator.ts'
import { formOf, openBooks, refusal, s256, sentBack } from '../books.ts'

export const client = { clientId: 'awtiktoksimulated', clientSecret: 'tiktok-simulated-secret' }

const hex = (verifier: string) => createHash('sha256').update(verifier).digest('hex')

/** TikTok's side: `client_key`, scopes between commas, no e-mail address, and "ok" where nothing is wrong. */
export function startTikTok(options: SimulatorOptions = {}) {
  const books = openBooks()
  const state = { hexChallenges: false }

  function answer(call: Call): Response {
    const { method, path, query, headers } = call
    if (path === '/v2/auth/authorize') return authorize(query)
    if (`${method} ${path}` === 'POST /v2/oauth/token/') return token(call)
    return path === '/v2/user/info/' ? info(query, headers) : refusal('not_found', 404)
  }

  function authorize(query: URLSearchParams): Response {
    const isAsked = query.get('client_key') === client.clientId && !query.has('client_id') && query.get('state')
    if (!isAsked || query.get('scope')?.includes(' ')) return refusal('client_key')
    if (books.state.denies) return sentBack(query, { error: 'access_denied', error_type: 'access_denied' })
    return sentBack(query, { code: books.issue(query), scopes: query.get('scope') ?? '' })
  }

  function token(call: Call): Response {
    const form = formOf(call)
    if (form.get('client_key') !== client.clientId || form.get('client_secret') !== client.clientSecret)
      return refusal('invalid_client', 401)
    const issued = books.redeem(form, state.hexChallenges ? hex : s256)
    // Some of its refusals come with 200.
    if (!issued) return Response.json({ error: 'invalid_grant', error_description: 'Authorization code is expired.', log_id: 'x' })
    const { account } = issued
    return Response.json({
      access_token: books.newToken(account),
      expires_in: 86_400,
      open_id: account.subject,
      refresh_token: 'rft.simulated',
      scope: 'user.info.basic',
      token_type: 'Bearer',
    })
  }

  function info(query: URLSearchParams, headers: Headers): Response {
    const account = books.tokens.get(headers.get('authorization')?.slice('Bearer '.length) ?? '')
    if (!account)
      return Response.json({ data: {}, error: { code: 'access_token_invalid', message: 'The access token is invalid.' } }, { status: 401 })
    const all: Readonly<Record<string, string | undefined>> = { open_id: account.subject, display_name: account.name }
    const user = Object.fromEntries((query.get('fields') ?? '').split(',').map((field) => [field, all[field]]))
    return Response.json({ data: { user }, error: { code: 'ok', message: '', log_id: 'x' } })
  }

  return { ...startSimulator(options, { faultsOn: '^POST ', answer }), books, state }
}
