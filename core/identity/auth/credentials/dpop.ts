import { createHash, type webcrypto } from 'node:crypto'
import { Type as T, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Shared } from '../../../data/shared/shared.ts'

/** A proof is as old as the request that it comes with; clocks differ. */
const PROOF_AGE_S = 60
const PROOF_CHARS = 4_000

const Text = (maxLength: number) => T.String({ minLength: 1, maxLength })
const Key = T.Union([
  T.Object({ kty: T.Literal('EC'), crv: T.Literal('P-256'), x: Text(60), y: Text(60) }),
  T.Object({ kty: T.Literal('OKP'), crv: T.Literal('Ed25519'), x: Text(60) }),
  T.Object({ kty: T.Literal('RSA'), n: Text(1_400), e: Text(12) }),
])
const Header = T.Object({
  typ: T.Literal('dpop+jwt'),
  alg: T.String(),
  // What a header says has to be understood, nothing here understands (RFC 7515, 4.1.11).
  crit: T.Optional(T.Never()),
  jwk: T.Object({ d: T.Optional(T.Never()), k: T.Optional(T.Never()) }),
})
const Claims = T.Object({
  jti: Text(200),
  htm: T.String(),
  htu: T.String(),
  iat: T.Number(),
  ath: T.Optional(T.String()),
  nonce: T.Optional(T.String()),
})

const RSA_BITS_MIN = 2048

/** How each is imported and verified. */
const algorithms = {
  ES256: { kty: 'EC', key: { name: 'ECDSA', namedCurve: 'P-256' }, sign: { name: 'ECDSA', hash: 'SHA-256' } },
  Ed25519: { kty: 'OKP', key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
  EdDSA: { kty: 'OKP', key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
  PS256: { kty: 'RSA', key: { name: 'RSA-PSS', hash: 'SHA-256' }, sign: { name: 'RSA-PSS', saltLength: 32 } },
  RS256: { kty: 'RSA', key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, sign: { name: 'RSASSA-PKCS1-v1_5' } },
} as const

export const proofAlgorithms = Object.keys(algorithms)

export interface Proven {
  readonly method: string
  /** As the world knows it, without query. */
  readonly address: string
  /** The access token that it comes with, if it does. */
  readonly token?: string
}

/** What a proof says, whoever made it; null where it says nothing. */
export const claimsIn = (proof: string) => parsed(Claims, proof.slice(0, PROOF_CHARS).split('.')[1] ?? '')

/** The thumbprint (RFC 7638) of the key that a proof (RFC 9449) was made with for this request; null where it is none, is old, or was seen before. */
export async function thumbprintOf(shared: Shared, proof: string, request: Proven): Promise<string | null> {
  const [head, body, signature, ...rest] = proof.split('.')
  if (proof.length > PROOF_CHARS || !head || !body || !signature || rest.length > 0) return null
  const [header, claims] = [parsed(Header, head), parsed(Claims, body)]
  if (!header || !claims || !isOf(claims, request)) return null
  const key = Value.Check(Key, header.jwk) ? Value.Clean(Key, structuredClone(header.jwk)) : null
  if (!key || !(await isSigned(header.alg, key as webcrypto.JsonWebKey, `${head}.${body}`, signature))) return null
  const thumbprint = digest(JSON.stringify(Object.fromEntries(Object.entries(key as object).sort(([a], [b]) => (a < b ? -1 : 1)))))
  const { count } = await shared.hit(`proof:${digest(`${thumbprint} ${claims.jti}`)}`, 2 * PROOF_AGE_S * 1000)
  return count === 1 ? thumbprint : null
}

function isOf(
  { htm, htu, iat, ath }: { htm: string; htu: string; iat: number; ath?: string },
  { method, address, token }: Proven,
): boolean {
  const said = URL.parse(htu)
  if (htm !== method || !said || said.origin + said.pathname !== new URL(address).href) return false
  if (Math.abs(Date.now() / 1000 - iat) > PROOF_AGE_S) return false
  return token === undefined ? true : ath === digest(token)
}

async function isSigned(alg: string, jwk: webcrypto.JsonWebKey, text: string, signature: string): Promise<boolean> {
  const algorithm = Object.entries(algorithms).find(([name]) => name === alg)?.[1]
  if (!algorithm || algorithm.kty !== jwk.kty) return false
  if (jwk.n !== undefined && Buffer.from(jwk.n, 'base64url').length * 8 < RSA_BITS_MIN) return false
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm.key, false, ['verify'])
    return await crypto.subtle.verify(algorithm.sign, key, Buffer.from(signature, 'base64url'), Buffer.from(text))
  } catch {
    // A key that is none.
    return false
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

function parsed<S extends TSchema>(schema: S, part: string) {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return Value.Check(schema, value) ? value : null
  } catch {
    return null
  }
}
