import type { Context } from '../../../context.ts'
import { RetryTransaction } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import type { Vault } from '../../../lib/crypto/crypto.ts'
import type { App } from '../../apps/client.ts'
import { evictGrantCredentials } from '../../auth/credentials/authenticate.ts'
import { deriveTokenText } from '../../auth/credentials/token-text.ts'
import { type FormParameters, requireParameter } from '../authorize/form.ts'
import type { OAuthClient } from '../client.ts'
import { revokeGrant } from '../grants.queries.ts'
import { invalidGrant, Refusal } from '../refusal.ts'
import { issuedPairOf, type TokenPair, type TokenResponseBody, tokenLocation, tokenResponseBody } from './issue.ts'
import { ACCESS_TOKEN_MS, REFRESH_TOKEN_MS } from './lifetimes.ts'
import { parseScopes, splitScopes } from './scope.ts'
import { findRefreshToken, type TokenLocation } from './tokens.queries.ts'
import type { TokenStore } from './tokens.ts'

/** Time in milliseconds within which a client may repeat a request, after a concurrent request or a lost response. */
const RETRY_MS = 30_000

interface RefreshResult {
  readonly pair: TokenPair
  readonly scopes: readonly Scope[]
  readonly thumbprint: string | null
  readonly expiresMs: number
}
type Outcome = RefreshResult | { readonly ended: string } | { readonly refused: 'wrong' | 'over' }

/** Refresh request of an app. */
interface RefreshRequest {
  readonly token: string
  readonly place: TokenLocation
  readonly app: App
  readonly scope: string | undefined
  readonly thumbprint: string | null
}

type Dependencies = Pick<Context, 'sql' | 'shared' | 'vault' | 'tokenStore'>

/**
 * Exchanges a refresh token for a new pair. A token works once. A retry within 30 s returns the same pair, which is derived from the
 * token's text, so only digests are stored. A later use, or one after the successor was used, means that the token was copied: its grant is
 * revoked. Throws `invalid_grant`, `invalid_scope`.
 */
export async function refreshTokens(
  context: Dependencies,
  { app, recordWrongGuess: guessedWrong }: OAuthClient,
  form: FormParameters,
  thumbprint: string | null,
): Promise<TokenResponseBody> {
  const token = requireParameter(form, 'refresh_token')
  const place = tokenLocation(token, 'rt')
  const outcome = place
    ? await rotateToken(context, { token, place, app, scope: form.get('scope'), thumbprint })
    : { refused: 'wrong' as const }
  if ('pair' in outcome) return tokenResponseBody(outcome.pair, outcome.scopes, outcome.thumbprint, outcome.expiresMs)
  if ('ended' in outcome) await evictGrantCredentials(context.shared, [outcome.ended])
  else if (outcome.refused === 'wrong') await guessedWrong()
  throw invalidGrant()
}

async function rotateToken(context: Dependencies, request: RefreshRequest): Promise<Outcome> {
  const { token, place, app, thumbprint } = request
  const now = Date.now()
  const pair = pairAfter(context.vault, token, now)
  const issuedPair = issuedPairOf(pair, { thumbprint, isPublic: app.secretHash === null, now })
  const named = request.scope === undefined ? null : splitScopes(request.scope)
  const scopes = await context.tokenStore.rotate({ place, appId: app.id, proven: thumbprint, scopes: named, pair: issuedPair })
  return scopes ? { pair, scopes, thumbprint, expiresMs: now + ACCESS_TOKEN_MS } : handleFailedRotation(context, request)
}

/** Decides about a refresh token that could not be used: an error, a retry, or a copy. */
async function handleFailedRotation(
  { sql, tokenStore, vault }: Dependencies,
  { token, place, app, scope, thumbprint }: RefreshRequest,
): Promise<Outcome> {
  const row = await findRefreshToken(sql, place)
  if (!row || row.appId !== app.id) return { refused: 'wrong' }
  if (row.isOver) return { refused: 'over' }
  if (row.thumbprint !== null && row.thumbprint !== thumbprint) return { refused: 'wrong' }
  const usedMs = row.usedAt === null ? null : Date.parse(row.usedAt)
  if (usedMs !== null && (Date.now() - usedMs > RETRY_MS || (await isSuccessorUsed(sql, pairAfter(vault, token, usedMs))))) {
    await revokeGrant(sql, row.grantId)
    return { ended: row.grantId }
  }
  if (scope !== undefined) assertSome(parseScopes(scope, row.scopes))
  if (usedMs === null) throw new RetryTransaction('A refresh token could not be used for an unknown reason.')
  return successorOf(tokenStore, pairAfter(vault, token, usedMs))
}

/** Tells if the client has used the next refresh token already, so that this request is no retry. */
async function isSuccessorUsed(sql: Dependencies['sql'], pair: TokenPair): Promise<boolean> {
  const place = tokenLocation(pair.refresh, 'rt')
  const row = place && (await findRefreshToken(sql, place))
  return row != null && row.usedAt !== null
}

/** Returns the pair that the first request got, unless it was revoked. */
async function successorOf(tokens: TokenStore, pair: TokenPair): Promise<Outcome> {
  const place = tokenLocation(pair.access, 'at')
  const row = place && (await tokens.findAccessToken(place))
  if (!row || row.isOver) return { refused: 'over' }
  return { pair, scopes: row.scopes, thumbprint: row.thumbprint, expiresMs: Date.parse(row.expiresAt) }
}

const pairAfter = (vault: Vault, token: string, usedMs: number): TokenPair => ({
  access: deriveTokenText('at', usedMs + ACCESS_TOKEN_MS, vault.fingerprint(`oauth access after ${token}`)),
  refresh: deriveTokenText('rt', usedMs + REFRESH_TOKEN_MS, vault.fingerprint(`oauth refresh after ${token}`)),
})

/** Throws `invalid_scope` when no scope is left. Fewer scopes than granted are allowed for one pair. */
function assertSome(scopes: readonly Scope[]): void {
  if (scopes.length === 0) throw new Refusal('invalid_scope', 'Name at least one of the granted scopes.')
}
