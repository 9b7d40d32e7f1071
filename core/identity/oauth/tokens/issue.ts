import type { Scope } from '../../../http/auth/scopes.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newTokenText, type TokenPrefix, weekNamedBy } from '../../auth/credentials/token-text.ts'
import { ACCESS_MS, REFRESH_MS } from './lifetimes.ts'
import type { IssuedPair, Place } from './tokens.queries.ts'

/** What an app is given (RFC 6749, 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer' | 'DPoP'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

export interface Issue {
  /** Of the key that the tokens are bound to. A refresh token is, where no secret guards it (RFC 9449, 5). */
  readonly thumbprint: string | null
  readonly isPublic: boolean
  readonly now: number
}

/** The texts of a pair of tokens: of chance alone, unless said. */
export interface Pair {
  readonly access: string
  readonly refresh: string
}

export const newPair = (now: number): Pair => ({
  access: newTokenText('at', now + ACCESS_MS),
  refresh: newTokenText('rt', now + REFRESH_MS),
})

/** Where a token of this kind is kept; null for what is none. */
export function placeOf(token: string, prefix: TokenPrefix): Place | null {
  const week = token.startsWith(`${prefix}_`) ? weekNamedBy(token) : null
  return week === null ? null : { week, digest: sha256(token) }
}

function placeOfNew(token: string, prefix: TokenPrefix): Place {
  const place = placeOf(token, prefix)
  if (place) return place
  throw new Error('A new token is not written as tokens are.')
}

/** What is kept of both: digests alone. */
export function issued(pair: Pair, { thumbprint, isPublic, now }: Issue): IssuedPair {
  const boundTo = isPublic ? thumbprint : null
  return {
    at: new Date(now),
    access: { ...placeOfNew(pair.access, 'at'), thumbprint, expiresAt: new Date(now + ACCESS_MS) },
    refresh: { ...placeOfNew(pair.refresh, 'rt'), thumbprint: boundTo, expiresAt: new Date(now + REFRESH_MS) },
  }
}

export const answerOf = (pair: Pair, scopes: readonly Scope[], thumbprint: string | null, expiresMs: number): TokenAnswer => ({
  access_token: pair.access,
  token_type: thumbprint === null ? 'Bearer' : 'DPoP',
  expires_in: Math.max(0, Math.round((expiresMs - Date.now()) / 1000)),
  refresh_token: pair.refresh,
  scope: scopes.join(' '),
})
