import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose'
import type { SocialAdapter } from '../../../../plugins/social/members.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { constantTimeEqual, sha256 } from '../../../lib/crypto/crypto.ts'
import type { Outbound } from '../../../lib/net/outbound.ts'

type IdentityToken = NonNullable<SocialAdapter['identityToken']>
type Issuing = Pick<SocialAdapter, 'label' | 'net'> & { readonly identityToken: IdentityToken }

/** What a token has to be for. */
export interface Expected {
  readonly audiences: readonly string[]
  /** What the sign-in was begun with. */
  readonly nonce: string | undefined
}

/** The keys that providers sign with, as they were last read. */
export interface Keys {
  of(adapter: Issuing): RemoteJWKSet
}

const KEYS_KEPT_MS = 10 * 60_000
/** A key that is not known is looked for no more often: anybody can name one. */
const LOOK_AGAIN_MS = 1_000
const FETCH_MS = 4_000
const KEYS_BYTES_MAX = 256 * 1024
/** Clocks differ. */
export const CLOCK_SECONDS = 30

/** They are public: they are read past the declared hosts' rules, and without any credential. */
export function openKeys(outbound: Outbound, { lookAgainMs = LOOK_AGAIN_MS, fetchMs = FETCH_MS } = {}): Keys {
  const sets = new Map<string, RemoteJWKSet>()
  return {
    of({ net, identityToken: { keysUrl } }) {
      const known = sets.get(keysUrl)
      if (known) return known
      const read = async (url: string, { signal }: { signal: AbortSignal }) => {
        const { status, body } = await outbound({ url, allowedHosts: net, timeoutMs: fetchMs, maxBytes: KEYS_BYTES_MAX, signal })
        return new Response(body as Uint8Array<ArrayBuffer>, { status })
      }
      const timing = { cacheMaxAge: KEYS_KEPT_MS, cooldownDuration: lookAgainMs, timeoutDuration: fetchMs }
      const set = createRemoteJWKSet(new URL(keysUrl), { ...timing, [customFetch]: read })
      sets.set(keysUrl, set)
      return set
    },
  }
}

/** The claims of a token that the provider signed for us, of now. Throws `invalid_credentials`, and `upstream_error` where its keys cannot be read. */
export async function verifyIdentityToken(keys: Keys, adapter: Issuing, token: string, expected: Expected): Promise<JWTPayload> {
  const { identityToken, label } = adapter
  const { issuers, algorithms } = identityToken
  // What is wrong to look at costs nobody a question.
  assertMeant(token, identityToken, expected)
  const rules = {
    issuer: [...issuers],
    audience: [...expected.audiences],
    algorithms: [...algorithms],
    clockTolerance: CLOCK_SECONDS,
    requiredClaims: ['sub', 'exp'],
  }
  const { payload } = await jwtVerify(token, keys.of(adapter), rules).catch((cause: unknown) => {
    throw isOfToken(cause)
      ? refused(cause)
      : new ApiError('upstream_error', `The keys of ${label} could not be read. Try again.`, { cause })
  })
  assertNonce(payload.nonce, expected.nonce)
  return payload
}

/** Said by jose of the token itself; of the keys it says other things, or others do. */
const OF_TOKEN = [
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
const isOfToken = (cause: unknown) => OF_TOKEN.some((Failure) => cause instanceof Failure)

const refused = (cause?: unknown) =>
  new ApiError('invalid_credentials', 'The token is none, is over, or was made for somebody else. Sign in at the provider again.', {
    cause,
  })

function assertMeant(token: string, { issuers, algorithms }: IdentityToken, { audiences }: Expected): void {
  const { header, claims } = decoded(token)
  const named = [claims.aud ?? []].flat()
  const isMeant =
    (algorithms as readonly (string | undefined)[]).includes(header.alg) &&
    issuers.includes(String(claims.iss)) &&
    named.some((each) => audiences.includes(each)) &&
    Number(claims.exp) > Date.now() / 1000 - CLOCK_SECONDS
  if (!isMeant) throw refused()
}

function decoded(token: string) {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch (cause) {
    throw refused(cause)
  }
}

/** It stands in the token as it was given to the provider, or as its SHA-256, as apps on iOS give it. Where it stands in one it is needed. */
function assertNonce(claimed: unknown, expected: string | undefined): void {
  if (claimed === undefined && expected === undefined) return
  const said = String(claimed ?? '')
  const isRight = expected !== undefined && [expected, sha256(expected)].some((each) => constantTimeEqual(each, said))
  if (!isRight) throw new ApiError('invalid_credentials', 'The nonce of the token is not the one that was sent with it. Begin again.')
}

/** Three parts, as a signed token has; what a provider gives besides has none. */
export const looksSigned = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
