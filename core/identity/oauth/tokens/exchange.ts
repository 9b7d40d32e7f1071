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

/** A code for tokens. A code works once: who brings it again, with all that proves it, ends what the first was given. */
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
    if (!code || code.appId !== app.id || !isProven(code, app.redirectUris, form, thumbprint)) return { refused: 'wrong' as const }
    if (code.usedAt !== null) return end(tx, code)
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

async function end(tx: Tx, { grantId }: CodeRow): Promise<{ ended: string }> {
  await revokeGrant(tx, grantId)
  return { ended: grantId }
}

/** Whether it comes from who asked for it: the same address, the verifier (RFC 7636), the key (RFC 9449, 10). */
function isProven({ redirectUri, challenge, thumbprint }: CodeRow, registered: readonly string[], form: Parameters, proven: string | null) {
  const uri = form.get('redirect_uri')
  const isSamePlace = redirectUri === null ? uri === undefined || hasRedirectUri(registered, uri) : uri === redirectUri
  return isSamePlace && (thumbprint === null || thumbprint === proven) && isVerified(challenge, form.get('code_verifier'))
}

/** A verifier where no challenge was is somebody else's code, brought in. */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  return constantTimeEqual(challenge, createHash('sha256').update(verifier).digest('base64url'))
}
