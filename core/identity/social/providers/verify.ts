import { type Granted, Profile } from '../../../../plugins/social/model.ts'
import type { Context } from '../../../context.ts'
import type { BackoffPolicy } from '../../../data/backoff.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { MINUTE_MS } from '../../../lib/durations.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { sealRevocationToken } from '../revoke.ts'
import { socialErrors } from '../social.errors.ts'
import type { ProviderCode, SocialClient } from './clients.ts'
import { CLOCK_SKEW_SECONDS, isSignedToken, verifyIdentityToken } from './identity-token.ts'

/** Rate limit per network for failed verifications, each of which costs a request to a provider. */
const SPACING: BackoffPolicy = { freeAttempts: 20, firstMs: 1_000, maxMs: 5 * MINUTE_MS, resetAfterMs: 60 * MINUTE_MS }

/** Values that came with a code. */
interface CodeContext {
  /** Nonce that was sent to the provider. */
  readonly nonce?: string | undefined
  readonly user?: string | undefined
}

/** Verified identity of a user at a provider. */
export interface VerifiedIdentity {
  readonly profile: Profile
  /** Encrypted token with which the sign-in is revoked at the provider; null when the provider needs none. */
  readonly sealedToken: string | null
  /** Identity token to record as used, because it works only once. */
  readonly token?: { readonly digest: string; readonly expiresAt: Date }
}

/** Exchanges a code and returns the identity of its user. Throws `invalid_credentials`, `rate_limited`, and errors of the provider. */
export const verifyProviderCode = (
  context: Context,
  client: SocialClient,
  address: string,
  code: ProviderCode,
  { nonce, user }: CodeContext,
): Promise<VerifiedIdentity> =>
  verifyThrottled(context, address, async () => {
    const { accessToken, idToken, refreshToken } = await client.exchange(code)
    const claims = idToken !== undefined && acceptsIdentityTokens(client) ? await readClaims(context, client, idToken, nonce) : undefined
    const profile = await profileOf(client, { accessToken, ...(claims && { claims }), ...(user !== undefined && { user }) })
    return { profile, sealedToken: sealRevocationToken(context, client.adapter.slug, profile.subject, refreshToken) }
  })

/**
 * Verifies a token that the provider gave to an app, and returns the identity of its user. Throws like {@link verifyProviderCode}, and
 * `adapter_refused` when the provider has no such tokens.
 */
export const verifyProviderToken = (context: Context, client: SocialClient, address: string, token: string, nonce: string | undefined) =>
  verifyThrottled(context, address, async (): Promise<VerifiedIdentity> => {
    const { verifyToken, label } = client.adapter
    if (acceptsIdentityTokens(client) && (isSignedToken(token) || !verifyToken)) {
      const claims = await readClaims(context, client, token, nonce)
      return { profile: await profileOf(client, { claims }), sealedToken: null, token: singleUseRecord(token, claims) }
    }
    if (!verifyToken) throw socialErrors.tokensUnsupported({ label })
    return { profile: await client.callAdapter('verifyToken', (_, own) => verifyToken(own, token), Profile), sealedToken: null }
  })

const profileOf = (client: SocialClient, granted: Granted) =>
  client.callAdapter('profile', ({ profile }, own) => profile(own, granted), Profile)

/** Builds the record that makes a token work once. It hashes the signed part only, because a signature can be encoded in several ways. */
const singleUseRecord = (token: string, { exp = 0 }: { readonly exp?: number }) => ({
  digest: sha256(token.slice(0, token.lastIndexOf('.'))),
  expiresAt: new Date((exp + CLOCK_SKEW_SECONDS) * 1000),
})

const acceptsIdentityTokens = ({ adapter: { identityToken }, settings }: SocialClient) =>
  identityToken !== undefined && (identityToken.setting === undefined || settings[identityToken.setting] === true)

async function readClaims(
  { providerKeys }: Context,
  { adapter, clientId, settings }: SocialClient,
  token: string,
  nonce: string | undefined,
) {
  const { label, net, identityToken } = adapter
  if (!identityToken) throw new Error(`${label} does not sign identity tokens.`)
  const audiences = [clientId, ...splitList(settings.appIds)]
  return verifyIdentityToken(providerKeys, { label, net, identityToken }, token, { audiences, nonce })
}

/**
 * Counts an attempt before it is made. Attempts that succeed, or that fail for another reason than `invalid_credentials`, are subtracted.
 */
async function verifyThrottled<V>({ shared }: Context, address: string, work: () => Promise<V>): Promise<V> {
  const key = `social:${networkOf(address)}`
  const waitMs = await shared.backoff.acquire(key, SPACING)
  if (waitMs > 0) {
    const wait = Math.ceil(waitMs / 1000)
    throw socialErrors.tooManyFailedSignIns({ wait }, { retryAfterSeconds: wait })
  }
  try {
    const done = await work()
    await shared.backoff.release(key)
    return done
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_credentials') await shared.backoff.release(key)
    throw error
  }
}

/** Splits a setting at commas, without empty parts. */
export const splitList = (typed: unknown): string[] =>
  String(typed ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
