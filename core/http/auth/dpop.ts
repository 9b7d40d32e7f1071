import { ApiError } from '../errors/errors.ts'
import { type ActingApp, buildChallenge } from './principal.ts'

/** A DPoP proof (RFC 9449) that cannot be accepted. The message names the claim that is wrong. */
export class DpopError extends Error {
  override readonly name = 'DpopError'
}
/** Nonces that proofs must contain, if the token's app requires them. */

/** Verifies proofs of possession for tokens that are bound to a key. */
export interface DpopVerifier {
  /** Thumbprint (RFC 7638) of the key that signed a proof for this request. Throws {@link DpopError}. */
  thumbprint(proof: string, request: { method: string; address: string; token: string }): Promise<string>
  /** Nonces that proofs must contain, if the token's app requires them. */
  readonly nonces: { fresh(): string; isIn(proof: string): boolean }
}

interface Sent {
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
}

/**
 * Throws 401 unless the request proves the key that its token is bound to (RFC 9449, 7). A token without a key is sent as a bearer token.
 * `origin` is our address as callers know it.
 */
export async function assertProof(
  { request, set }: Sent,
  token: string,
  app: ActingApp | undefined,
  origin: string,
  verifier: DpopVerifier,
) {
  const proof = request.headers.get('dpop')
  if (app?.needsDpopNonce) {
    // Sent with every answer, so that a client has the next nonce before it needs it.
    set.headers['dpop-nonce'] = verifier.nonces.fresh()
    if (proof !== null && !verifier.nonces.isIn(proof))
      throw refused('use_dpop_nonce', 'Make a new proof with the nonce of the header "DPoP-Nonce" in it.')
  }
  if (proof === null) throw refused('invalid_token', UNPROVEN)
  const address = origin + new URL(request.url).pathname
  const thumbprint = await verifier.thumbprint(proof, { method: request.method, address, token }).catch((error: unknown) => {
    throw error instanceof DpopError ? refused('invalid_dpop_proof', error.message) : error
  })
  if (thumbprint !== app?.keyThumbprint) throw refused('invalid_token', UNPROVEN)
}

const UNPROVEN = 'This token is bound to a key: send it as "Authorization: DPoP …" with a fresh proof by that key in the header "DPoP".'

const refused = (error: string, message: string) =>
  new ApiError('invalid_token', message, { headers: { 'www-authenticate': buildChallenge(`error="${error}"`, { isBound: true }) } })
