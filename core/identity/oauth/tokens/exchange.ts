import { createHash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { constantTimeEqual, sha256 } from '../../../lib/crypto/crypto.ts'
import { hasRedirectUri } from '../../apps/redirect-uris.ts'
import { evictGrantCredentials } from '../../auth/credentials/authenticate.ts'
import { type FormParameters, requireParameter } from '../authorize/form.ts'
import type { OAuthClient } from '../client.ts'
import { type AuthorizationCodeRow, lockAuthorizationCode, markAuthorizationCodeUsed, revokeGrant } from '../grants.queries.ts'
import { invalidGrant } from '../refusal.ts'
import { issuedPairOf, newTokenPair, type TokenResponseBody, tokenResponseBody } from './issue.ts'
import { ACCESS_TOKEN_MS } from './lifetimes.ts'
import { insertTokenPair } from './tokens.queries.ts'

/**
 * Exchanges a code for tokens. A code works once: when it is sent again with all its proofs, its grant and tokens are revoked. Throws
 * `invalid_grant`.
 */
export async function exchangeCode(
  { sql, shared }: Pick<Context, 'sql' | 'shared'>,
  { app, recordWrongGuess: guessedWrong }: OAuthClient,
  form: FormParameters,
  thumbprint: string | null,
): Promise<TokenResponseBody> {
  const [digest, now] = [sha256(requireParameter(form, 'code')), Date.now()]
  const pair = newTokenPair(now)
  const outcome = await transaction(sql, async (tx) => {
    const code = await lockAuthorizationCode(tx, digest)
    if (!code || code.appId !== app.id || !isProofComplete(code, app.redirectUris, form, thumbprint)) return { refused: 'wrong' as const }
    if (code.usedAt !== null) return revokeReused(tx, code)
    if (code.isOver) return { refused: 'over' as const }
    const issuedPair = issuedPairOf(pair, { thumbprint, isPublic: app.secretHash === null, now })
    await Promise.all([markAuthorizationCodeUsed(tx, digest), insertTokenPair(tx, code.grantId, issuedPair)])
    return { scopes: code.scopes }
  })
  if ('scopes' in outcome) return tokenResponseBody(pair, outcome.scopes, thumbprint, now + ACCESS_TOKEN_MS)
  if ('ended' in outcome) await evictGrantCredentials(shared, [outcome.ended])
  else if (outcome.refused === 'wrong') await guessedWrong()
  throw invalidGrant()
}

async function revokeReused(tx: Tx, { grantId }: AuthorizationCodeRow): Promise<{ ended: string }> {
  await revokeGrant(tx, grantId)
  return { ended: grantId }
}

/** Tells if a request matches the one that requested the code: redirect URI, verifier (RFC 7636) and key (RFC 9449, section 10). */
function isProofComplete(
  { redirectUri, challenge, thumbprint }: AuthorizationCodeRow,
  registered: readonly string[],
  form: FormParameters,
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
