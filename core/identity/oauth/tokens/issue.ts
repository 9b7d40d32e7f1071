import type { Scope } from '../../../http/auth/scopes.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newTokenText, type TokenPrefix, weekNamedBy } from '../../auth/credentials/token-text.ts'
import { ACCESS_MS, REFRESH_MS } from './lifetimes.ts'
import type { IssuedPair, Place } from './tokens.queries.ts'

/** Body of a token response (RFC 6749, section 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer' | 'DPoP'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** Options of a pair of tokens. */
export interface Issue {
  /** Thumbprint of the key to which the tokens are bound. Refresh tokens are bound only for public apps (RFC 9449, section 5). */
  readonly thumbprint: string | null
  readonly isPublic: boolean
  /** Time of issue in milliseconds. */
  readonly now: number
}

/** Texts of an access token and its refresh token. */
export interface Pair {
  readonly access: string
  readonly refresh: string
}

/** Generates a pair of random tokens. */
export const newPair = (now: number): Pair => ({
  access: newTokenText('at', now + ACCESS_MS),
  refresh: newTokenText('rt', now + REFRESH_MS),
})

/** Returns the partition and digest under which a token is stored. Returns null when the text is not a token with this prefix. */
export function placeOf(token: string, prefix: TokenPrefix): Place | null {
  const week = token.startsWith(`${prefix}_`) ? weekNamedBy(token) : null
  return week === null ? null : { week, digest: sha256(token) }
}

function requirePlace(token: string, prefix: TokenPrefix): Place {
  const place = placeOf(token, prefix)
  if (place) return place
  throw new Error('A generated token does not have the format of tokens.')
}

/** Builds the rows of a pair of tokens, which contain only digests. */
export function issued(pair: Pair, { thumbprint, isPublic, now }: Issue): IssuedPair {
  const boundTo = isPublic ? thumbprint : null
  return {
    at: new Date(now),
    access: { ...requirePlace(pair.access, 'at'), thumbprint, expiresAt: new Date(now + ACCESS_MS) },
    refresh: { ...requirePlace(pair.refresh, 'rt'), thumbprint: boundTo, expiresAt: new Date(now + REFRESH_MS) },
  }
}

/** Builds the body of a token response. `expiresMs` is the time in milliseconds at which the access token expires. */
export const answerOf = (pair: Pair, scopes: readonly Scope[], thumbprint: string | null, expiresMs: number): TokenAnswer => ({
  access_token: pair.access,
  token_type: thumbprint === null ? 'Bearer' : 'DPoP',
  expires_in: Math.max(0, Math.round((expiresMs - Date.now()) / 1000)),
  refresh_token: pair.refresh,
  scope: scopes.join(' '),
})
