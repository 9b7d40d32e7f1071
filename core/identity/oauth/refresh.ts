import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import type { Scope } from '../../http/scopes.ts'
import type { Vault } from '../../lib/crypto.ts'
import { forgetGrants } from '../auth/authenticate.ts'
import { derivedTokenText } from '../auth/token-text.ts'
import type { Client } from './client.ts'
import { type Parameters, required } from './form.ts'
import { revokeGrant } from './grants.queries.ts'
import { ACCESS_MS, answerOf, keepPair, type Pair, placeOf, REFRESH_MS, type TokenAnswer } from './issue.ts'
import { invalidGrant, Refusal } from './refusal.ts'
import { scopesIn } from './scope.ts'
import { findAccessToken, findRefreshToken, type Place, type RefreshRow, useRefreshToken } from './tokens.queries.ts'

/** Somebody who asked twice at once, or lost the first answer, comes back within this. */
const RETRY_MS = 30_000

type Outcome =
  | { readonly pair: Pair; readonly scopes: readonly Scope[]; readonly thumbprint: string | null; readonly expiresMs: number }
  | { readonly ended: string }
  | { readonly refused: 'wrong' | 'over' }

/**
 * A refresh token for a new pair. It works once; a retry within half a minute is given the very same pair, which is made of the token's own
 * text, so that nothing but digests is ever kept. Later it is a copy in somebody else's hands, and everything of its grant ends.
 */
export async function refreshTokens(
  { sql, shared, vault }: Pick<Context, 'sql' | 'shared' | 'vault'>,
  { app, guessedWrong }: Client,
  form: Parameters,
  thumbprint: string | null,
): Promise<TokenAnswer> {
  const token = required(form, 'refresh_token')
  const place = placeOf(token, 'rt')
  const isPublic = app.secretHash === null
  const outcome: Outcome = await transaction(sql, async (tx) => {
    const row = place && (await findRefreshToken(tx, place, true))
    if (!place || !row || row.appId !== app.id) return { refused: 'wrong' }
    if (row.isOver) return { refused: 'over' }
    if (row.thumbprint !== null && row.thumbprint !== thumbprint) return { refused: 'wrong' }
    const usedMs = row.usedAt === null ? null : Date.parse(row.usedAt)
    if (usedMs !== null && Date.now() - usedMs > RETRY_MS) {
      await revokeGrant(tx, row.grantId)
      return { ended: row.grantId }
    }
    const scopes = narrowed(row.scopes, form.get('scope'))
    if (usedMs !== null) return successorOf(tx, pairAfter(vault, token, usedMs))
    return rotate(tx, vault, token, place, row, { scopes, thumbprint, isPublic })
  })
  if ('pair' in outcome) return answerOf(outcome.pair, outcome.scopes, outcome.thumbprint, outcome.expiresMs)
  if ('ended' in outcome) await forgetGrants(shared, [outcome.ended])
  else if (outcome.refused === 'wrong') await guessedWrong()
  throw invalidGrant()
}

async function rotate(
  tx: Tx,
  vault: Vault,
  token: string,
  place: Place,
  { grantId }: RefreshRow,
  issue: { scopes: readonly Scope[]; thumbprint: string | null; isPublic: boolean },
): Promise<Outcome> {
  const now = Date.now()
  const pair = pairAfter(vault, token, now)
  await Promise.all([useRefreshToken(tx, place, new Date(now)), keepPair(tx, pair, { ...issue, grantId, now })])
  return { pair, scopes: issue.scopes, thumbprint: issue.thumbprint, expiresMs: now + ACCESS_MS }
}

/** What the first was given, unless that was revoked. */
async function successorOf(tx: Tx, pair: Pair): Promise<Outcome> {
  const place = placeOf(pair.access, 'at')
  const row = place && (await findAccessToken(tx, place))
  if (!row || row.isOver) return { refused: 'over' }
  return { pair, scopes: row.scopes, thumbprint: row.thumbprint, expiresMs: Date.parse(row.expiresAt) }
}

const pairAfter = (vault: Vault, token: string, usedMs: number): Pair => ({
  access: derivedTokenText('at', usedMs + ACCESS_MS, vault.fingerprint(`oauth access after ${token}`)),
  refresh: derivedTokenText('rt', usedMs + REFRESH_MS, vault.fingerprint(`oauth refresh after ${token}`)),
})

/** Less than was granted may be asked for, for this once. */
function narrowed(granted: readonly Scope[], asked: string | undefined): readonly Scope[] {
  if (asked === undefined) return granted
  const scopes = scopesIn(asked, granted)
  if (scopes.length > 0) return scopes
  throw new Refusal('invalid_scope', 'Name at least one scope of those that were granted.')
}
