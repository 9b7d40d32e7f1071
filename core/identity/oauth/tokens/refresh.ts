import type { Context } from '../../../context.ts'
import { RetryTransaction } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import type { Vault } from '../../../lib/crypto/crypto.ts'
import type { App } from '../../apps/client.ts'
import { forgetGrants } from '../../auth/credentials/authenticate.ts'
import { derivedTokenText } from '../../auth/credentials/token-text.ts'
import { type Parameters, required } from '../authorize/form.ts'
import type { Client } from '../client.ts'
import { revokeGrant } from '../grants.queries.ts'
import { invalidGrant, Refusal } from '../refusal.ts'
import { answerOf, issued, type Pair, placeOf, type TokenAnswer } from './issue.ts'
import { ACCESS_MS, REFRESH_MS } from './lifetimes.ts'
import { scopeNames, scopesIn } from './scope.ts'
import { findRefreshToken, type Place } from './tokens.queries.ts'
import type { Tokens } from './tokens.ts'

/** A client that asked twice at once, or lost the first answer, may repeat the request within this time. */
const RETRY_MS = 30_000

interface Given {
  readonly pair: Pair
  readonly scopes: readonly Scope[]
  readonly thumbprint: string | null
  readonly expiresMs: number
}
type Outcome = Given | { readonly ended: string } | { readonly refused: 'wrong' | 'over' }

/** What is asked, and by whom. */
interface Asked {
  readonly token: string
  readonly place: Place
  readonly app: App
  readonly scope: string | undefined
  readonly thumbprint: string | null
}

type Reads = Pick<Context, 'sql' | 'shared' | 'vault' | 'tokens'>

/**
 * Exchanges a refresh token for a new pair. A token works once. A retry within half a minute gets the very same pair, which is derived from the
 * token's own text, so that only digests are stored. A token that comes later, or after its successor was used, is a copy in other hands: its
 * grant ends.
 */
export async function refreshTokens(
  context: Reads,
  { app, guessedWrong }: Client,
  form: Parameters,
  thumbprint: string | null,
): Promise<TokenAnswer> {
  const token = required(form, 'refresh_token')
  const place = placeOf(token, 'rt')
  const outcome = place ? await use(context, { token, place, app, scope: form.get('scope'), thumbprint }) : { refused: 'wrong' as const }
  if ('pair' in outcome) return answerOf(outcome.pair, outcome.scopes, outcome.thumbprint, outcome.expiresMs)
  if ('ended' in outcome) await forgetGrants(context.shared, [outcome.ended])
  else if (outcome.refused === 'wrong') await guessedWrong()
  throw invalidGrant()
}

async function use(context: Reads, asked: Asked): Promise<Outcome> {
  const { token, place, app, thumbprint } = asked
  const now = Date.now()
  const pair = pairAfter(context.vault, token, now)
  const kept = issued(pair, { thumbprint, isPublic: app.secretHash === null, now })
  const named = asked.scope === undefined ? null : scopeNames(asked.scope)
  const scopes = await context.tokens.rotate({ place, appId: app.id, proven: thumbprint, scopes: named, pair: kept })
  return scopes ? { pair, scopes, thumbprint, expiresMs: now + ACCESS_MS } : afterwards(context, asked)
}

/** What becomes of one that could not be used. */
async function afterwards({ sql, tokens, vault }: Reads, { token, place, app, scope, thumbprint }: Asked): Promise<Outcome> {
  const row = await findRefreshToken(sql, place)
  if (!row || row.appId !== app.id) return { refused: 'wrong' }
  if (row.isOver) return { refused: 'over' }
  if (row.thumbprint !== null && row.thumbprint !== thumbprint) return { refused: 'wrong' }
  const usedMs = row.usedAt === null ? null : Date.parse(row.usedAt)
  if (usedMs !== null && (Date.now() - usedMs > RETRY_MS || (await isSuccessorUsed(sql, pairAfter(vault, token, usedMs))))) {
    await revokeGrant(sql, row.grantId)
    return { ended: row.grantId }
  }
  if (scope !== undefined) assertSome(scopesIn(scope, row.scopes))
  if (usedMs === null) throw new RetryTransaction('A refresh token could not be used, and nothing says why.')
  return successorOf(tokens, pairAfter(vault, token, usedMs))
}

/** Whether the client has moved on to the token after this one, so that this request is no retry. */
async function isSuccessorUsed(sql: Reads['sql'], pair: Pair): Promise<boolean> {
  const place = placeOf(pair.refresh, 'rt')
  const row = place && (await findRefreshToken(sql, place))
  return row != null && row.usedAt !== null
}

/** What the first was given, unless that was revoked. */
async function successorOf(tokens: Tokens, pair: Pair): Promise<Outcome> {
  const place = placeOf(pair.access, 'at')
  const row = place && (await tokens.findAccess(place))
  if (!row || row.isOver) return { refused: 'over' }
  return { pair, scopes: row.scopes, thumbprint: row.thumbprint, expiresMs: Date.parse(row.expiresAt) }
}

const pairAfter = (vault: Vault, token: string, usedMs: number): Pair => ({
  access: derivedTokenText('at', usedMs + ACCESS_MS, vault.fingerprint(`oauth access after ${token}`)),
  refresh: derivedTokenText('rt', usedMs + REFRESH_MS, vault.fingerprint(`oauth refresh after ${token}`)),
})

/** Less than was granted may be asked for, for this once; but not nothing. */
function assertSome(scopes: readonly Scope[]): void {
  if (scopes.length === 0) throw new Refusal('invalid_scope', 'Name at least one scope of those that were granted.')
}
