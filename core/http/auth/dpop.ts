import { ApiError } from '../errors/errors.ts'
import { type ActingApp, challenge } from './principal.ts'

/** What is asked of who brings a token that is bound to a key. */
export interface Proofs {
  /** The thumbprint of the key that proves a request; null where the proof is none. */
  thumbprint(proof: string, request: { method: string; address: string; token: string }): Promise<string | null>
  /** What such a proof carries, where the token's app asks for it. */
  readonly nonces: { fresh(): string; isIn(proof: string): boolean }
}

interface Sent {
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
}

/**
 * A token that is bound to a key is worth nothing without its proof (RFC 9449), and one that is not is sent as a bearer's. `origin`: where the world
 * asks.
 */
export async function assertBound({ request, set }: Sent, token: string, app: ActingApp | undefined, origin: string, proofs: Proofs) {
  const proof = request.headers.get('dpop')
  if (app?.dpopNonces) {
    // With every answer, so that a program has the next before it needs it.
    set.headers['dpop-nonce'] = proofs.nonces.fresh()
    if (proof !== null && !proofs.nonces.isIn(proof))
      throw refused('use_dpop_nonce', 'Make a new proof, with the nonce of "DPoP-Nonce" in it.')
  }
  const address = origin + new URL(request.url).pathname
  const thumbprint = proof === null ? null : await proofs.thumbprint(proof, { method: request.method, address, token })
  if (thumbprint !== null && thumbprint === app?.boundTo) return
  const error = proof !== null && thumbprint === null ? 'invalid_dpop_proof' : 'invalid_token'
  throw refused(error, 'This token is bound to a key: send it as "Authorization: DPoP …" with a fresh proof in "DPoP".')
}

const refused = (error: string, message: string) =>
  new ApiError('invalid_token', message, { headers: { 'www-authenticate': challenge(`error="${error}"`, true) } })
