import { createHash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { constantTimeEqual, sha256 } from '../../../lib/crypto/crypto.ts'
import { hasRedirectUri } from '../../apps/redirect-uris.ts'
import { forgetGrants } from '../../auth/credentials/authenticate.ts'
import { type Parameters, required } from '../authorize/form.ts'
import type { Client } from '../client.ts'
import { type CodeRow, lockCode, revokeGrant, useCode } from '../grants.queries.ts'
import { invalidGrant } from '../refusal.ts'
import { answerOf, issued, newPair, type TokenAnswer } from './issue.ts'
import { ACCESS_MS } from './lifetimes.ts'
import { insertPair } from './tokens.queries.ts'

/**
 * Exchanges a code for tokens. A code works once: when it is sent again with all its proofs, its grant and tokens are revoked. Throws
 * `invalid_grant`.
 */
export async function exchangeCode(
  { sql, shared }: Pick<Context, 'sql' | 'shared'>,
  { app, guessedWrong }: Client,
  form: Parameters,
  thumbprint: string | null,
): Promise<TokenAnswer> {
  const [digest, now] = [sha256(required(form, 'code')), Date.now()]
  const pair = newPair(now)
  const outcome = await transaction(sql, async (tx) => {
    const code = await lockCode(tx, digest)
    if (!code || code.appId !== app.id || !isProofComplete(code, app.redirectUris, form, thumbprint)) return { refused: 'wrong' as const }
    if (code.usedAt !== null) return revokeReused(tx, code)
    if (code.isOver) return { refused: 'over' as const }
    const kept = issued(pair, { thumbprint, isPublic: app.secretHash === null, now })
    await Promise.all([useCode(tx, digest), insertPair(tx, code.grantId, kept)])
    return { scopes: code.scopes }
  })
  if ('scopes' in outcome) return answerOf(pair, outcome.scopes, thumbprint, now + ACCESS_MS)
  if ('ended' in outcome) await forgetGrants(shared, [outcome.ended])
  else if (outcome.refused === 'wrong') await guessedWrong()
  throw invalidGrant()
}

async function revokeReused(tx: Tx, { grantId }: CodeRow): Promise<{ ended: string }> {
  await revokeGrant(tx, grantId)
  return { ended: grantId }
}

/** Tells if a request matches the one that requested the code: redirect URI, verifier (RFC 7636) and key (RFC 9449, section 10). */
function isProofComplete(
  { redirectUri, challenge, thumbprint }: CodeRow,
  registered: readonly string[],
  form: Parameters,
  proven: string | null,
) {
  const uri = form.get('redirect_uri')
  const isSamePlace = redirectUri === null ? uri === undefined || hasRedirectUri(registered, uri) : uri === redirectUri
  return isSamePlace && (thumbprint === null || thumbprint === proven) && isVerified(challenge, form.get('code_verifier'))
}

/** Tells if the verifier matches the challenge. A verifier without a challenge means that the code was injected. */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  return constantTimeEqual(challenge, createHash('sha256').update(verifier).digest('base64url'))
}
