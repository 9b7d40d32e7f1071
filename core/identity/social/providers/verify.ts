import { type Granted, Profile } from '../../../../plugins/social/model.ts'
import type { Context } from '../../../context.ts'
import type { Spacing } from '../../../data/backoff.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { networkOf } from '../../../lib/net/addresses.ts'
import { sealToken } from '../revoke.ts'
import type { Code, SocialClient } from './clients.ts'
import { CLOCK_SECONDS, looksSigned, verifyIdentityToken } from './identity-token.ts'

const MINUTE_MS = 60_000

/** What was shown from one network and is nobody's: each time we ask a provider in vain. */
const SPACING: Spacing = { free: 20, firstMs: 1_000, maxMs: 5 * MINUTE_MS, forgetMs: 60 * MINUTE_MS }

/** What came with a code, beside it. */
interface Beside {
  /** What the sign-in was begun with. */
  readonly nonce?: string | undefined
  readonly user?: string | undefined
}

/** Who it is that somebody showed to be. */
export interface Proven {
  readonly profile: Profile
  /** What the provider is told by when this is not needed any more; null where it wants to hear nothing. */
  readonly sealedToken: string | null
  /** The identity token that was shown, which is good for one time. */
  readonly token?: { readonly digest: string; readonly expiresAt: Date }
}

/** Whose a code of the provider is. Throws `invalid_credentials`, `rate_limited`, and what a provider's failure is told by. */
export const proveCode = (context: Context, client: SocialClient, address: string, code: Code, { nonce, user }: Beside): Promise<Proven> =>
  counted(context, address, async () => {
    const { accessToken, idToken, refreshToken } = await client.exchange(code)
    const claims = idToken !== undefined && takesIdentityTokens(client) ? await claimsIn(context, client, idToken, nonce) : undefined
    const profile = await profileOf(client, { accessToken, ...(claims && { claims }), ...(user !== undefined && { user }) })
    return { profile, sealedToken: sealToken(context, client.adapter.slug, profile.subject, refreshToken) }
  })

/** Whose a token is that the provider gave an app. Throws the same, and `adapter_refused` where none of its tokens can be believed. */
export const proveToken = (context: Context, client: SocialClient, address: string, token: string, nonce: string | undefined) =>
  counted(context, address, async (): Promise<Proven> => {
    const { verifyToken, label } = client.adapter
    if (takesIdentityTokens(client) && (looksSigned(token) || !verifyToken)) {
      const claims = await claimsIn(context, client, token, nonce)
      return { profile: await profileOf(client, { claims }), sealedToken: null, token: spending(token, claims) }
    }
    if (!verifyToken) throw new ApiError('adapter_refused', `${label} gives no token that says who somebody is. Send the code: …/callback.`)
    return { profile: await client.ask('verifyToken', (_, own) => verifyToken(own, token), Profile), sealedToken: null }
  })

const profileOf = (client: SocialClient, granted: Granted) => client.ask('profile', ({ profile }, own) => profile(own, granted), Profile)

/** By what is signed of it: the signature itself can be written in several ways. */
const spending = (token: string, { exp = 0 }: { readonly exp?: number }) => ({
  digest: sha256(token.slice(0, token.lastIndexOf('.'))),
  expiresAt: new Date((exp + CLOCK_SECONDS) * 1000),
})

const takesIdentityTokens = ({ adapter: { identityToken }, settings }: SocialClient) =>
  identityToken !== undefined && (identityToken.setting === undefined || settings[identityToken.setting] === true)

async function claimsIn({ socialKeys }: Context, { adapter, clientId, settings }: SocialClient, token: string, nonce: string | undefined) {
  const { label, net, identityToken } = adapter
  if (!identityToken) throw new Error(`${label} signs no identity tokens.`)
  const audiences = [clientId, ...listIn(settings.appIds)]
  return verifyIdentityToken(socialKeys, { label, net, identityToken }, token, { audiences, nonce })
}

/** Tries are counted before they are made; those that were right, and those that failed for another's fault, are given back. */
async function counted<V>({ shared }: Context, address: string, work: () => Promise<V>): Promise<V> {
  const key = `social:${networkOf(address)}`
  const waitMs = await shared.backoff.take(key, SPACING)
  if (waitMs > 0) {
    const wait = String(Math.ceil(waitMs / 1000))
    throw new ApiError('rate_limited', `Too many sign-ins that came to nothing. Wait ${wait} s.`, { headers: { 'retry-after': wait } })
  }
  try {
    const done = await work()
    await shared.backoff.giveBack(key)
    return done
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_credentials') await shared.backoff.giveBack(key)
    throw error
  }
}

/** What a person typed between commas. */
export const listIn = (typed: unknown): string[] =>
  String(typed ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
