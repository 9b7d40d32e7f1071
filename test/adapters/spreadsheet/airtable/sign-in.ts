import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../../../support/simulator/simulator.ts'

export const CLIENT = { clientId: 'client-of-airtable-0123456789', clientSecret: 'secret-of-the-client-0A1b2C3d4E5f' }
/** Works always, as if somebody had signed in long ago. */
export const TOKEN = 'oaa.simulator-0A1b2C3d4E5f'
const SCOPES = 'data.records:read data.records:write schema.bases:read schema.bases:write'

interface Grant {
  readonly redirectUri: string
  readonly challenge: string
}

const secret = (prefix: string) => prefix + randomBytes(12).toString('hex')
const no = (status: number, error: string) => Response.json({ error, error_description: 'No.' }, { status })

/** Airtable's way of signing in: a challenge always, the client by Basic, and tokens that are worth nothing once others came for them. */
export function signIn(now: () => number) {
  const state = { lifetime: 3600, revoked: false, renewed: 0 }
  const codes = new Map<string, Grant>()
  const access = new Map<string, number>([[TOKEN, Number.POSITIVE_INFINITY]])
  /** To each refresh token the access token that came with it. */
  const refresh = new Map<string, string>()

  function authorize({ query }: Call): Response {
    const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge') ?? '']
    const isAsked = query.get('client_id') === CLIENT.clientId && query.get('response_type') === 'code' && query.get('scope') === SCOPES
    const isProven = challenge !== '' && query.get('code_challenge_method') === 'S256' && (query.get('state') ?? '').length >= 16
    if (!isAsked || !isProven) return no(400, 'invalid_request')
    const code = secret('')
    codes.set(code, { redirectUri, challenge })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return new Response(null, { status: 302, headers: { location: back.href } })
  }

  function token({ headers, body }: Call): Response {
    const said = new URLSearchParams(body)
    if (headers.get('authorization') !== `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}`) return no(401, 'invalid_client')
    return said.get('grant_type') === 'refresh_token' ? renewed(said.get('refresh_token') ?? '') : exchanged(said)
  }

  function renewed(old: string): Response {
    const standing = refresh.get(old)
    if (standing === undefined || state.revoked) return no(400, 'invalid_grant')
    state.renewed += 1
    refresh.delete(old)
    access.delete(standing)
    return issue()
  }

  function exchanged(said: URLSearchParams): Response {
    const grant = codes.get(said.get('code') ?? '')
    codes.delete(said.get('code') ?? '')
    const verifier = said.get('code_verifier') ?? ''
    const proof = createHash('sha256').update(verifier).digest('base64url')
    if (!/^[A-Za-z0-9._-]{43,128}$/.test(verifier)) return no(400, 'invalid_request')
    if (!grant || grant.redirectUri !== said.get('redirect_uri') || grant.challenge !== proof) return no(400, 'invalid_grant')
    return issue()
  }

  function issue(): Response {
    const [accessToken, refreshToken] = [secret('oaa.'), secret('oar.')]
    access.set(accessToken, now() + state.lifetime * 1000)
    refresh.set(refreshToken, accessToken)
    return Response.json({
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      scope: SCOPES,
      expires_in: state.lifetime,
      refresh_expires_in: 60 * 24 * 3600,
    })
  }

  const isKnown = ({ headers }: Call) => {
    const bearer = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    return !state.revoked && (access.get(bearer) ?? 0) > now()
  }

  return { state, authorize, token, isKnown }
}
