import type { Scope } from '../../../http/auth/scopes.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newTokenText, type TokenPrefix, weekOfToken } from '../../auth/credentials/token-text.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from './lifetimes.ts'
import type { IssuedPair, TokenLocation } from './tokens.queries.ts'

/** Body of a token response (RFC 6749, section 5.1). */
export interface TokenResponseBody {
  readonly access_token: string
  readonly token_type: 'Bearer' | 'DPoP'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

/** Options of a pair of tokens. */
export interface IssueOptions {
  /** Thumbprint of the key to which the tokens are bound. Refresh tokens are bound only for public apps (RFC 9449, section 5). */
  readonly thumbprint: string | null
  readonly isPublic: boolean
  /** Time of issue in milliseconds. */
  readonly now: number
}

/** Texts of an access token and its refresh token. */
export interface TokenPair {
  readonly access: string
  readonly refresh: string
}

/** Generates a pair of random tokens. */
export const newTokenPair = (now: number): TokenPair => ({
  access: newTokenText('at', now + ACCESS_TOKEN_MS),
  refresh: newTokenText('rt', now + REFRESH_TOKEN_MS),
})

/** Returns the partition and digest under which a token is stored. Returns null when the text is not a token with this prefix. */
export function tokenLocation(token: string, prefix: TokenPrefix): TokenLocation | null {
  const week = token.startsWith(`${prefix}_`) ? weekOfToken(token) : null
  return week === null ? null : { week, digest: sha256(token) }
}

function requirePlace(token: string, prefix: TokenPrefix): TokenLocation {
  const place = tokenLocation(token, prefix)
  if (place) return place
  throw new Error('A generated token does not have the format of tokens.')
}

/** Builds the rows of a pair of tokens, which contain only digests. */
export function issuedPairOf(pair: TokenPair, { thumbprint, isPublic, now }: IssueOptions): IssuedPair {
  const boundTo = isPublic ? thumbprint : null
  return {
    at: new Date(now),
    access: { ...requirePlace(pair.access, 'at'), thumbprint, expiresAt: new Date(now + ACCESS_TOKEN_MS) },
    refresh: { ...requirePlace(pair.refresh, 'rt'), thumbprint: boundTo, expiresAt: new Date(now + REFRESH_TOKEN_MS) },
  }
}

/** Builds the body of a token response. `expiresMs` is the time in milliseconds at which the access token expires. */
export const tokenResponseBody = (
  pair: TokenPair,
  scopes: readonly Scope[],
  thumbprint: string | null,
  expiresMs: number,
): TokenResponseBody => ({
  access_token: pair.access,
  token_type: thumbprint === null ? 'Bearer' : 'DPoP',
  expires_in: Math.max(0, Math.round((expiresMs - Date.now()) / 1000)),
  refresh_token: pair.refresh,
  scope: scopes.join(' '),
})
