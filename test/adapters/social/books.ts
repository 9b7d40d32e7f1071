import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import type { Account } from '../../../plugins/social/acceptance.ts'
import type { Call } from '../../support/simulator/simulator.ts'

/** A code as a provider gave it. */
export interface Issued {
  readonly account: Account
  readonly redirectUri: string
  readonly challenge: string | null
  readonly nonce: string | null
}

/** What all providers keep: who is signed in there, the codes that are out, and the tokens. */
export function openBooks() {
  const codes = new Map<string, Issued>()
  const tokens = new Map<string, Account>()
  const state = {
    /** Who sits before the browser. */
    account: { subject: '1', email: 'someone@example.com', emailVerified: true, name: 'Some One' } as Account,
    denies: false,
  }
  const word = (prefix: string) => `${prefix}${randomBytes(18).toString('base64url')}`
  return {
    state,
    codes,
    tokens,
    issue(query: URLSearchParams): string {
      const code = word('code-')
      const { account } = state
      const [challenge, nonce] = [query.get('code_challenge'), query.get('nonce')]
      codes.set(code, { account, redirectUri: query.get('redirect_uri') ?? '', challenge, nonce })
      return code
    },
    /** Each code once; undefined where it is none, or is asked for otherwise than it was given. */
    redeem(form: URLSearchParams, challengeOf = s256): Issued | undefined {
      const code = form.get('code') ?? ''
      const issued = codes.get(code)
      codes.delete(code)
      if (form.get('grant_type') !== 'authorization_code' || issued?.redirectUri !== (form.get('redirect_uri') ?? '')) return undefined
      return issued.challenge === null || issued.challenge === challengeOf(form.get('code_verifier') ?? '') ? issued : undefined
    },
    newToken(account: Account): string {
      const token = word('token-')
      tokens.set(token, account)
      return token
    },
  }
}

export const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
export const formOf = ({ body }: Pick<Call, 'body'>) => new URLSearchParams(body)
export const refusal = (error: string, status = 400) => Response.json({ error, error_description: `It is ${error}.` }, { status })

/** Back to where the browser came from, with the answer in the address. */
export function sentBack(query: URLSearchParams, answer: Record<string, string>, suffix = ''): Response {
  const url = new URL(query.get('redirect_uri') ?? '')
  for (const [name, value] of Object.entries({ ...answer, state: query.get('state') ?? '' })) url.searchParams.set(name, value)
  return new Response(null, { status: 302, headers: { location: url.href + suffix } })
}

/** Made once: making one takes longer than all that is asked of it. */
const first = new Map<string, ReturnType<typeof newKey>>()

async function newKey(algorithm: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: algorithm } }
}

/** Keys that are changed now and then, as those of big providers are: what was signed with the one before is no longer known. */
export async function openKeys(algorithm = 'RS256') {
  const kept = first.get(algorithm) ?? newKey(algorithm, 'key-1')
  first.set(algorithm, kept)
  let count = 1
  let key = await kept
  return {
    jwks: () => Response.json({ keys: [key.jwk] }, { headers: { 'cache-control': 'public, max-age=3600' } }),
    sign: (claims: JWTPayload, header: { kid?: string } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: key.kid, ...header }).sign(key.privateKey),
    async rotate() {
      count += 1
      key = await newKey(algorithm, `key-${count}`)
    },
  }
}

/** Of now, for five minutes. */
export const timed = () => {
  const iat = Math.floor(Date.now() / 1000)
  return { iat, exp: iat + 300, jti: randomBytes(12).toString('hex') }
}
