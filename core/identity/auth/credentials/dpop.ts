import { createHash } from 'node:crypto'
import type { JWTPayload, JWTVerifyResult } from 'jose'
import type { SharedState } from '../../../data/shared/shared.ts'
import { DpopError } from '../../../http/auth/dpop.ts'
import { jose } from '../../jose.ts'

/** Maximum difference in seconds between the clock and the time of a proof. */
const PROOF_AGE_S = 60
const PROOF_CHARS = 4_000
const JTI_CHARS = 200
/** Characters of an RSA key's modulus and exponent; verifying longer ones is work that a stranger could ask for. */
const RSA_CHARS = { n: 1_400, e: 12 }

/** Names of the signature algorithms that proofs may use. */
export const dpopAlgorithms = ['ES256', 'Ed25519', 'EdDSA', 'PS256', 'RS256']

/** Request that a proof must have been made for. */
export interface ProvenRequest {
  readonly method: string
  /** Public address of the request, without the query. */
  readonly address: string
  /** Access token that the proof accompanies, if any. */
  readonly token?: string
}

/** Nonce in a proof, unverified; undefined when there is none or the proof is no JWT. */
export function nonceIn(proof: string): string | undefined {
  const { decodeJwt } = jose()
  try {
    const { nonce } = decodeJwt(proof.slice(0, PROOF_CHARS))
    return typeof nonce === 'string' ? nonce : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies a DPoP proof (RFC 9449, 4.3) for a request and returns the thumbprint (RFC 7638) of its key. Each proof counts once. Throws
 * {@link DpopError} with a sentence that names what is wrong.
 */
export async function verifyProof(shared: SharedState, proof: string, request: ProvenRequest): Promise<string> {
  if (proof.length > PROOF_CHARS) throw new DpopError(`A DPoP proof has at most ${PROOF_CHARS} characters.`)
  const { payload, protectedHeader } = await verifySignature(proof)
  assertMadeFor(payload, request)
  const { jwk } = protectedHeader
  if (!jwk || (jwk.n ?? '').length > RSA_CHARS.n || (jwk.e ?? '').length > RSA_CHARS.e)
    throw new DpopError('The key in the DPoP proof is too long.')
  const thumbprint = await jose().calculateJwkThumbprint(jwk)
  const { count } = await shared.countHit(`proof:${digest(`${thumbprint} ${payload.jti}`)}`, 2 * PROOF_AGE_S * 1000)
  if (count > 1) throw new DpopError('This DPoP proof was used before. Make a new one for each request.')
  return thumbprint
}

const REQUIRED = ['jti', 'htm', 'htu', 'iat']

const verifySignature = (proof: string): Promise<JWTVerifyResult> => {
  const { EmbeddedJWK, jwtVerify } = jose()
  return jwtVerify(proof, EmbeddedJWK, { algorithms: dpopAlgorithms, typ: 'dpop+jwt', requiredClaims: REQUIRED }).catch(
    (error: unknown) => {
      throw new DpopError(sentenceOf(error))
    },
  )
}

function sentenceOf(error: unknown): string {
  const { errors } = jose()
  if (error instanceof errors.JOSEAlgNotAllowed) return `A DPoP proof is signed with one of ${dpopAlgorithms.join(', ')}.`
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the DPoP proof does not match its key.'
  if (error instanceof errors.JWTExpired) return 'The DPoP proof has expired.'
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'typ' ? 'DPoP `typ` must be dpop+jwt.' : `DPoP \`${error.claim}\` is missing or wrong.`
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return 'The header DPoP must hold a signed JWT with its public key.'
  return 'The key in the DPoP proof cannot be used: send a public key in `jwk`.'
}

function assertMadeFor({ jti, htm, htu, iat = 0, ath }: JWTPayload, { method, address, token }: ProvenRequest): void {
  if (typeof jti !== 'string' || jti === '' || jti.length > JTI_CHARS)
    throw new DpopError(`DPoP \`jti\` must be a text of at most ${JTI_CHARS} characters.`)
  if (htm !== method) throw new DpopError('DPoP `htm` does not match the request method.')
  const named = typeof htu === 'string' ? URL.parse(htu) : null
  if (!named || named.origin + named.pathname !== new URL(address).href)
    throw new DpopError('DPoP `htu` does not match the request address.')
  if (Math.abs(Date.now() / 1000 - iat) > PROOF_AGE_S) throw new DpopError(`DPoP \`iat\` must be within ${PROOF_AGE_S} seconds of now.`)
  if (token !== undefined && ath !== digest(token)) throw new DpopError('DPoP `ath` does not match the access token.')
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
