import type { JWTPayload, RemoteJWKSet } from 'jose'
import type { SocialAdapter } from '../../../../plugins/social/members.ts'
import { constantTimeEqual, sha256 } from '../../../lib/crypto/crypto.ts'
import type { Outbound } from '../../../lib/net/outbound.ts'
import { jose } from '../../jose.ts'
import { socialErrors } from '../social.errors.ts'

type IdentityToken = NonNullable<SocialAdapter['identityToken']>
type Issuing = Pick<SocialAdapter, 'label' | 'net'> & { readonly identityToken: IdentityToken }

/** Audiences and nonce that an identity token must have. */
export interface ExpectedClaims {
  readonly audiences: readonly string[]
  /** Nonce that was sent to the provider. */
  readonly nonce: string | undefined
}

/** Cache of the signing keys of providers. */
export interface ProviderKeys {
  /** Returns the key set of a provider. */
  keySetOf(adapter: Issuing): RemoteJWKSet
}

const CACHE_MS = 10 * 60_000
/** Minimum time in milliseconds between two fetches for unknown keys, because anybody can name one. */
const REFETCH_MS = 1_000
const FETCH_MS = 4_000
const KEYS_BYTES_MAX = 256 * 1024
/** Tolerated difference between clocks in seconds. */
export const CLOCK_SKEW_SECONDS = 30

/** Creates the cache of keys. It fetches them without credentials, because they are public. */
export function openProviderKeys(outbound: Outbound, { lookAgainMs = REFETCH_MS, fetchMs = FETCH_MS } = {}): ProviderKeys {
  const sets = new Map<string, RemoteJWKSet>()
  return {
    keySetOf({ net, identityToken: { keysUrl } }) {
      const known = sets.get(keysUrl)
      if (known) return known
      const { createRemoteJWKSet, customFetch } = jose()
      const read = async (url: string, { signal }: { signal: AbortSignal }) => {
        const { status, body } = await outbound({ url, allowedHosts: net, timeoutMs: fetchMs, maxBytes: KEYS_BYTES_MAX, signal })
        return new Response(body as Uint8Array<ArrayBuffer>, { status })
      }
      const timing = { cacheMaxAge: CACHE_MS, cooldownDuration: lookAgainMs, timeoutDuration: fetchMs }
      const set = createRemoteJWKSet(new URL(keysUrl), { ...timing, [customFetch]: read })
      sets.set(keysUrl, set)
      return set
    },
  }
}

/**
 * Verifies an identity token and returns its claims. Throws `invalid_credentials`, and `upstream_error` when the keys of the provider
 * cannot be read.
 */
export async function verifyIdentityToken(
  keys: ProviderKeys,
  adapter: Issuing,
  token: string,
  expected: ExpectedClaims,
): Promise<JWTPayload> {
  const { identityToken, label } = adapter
  const { issuers, algorithms } = identityToken
  // Checked before the signature, so that a wrong token causes no fetch of keys.
  assertIntended(token, identityToken, expected)
  const rules = {
    issuer: [...issuers],
    audience: [...expected.audiences],
    algorithms: [...algorithms],
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['sub', 'exp'],
  }
  const { payload } = await jose()
    .jwtVerify(token, keys.keySetOf(adapter), rules)
    .catch((cause: unknown) => {
      throw isTokenError(cause) ? invalidToken(cause) : socialErrors.keysUnreadable({ label }, { cause })
    })
  assertNonce(payload.nonce, expected.nonce)
  return payload
}

/** Tells if an error of jose means an invalid token. All other errors concern the keys. */
function isTokenError(cause: unknown): boolean {
  const { errors } = jose()
  const tokenErrors = [
    errors.JWTClaimValidationFailed,
    errors.JWTExpired,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWSInvalid,
    errors.JWTInvalid,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys,
    errors.JWSSignatureVerificationFailed,
  ]
  return tokenErrors.some((Failure) => cause instanceof Failure)
}

const invalidToken = (cause?: unknown) =>
  socialErrors.idTokenInvalid({
    cause,
  })

function assertIntended(token: string, { issuers, algorithms }: IdentityToken, { audiences }: ExpectedClaims): void {
  const { header, claims } = decode(token)
  const named = [claims.aud ?? []].flat()
  const isIntended =
    (algorithms as readonly (string | undefined)[]).includes(header.alg) &&
    issuers.includes(String(claims.iss)) &&
    named.some((each) => audiences.includes(each)) &&
    Number(claims.exp) > Date.now() / 1000 - CLOCK_SKEW_SECONDS
  if (!isIntended) throw invalidToken()
}

function decode(token: string) {
  const { decodeJwt, decodeProtectedHeader } = jose()
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch (cause) {
    throw invalidToken(cause)
  }
}

/**
 * Compares the nonce of a token with the expected one. Apps on iOS send its SHA-256 instead, so both are accepted. Throws
 * `invalid_credentials`.
 */
function assertNonce(claimed: unknown, expected: string | undefined): void {
  if (claimed === undefined && expected === undefined) return
  const actual = String(claimed ?? '')
  const isRight = expected !== undefined && [expected, sha256(expected)].some((each) => constantTimeEqual(each, actual))
  if (!isRight) throw socialErrors.nonceMismatch()
}

/** Tells if a text has the three parts of a signed token (JWS). Opaque access tokens do not. */
export const isSignedToken = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
