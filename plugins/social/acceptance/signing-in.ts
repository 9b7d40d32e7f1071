import { assertEqual, check, requireMember } from '../../acceptance/checks.ts'
import type { AdapterContext } from '../../adapter.ts'
import { jsonIn } from '../../toolkit/ask.ts'
import { sha256, toBase64 } from '../../toolkit/proof.ts'
import { isRow, type Row, rows, text } from '../../toolkit/values.ts'
import type { SocialAdapter } from '../kind.ts'
import type { Bench, Draft } from './draft.ts'

const RETURN = 'https://ours.example/v1/social/callback'
const STATE = 'a-state-that-works-once'
const NONCE = 'a-nonce-of-this-sign-in'
const VERIFIER = 'a-verifier-that-nobody-else-has-0123456789-abcdefgh'

const hasSignedToken = ({ identityToken }: SocialAdapter) => identityToken !== undefined && identityToken.setting === undefined

/** Cases that play the host's part: they sign in at the simulator as the definition says. */
export const signInCases = (adapter: SocialAdapter): Draft[] => [
  {
    name: 'a sign-in as declared returns to the host, and has a profile',
    async run(bench) {
      const { context } = bench.open()
      const { tokens, user } = await signIn(bench, context)
      const claims = hasSignedToken(bench.adapter) ? partsOf(tokens.id_token).claims : undefined
      const granted = { accessToken: text(tokens.access_token) ?? '', ...(claims && { claims }), ...(user !== null && { user }) }
      check((await bench.adapter.profile(context, granted)).subject !== '', 'the profile has a subject')
    },
  },
  {
    name: 'identity tokens come from its own issuers, signed with its published keys',
    unless: !hasSignedToken(adapter) && 'it signs no tokens, or only if a setting enables it',
    run: verifiesIssuerAndKey,
  },
]

const fillAddress = (address: string, { settings }: AdapterContext) =>
  address.replace(/\{(\w+)\}/g, (_, name: string) => String(settings[name]))

/** Performs a sign-in as the host does: first in the browser, then at the token endpoint. */
async function signIn({ adapter, rig }: Bench, context: AdapterContext): Promise<{ tokens: Row; user: string | null }> {
  const { clientIdName = 'client_id', scopes, scopeSeparator = ' ', responseMode, pkce } = adapter
  const client = { [clientIdName]: String(context.credentials.clientId), redirect_uri: RETURN }
  const asked = new URLSearchParams({
    ...client,
    response_type: 'code',
    scope: scopes.join(scopeSeparator),
    state: STATE,
    ...(responseMode && { response_mode: responseMode }),
    ...(hasSignedToken(adapter) && { nonce: NONCE }),
    ...(pkce === 'S256' && { code_challenge: await challenge(), code_challenge_method: 'S256' }),
  })
  const back = await rig.ledBack(await context.fetch(`${fillAddress(adapter.authorizeUrl, context)}?${asked}`))
  assertEqual(back.get('state'), STATE, 'state')
  const form = new URLSearchParams({
    ...client,
    grant_type: 'authorization_code',
    code: requireMember(back.get('code') ?? undefined, 'code'),
    client_secret: (await adapter.clientSecret?.(context)) ?? String(context.credentials.clientSecret),
    ...(pkce === 'S256' && { code_verifier: VERIFIER }),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await context.fetch(fillAddress(adapter.tokenUrl, context), { method: 'POST', headers, body: String(form) })
  const tokens = jsonIn(await answer.text())
  check(isRow(tokens) && text(tokens.access_token) !== undefined, 'the response holds tokens')
  return { tokens, user: back.get('user') }
}

const challenge = async () =>
  toBase64(new Uint8Array(await sha256(VERIFIER)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** Decodes the header and the claims of an identity token, without verifying its signature. */
function partsOf(token: unknown): { head: Row; claims: Row } {
  const [head, claims] = (text(token) ?? '')
    .split('.')
    .slice(0, 2)
    .map((part) => jsonIn(new TextDecoder().decode(Uint8Array.fromBase64(part, { alphabet: 'base64url' }))))
  check(isRow(head) && isRow(claims), 'the response holds an identity token')
  return { head, claims }
}

async function verifiesIssuerAndKey(bench: Bench): Promise<void> {
  const { adapter, open } = bench
  const { context } = open()
  const { head, claims } = partsOf((await signIn(bench, context)).tokens.id_token)
  const { keysUrl, issuers, algorithms } = requireMember(adapter.identityToken, 'identityToken')
  check(issuers.includes(String(claims.iss)), `${claims.iss} is one of its issuers`)
  const foreign = issuers.map((issuer) => issuer.replace('https://', '')).filter((host) => !adapter.net.includes(host))
  assertEqual(foreign, [], 'issuers that are not among its hosts')
  assertEqual(claims.nonce, NONCE, 'nonce')
  check(
    algorithms.some((algorithm) => algorithm === head.alg),
    `${head.alg} is one of its algorithms`,
  )
  const shown = jsonIn(await (await context.fetch(keysUrl)).text())
  check(
    rows(isRow(shown) && shown.keys).some(({ kid }) => kid === head.kid),
    'its key is published',
  )
}
