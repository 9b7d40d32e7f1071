import type { Queryable } from '../../data/sql.ts'
import type { Scope } from '../../http/scopes.ts'
import { sha256 } from '../../lib/crypto.ts'
import { newTokenText, type TokenPrefix, weekNamedBy } from '../auth/token-text.ts'
import { insertPair, type Place } from './tokens.queries.ts'

const DAY_MS = 86_400_000
export const ACCESS_MS = 90 * DAY_MS
/** A grant that nobody refreshes for so long is over. */
export const REFRESH_MS = 180 * DAY_MS

/** What an app is given (RFC 6749, 5.1). */
export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: 'Bearer' | 'DPoP'
  readonly expires_in: number
  readonly refresh_token: string
  readonly scope: string
}

export interface Issue {
  readonly grantId: string
  readonly scopes: readonly Scope[]
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

/** Keeps the digests of both, and their grant as long. */
export function keepPair(tx: Queryable, pair: Pair, { grantId, scopes, thumbprint, isPublic, now }: Issue) {
  const createdAt = new Date(now)
  const access = { ...placeOfNew(pair.access, 'at'), thumbprint, createdAt, expiresAt: new Date(now + ACCESS_MS) }
  const boundTo = isPublic ? thumbprint : null
  const refresh = { ...placeOfNew(pair.refresh, 'rt'), thumbprint: boundTo, createdAt, expiresAt: new Date(now + REFRESH_MS) }
  return insertPair(tx, grantId, scopes, access, refresh)
}

export const answerOf = (pair: Pair, scopes: readonly Scope[], thumbprint: string | null, expiresMs: number): TokenAnswer => ({
  access_token: pair.access,
  token_type: thumbprint === null ? 'Bearer' : 'DPoP',
  expires_in: Math.max(0, Math.round((expiresMs - Date.now()) / 1000)),
  refresh_token: pair.refresh,
  scope: scopes.join(' '),
})
