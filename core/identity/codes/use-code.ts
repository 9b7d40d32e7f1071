import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { constantTimeEqual, sha256 } from '../../lib/crypto/crypto.ts'
import { confirmEmailAddress, evictEndedSessions, findPublicUser, recoverAccount, replacePassword } from '../auth/account.ts'
import type { User } from '../auth/auth.model.ts'
import { hashNewPassword } from '../auth/passwords/new-password.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { completeSignIn } from '../auth/sign-in/sign-in.ts'
import { notifyPasswordChanged } from '../auth/sign-in/sign-in-alerts.ts'
import { codeErrors } from './codes.errors.ts'
import type { CodePurpose, CodeUse, CodeUseResult, SubmittedCode } from './codes.model.ts'
import { type CodeRow, claimAttempt, expireOtherCodes, findCodeByToken, markCodeUsed, releaseAttempt } from './codes.queries.ts'
import { codeDigest } from './request-code.ts'

const ATTEMPTS_MAX = 5

/** Code that was mailed to a user. */
type SentCode = CodeRow & { readonly userId: string }

/** Verifies a code without using it; a correct attempt does not count. Throws `invalid_code`. */
async function verifyCode(context: Context, { id, code }: SubmittedCode): Promise<SentCode> {
  const found = await claimAttempt(context.sql, id, ATTEMPTS_MAX)
  const isRight = constantTimeEqual(found?.codeHash ?? '', codeDigest(context, id, code))
  if (!found || !isRight || found.userId === null) throw codeErrors.codeInvalid()
  await releaseAttempt(context.sql, id)
  return { ...found, userId: found.userId }
}

/** Verifies a code and returns its purpose, without using it. Throws `invalid_code`. */
export async function inspectCode(context: Context, given: SubmittedCode) {
  const { purpose, email, attempts, expiresAt } = await verifyCode(context, given)
  return { purpose, email, attemptsLeft: ATTEMPTS_MAX - attempts + 1, expiresAt }
}

/**
 * Uses a code: signs in, confirms the address, or sets a new password. Of concurrent requests only one succeeds. Throws `invalid_code`, and
 * the errors of the second factor.
 */
export async function useCode(
  context: Context,
  { password, secondFactor, ...given }: CodeUse,
  origin: ClientOrigin,
): Promise<CodeUseResult> {
  const code = await verifyCode(context, given)
  const { purpose, userId } = code
  if (purpose === 'reset_password') {
    if (password === undefined) throw codeErrors.newPasswordMissing({ field: ['password'] })
    return { purpose, user: await resetPassword(context, code, password), token: null }
  }
  if (purpose === 'verify_email') return { purpose, user: await confirmEmail(context, code), token: null }
  // The second factor of an unconfirmed account is ignored: anybody could have typed its address.
  const isConfirmed = (await findPublicUser(context.sql, userId))?.emailVerified ?? false
  if (isConfirmed) await assertSecondFactor(context, userId, secondFactor, origin.address)
  const { ended, ...signedIn } = await transaction(context.sql, async (tx) => {
    const { wasConfirmed } = await consumeCode(tx, code)
    // The address was confirmed meanwhile, so the account may have a second factor. The code stays valid.
    if (wasConfirmed && !isConfirmed) throw codeErrors.codeInvalid()
    const ended = wasConfirmed ? [] : await recoverAccount(tx, userId)
    return { purpose, ended, ...(await completeSignIn(tx, context, userId, origin, { means: 'code' })) }
  })
  await evictEndedSessions(context, ended)
  return signedIn
}

/** Confirms the e-mail address to which a link was mailed. Throws `invalid_code`. */
export async function confirmEmailByLink(context: Context, token: string): Promise<User> {
  return confirmEmail(context, await requireLinkCode(context, 'verify_email', token))
}

/** Finds the open code of a mailed link. Throws `invalid_code` when it is used or expired. */
export async function requireLinkCode({ sql }: Pick<Context, 'sql'>, purpose: CodePurpose, token: string): Promise<SentCode> {
  const found = await findCodeByToken(sql, purpose, sha256(token))
  if (!found || found.userId === null) throw codeErrors.linkInvalid()
  return { ...found, userId: found.userId }
}

/** Sets a new password and ends all sessions. If the address was not confirmed before, the previous sign-in methods are removed. */
export async function resetPassword(context: Context, code: SentCode, password: string): Promise<User> {
  const passwordHash = await hashNewPassword(password, code.email)
  const { user, ended } = await transaction(context.sql, async (tx) => {
    const { user, wasConfirmed } = await consumeCode(tx, code)
    const recovered = wasConfirmed ? [] : await recoverAccount(tx, code.userId)
    // Codes in other mails must not work any more.
    await expireOtherCodes(tx, code.userId, ['reset_password', 'sign_in'])
    if (!code.welcomes) await notifyPasswordChanged(tx, context, user)
    return { user, ended: [...recovered, ...(await replacePassword(tx, code.userId, passwordHash))] }
  })
  await evictEndedSessions(context, ended)
  return user
}

const confirmEmail = ({ sql }: Context, code: SentCode): Promise<User> => transaction(sql, async (tx) => (await consumeCode(tx, code)).user)

/** Marks a code as used and confirms the address, because its user has read the mail. Throws `invalid_code`. */
async function consumeCode(tx: Tx, { id, userId, email }: SentCode): Promise<{ user: User; wasConfirmed: boolean }> {
  const confirmed = await confirmEmailAddress(tx, userId, email)
  if (!confirmed || !(await markCodeUsed(tx, id))) throw codeErrors.codeInvalid()
  return confirmed
}
