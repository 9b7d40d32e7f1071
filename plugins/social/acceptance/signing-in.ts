import { check, needed, same } from '../../acceptance/checks.ts'
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

const signs = ({ identityToken }: SocialAdapter) => identityToken !== undefined && identityToken.setting === undefined

/** The host goes by what the definition says: it is played here with the other side. */
export const signInCases = (adapter: SocialAdapter): Draft[] => [
  {
    name: 'whoever signs in as the definition says comes back, and is somebody',
    async run(bench) {
      const { context } = bench.open()
      const { tokens, user } = await signedIn(bench, context)
      const claims = signs(bench.adapter) ? partsOf(tokens.id_token).claims : undefined
      const granted = { accessToken: text(tokens.access_token) ?? '', ...(claims && { claims }), ...(user !== null && { user }) }
      check((await bench.adapter.profile(context, granted)).subject !== '', 'somebody has come')
    },
  },
  {
    name: 'who somebody is comes from its own issuers, under keys that it shows',
    unless: !signs(adapter) && 'it signs nothing, or only where that is set',
    run: isSigned,
  },
]

const filled = (address: string, { settings }: AdapterContext) => address.replace(/\{(\w+)\}/g, (_, name: string) => String(settings[name]))

/** What the host asks of the browser, and then of the provider. */
async function signedIn({ adapter, rig }: Bench, context: AdapterContext): Promise<{ tokens: Row; user: string | null }> {
  const { clientIdName = 'client_id', scopes, scopeSeparator = ' ', responseMode, pkce } = adapter
  const client = { [clientIdName]: String(context.credentials.clientId), redirect_uri: RETURN }
  const asked = new URLSearchParams({
    ...client,
    response_type: 'code',
    scope: scopes.join(scopeSeparator),
    state: STATE,
    ...(responseMode && { response_mode: responseMode }),
    ...(signs(adapter) && { nonce: NONCE }),
    ...(pkce === 'S256' && { code_challenge: await challenge(), code_challenge_method: 'S256' }),
  })
  const back = await rig.ledBack(await context.fetch(`${filled(adapter.authorizeUrl, context)}?${asked}`))
  same(back.get('state'), STATE, 'state')
  const form = new URLSearchParams({
    ...client,
    grant_type: 'authorization_code',
    code: needed(back.get('code') ?? undefined, 'code'),
    client_secret: (await adapter.clientSecret?.(context)) ?? String(context.credentials.clientSecret),
    ...(pkce === 'S256' && { code_verifier: VERIFIER }),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await context.fetch(filled(adapter.tokenUrl, context), { method: 'POST', headers, body: String(form) })
  const tokens = jsonIn(await answer.text())
  check(isRow(tokens) && text(tokens.access_token) !== undefined, 'tokens are given')
  return { tokens, user: back.get('user') }
}

const challenge = async () =>
  toBase64(new Uint8Array(await sha256(VERIFIER)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** The header and the claims of an identity token; none of them is held against its signature here. */
function partsOf(token: unknown): { head: Row; claims: Row } {
  const [head, claims] = (text(token) ?? '')
    .split('.')
    .slice(0, 2)
    .map((part) => jsonIn(new TextDecoder().decode(Uint8Array.fromBase64(part, { alphabet: 'base64url' }))))
  check(isRow(head) && isRow(claims), 'an identity token is given')
  return { head, claims }
}

async function isSigned(bench: Bench): Promise<void> {
  const { adapter, open } = bench
  const { context } = open()
  const { head, claims } = partsOf((await signedIn(bench, context)).tokens.id_token)
  const { keysUrl, issuers, algorithms } = needed(adapter.identityToken, 'identityToken')
  check(issuers.includes(String(claims.iss)), `${claims.iss} is one of its issuers`)
  const strangers = issuers.map((issuer) => issuer.replace('https://', '')).filter((host) => !adapter.net.includes(host))
  same(strangers, [], 'issuers that are none of its own hosts')
  same(claims.nonce, NONCE, 'nonce')
  check(
    algorithms.some((algorithm) => algorithm === head.alg),
    `${head.alg} is one of its algorithms`,
  )
  const shown = jsonIn(await (await context.fetch(keysUrl)).text())
  check(
    rows(isRow(shown) && shown.keys).some(({ kid }) => kid === head.kid),
    'its key is shown',
  )
}
