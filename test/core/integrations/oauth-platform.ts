import { createHash, randomBytes } from 'node:crypto'
import { type Call, type Simulator, startSimulator } from '../../support/simulator/simulator.ts'

export const CLIENT = { clientId: 'client-of-the-shop', clientSecret: 'secret-of-the-client' }

interface Grant {
  readonly redirectUri: string
  readonly challenge: string | null
}

/** What one person's yes brought: used twice, nothing of it is worth anything. */
interface Family {
  revoked: boolean
  refreshToken: string
}

type Style = 'plain' | 'basic' | 'nested' | 'lasting'
type Said = Readonly<Record<string, string>>

const no = (error: string, status = 400) => Response.json({ error, error_description: `It is ${error}.` }, { status })
const secret = (prefix: string) => `${prefix}-${randomBytes(12).toString('hex')}`

/**
 * A platform that people sign in at: codes and refresh tokens work once, and one that comes back revokes all that came of it; PKCE by S256 and
 * the redirect address are checked to the letter. Each style of the address asks and answers in its own way.
 */
export function startPlatform() {
  const codes = new Map<string, Grant>()
  const access = new Map<string, { ends: number; family: Family }>()
  const refresh = new Map<string, { family: Family; used: boolean }>()
  /** All that must be nowhere in a log or a trace. */
  const secrets = new Set<string>([CLIENT.clientSecret])
  const keys = new Set<string>(['right'])
  const state = { lifetime: 3600, denies: false, redirects: [] as string[], renewals: 0, revoked: 0, secret: CLIENT.clientSecret }
  const note = (text: string) => secrets.add(text) && text

  function authorize(style: Style, query: URLSearchParams): Response {
    const [id, redirectUri = '', asked = ''] = [
      query.get(style === 'nested' ? 'app_id' : 'client_id'),
      query.get('redirect_uri') ?? '',
      query.get('state') ?? '',
    ]
    if (id !== CLIENT.clientId || query.get('response_type') !== 'code') return no('invalid_request')
    if (state.redirects.length > 0 && !state.redirects.includes(redirectUri)) return no('redirect_uri_mismatch')
    const challenge = query.get('code_challenge')
    if (style !== 'nested' && (query.get('code_challenge_method') !== 'S256' || challenge?.length !== 43)) return no('pkce_required')
    const back = new URL(redirectUri)
    back.searchParams.set('state', asked)
    if (state.denies) back.searchParams.set('error', 'access_denied')
    else {
      const code = note(secret('code'))
      codes.set(code, { redirectUri, challenge })
      back.searchParams.set(style === 'nested' ? 'auth_code' : 'code', code)
    }
    return new Response(null, { status: 302, headers: { location: back.href } })
  }

  function issue(style: Style, family: Family): Response {
    const accessToken = note(secret('access'))
    access.set(accessToken, { ends: Date.now() + state.lifetime * 1000, family })
    const isKept = style === 'basic' && family.refreshToken !== ''
    const refreshToken = isKept ? family.refreshToken : note(secret('refresh'))
    if (style !== 'lasting' && !isKept) refresh.set(refreshToken, { family, used: false })
    family.refreshToken = refreshToken
    if (style === 'nested') {
      const data = {
        access_token: accessToken,
        refresh_token: refreshToken,
        expires: Math.floor(Date.now() / 1000) + state.lifetime,
        merchant: note(secret('77')),
      }
      return Response.json({ code: 0, data })
    }
    return Response.json({
      token_type: 'Bearer',
      access_token: accessToken,
      expires_in: state.lifetime,
      ...(style !== 'lasting' && !isKept && { refresh_token: refreshToken }),
    })
  }

  function exchange(style: Style, said: Said): Response {
    const code = said[style === 'nested' ? 'auth_code' : 'code'] ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    if (!grant || grant.redirectUri !== said.redirect_uri) return no('invalid_grant')
    const verifier = said.code_verifier ?? ''
    if (verifier) note(verifier)
    const proof = createHash('sha256').update(verifier).digest('base64url')
    if (grant.challenge !== null && proof !== grant.challenge) return no('invalid_grant')
    return issue(style, { revoked: false, refreshToken: '' })
  }

  function renew(style: Style, { refresh_token: token = '' }: Said): Response {
    const known = refresh.get(token)
    const isSpent = known?.used && style !== 'basic'
    if (known && isSpent) known.family.revoked = true
    if (!known || known.family.revoked) return style === 'nested' ? Response.json({ code: 40105, message: 'token' }) : no('invalid_grant')
    known.used = true
    state.renewals += 1
    return issue(style, known.family)
  }

  function token(style: Style, call: Call): Response {
    const { said, id, proof } = readToken(style, call)
    if (id !== CLIENT.clientId || proof !== state.secret) return no('invalid_client', 401)
    if (said.grant_type === 'refresh_token') return renew(style, said)
    if (said.grant_type === 'lasting_token' && access.has(said.short_token ?? '')) return issue(style, { revoked: false, refreshToken: '' })
    return said.grant_type === 'authorization_code' ? exchange(style, said) : no('unsupported_grant_type')
  }

  function revoke(call: Call): Response {
    const { said } = readToken('plain', call)
    const family = refresh.get(said.token ?? '')?.family ?? access.get(said.token ?? '')?.family
    if (family) Object.assign(family, { revoked: true })
    state.revoked += family ? 1 : 0
    return new Response(null, { status: 200 })
  }

  function api(path: string, headers: Headers): Response {
    if (path === '/open') return new Response('Anybody')
    const bearer = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const known = access.get(bearer)
    const works = keys.has(bearer) || (known && known.ends > Date.now() && !known.family.revoked)
    return works ? new Response(path === '/me' ? 'Lina' : 'Alger') : new Response('who?', { status: 401 })
  }

  const simulator: Simulator = startSimulator(
    {},
    {
      faultsOn: '^POST /plain/token',
      answer(call) {
        const [, style, act] = /^\/(plain|basic|nested|lasting)\/(\w+)$/.exec(call.path) ?? []
        if (act === 'authorize') return authorize(style as Style, call.query)
        if (act === 'token') return token(style as Style, call)
        return act === 'revoke' ? revoke(call) : api(call.path, call.headers)
      },
    },
  )
  return {
    ...simulator,
    state,
    secrets,
    keys,
    asked: (path: string) => simulator.requests.filter((call) => call.path === path).length,
    /** Access tokens work no more, as if their time were over; nobody is told. */
    expire: () => access.clear(),
    /** The person took their yes back. */
    revokeAll() {
      for (const { family } of refresh.values()) family.revoked = true
      access.clear()
    },
  }
}
export type Platform = ReturnType<typeof startPlatform>

/** What was said, in the one way that the style has. */
function readToken(
  style: Style,
  { method, body, query, headers }: Call,
): { said: Said; id: string | undefined; proof: string | undefined } {
  const type = headers.get('content-type') ?? ''
  if (style === 'nested') {
    const said: Said = method === 'POST' && type.startsWith('application/json') ? JSON.parse(body) : {}
    return { said, id: said.app_id, proof: said.secret }
  }
  if (style === 'lasting') {
    const said: Said = method === 'GET' ? Object.fromEntries(query) : {}
    return { said, id: said.client_id, proof: said.client_secret }
  }
  const said: Said =
    method === 'POST' && type.startsWith('application/x-www-form-urlencoded') ? Object.fromEntries(new URLSearchParams(body)) : {}
  if (style === 'plain') return { said, id: said.client_id, proof: said.client_secret }
  const [id, proof] = atob(headers.get('authorization')?.replace('Basic ', '') ?? '')
    .split(':')
    .map(decodeURIComponent)
  return { said, id: said.client_id === undefined ? id : undefined, proof }
}
