import type { Context } from '../../context.ts'
import { type Queryable, transaction } from '../../data/sql.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import type { SignInResult } from '../auth/auth.model.ts'
import { findUserByEmail } from '../auth/auth.queries.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { completeSignIn } from '../auth/sign-in/sign-in.ts'
import { codeErrors } from './codes.errors.ts'
import { insertCode, markCodeUsed, updateSentCode } from './codes.queries.ts'
import { requireLinkCode } from './use-code.ts'

/** Lifetime in minutes of a link that signs in. */
export const SIGN_IN_LINK_MINUTES = 60

/**
 * Creates the token of a link that signs a user in, once, within an hour. Only who runs the server can make one: no route does. Returns null
 * without such an account.
 */
export async function createSignInLink(sql: Queryable, email: string): Promise<string | null> {
  const user = await findUserByEmail(sql, email)
  if (!user) return null
  const [id, token] = [newId('cod'), newToken('ml')]
  const expiresAt = new Date(Date.now() + SIGN_IN_LINK_MINUTES * MINUTE_MS)
  await insertCode(sql, { id, purpose: 'sign_in', email: user.email, language: null, welcomes: false, isNear: true, expiresAt })
  // No digits lead to it: the hash is of a token that nobody has.
  await updateSentCode(sql, id, { userId: user.id, codeHash: sha256(newToken('ml')), tokenHash: sha256(token) })
  return token
}

/** Signs in with the token of a link. Of concurrent requests one succeeds. Throws `invalid_code`, and the errors of the second factor. */
export async function signInByLink(
  context: Context,
  { token, secondFactor }: { readonly token: string; readonly secondFactor?: string | undefined },
  origin: ClientOrigin,
): Promise<SignInResult> {
  const { id, userId } = await requireLinkCode(context, 'sign_in', token)
  await assertSecondFactor(context, userId, secondFactor, origin.address)
  return transaction(context.sql, async (tx) => {
    if (!(await markCodeUsed(tx, id))) throw codeErrors.linkInvalid()
    return completeSignIn(tx, context, userId, origin, { means: 'code' })
  })
}
