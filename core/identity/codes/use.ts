import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError, invalid } from '../../http/errors/errors.ts'
import { constantTimeEqual, sha256 } from '../../lib/crypto/crypto.ts'
import { confirmAddress, findPerson, forgetEnded, replacePassword, takeOver } from '../auth/account.ts'
import type { User } from '../auth/auth.model.ts'
import { hashNewPassword } from '../auth/passwords/new-password.ts'
import { assertSecondFactor } from '../auth/second-factor/second-factor.ts'
import type { Origin } from '../auth/sign-in/open-session.ts'
import { letIn } from '../auth/sign-in/sign-in.ts'
import { tellOfPassword } from '../auth/sign-in/sign-in-alerts.ts'
import { digestOf } from './ask.ts'
import type { CodeUse, GivenCode, Purpose, UsedCode } from './codes.model.ts'
import { type CodeRow, endOthers, findByToken, giveBackAttempt, markUsed, takeAttempt } from './codes.queries.ts'

const ATTEMPTS_MAX = 5

type Sent = CodeRow & { readonly userId: string }

/** The same words for what never was, is over, was used, or is another. */
const invalidCode = () => new ApiError('invalid_code', 'This code is wrong, used or over. Ask for a new one.')

/** One that was given rightly; a try that was right does not count. */
async function openCode(context: Context, { id, code }: GivenCode): Promise<Sent> {
  const found = await takeAttempt(context.sql, id, ATTEMPTS_MAX)
  const isRight = constantTimeEqual(found?.codeHash ?? '', digestOf(context, id, code))
  if (!found || !isRight || found.userId === null) throw invalidCode()
  await giveBackAttempt(context.sql, id)
  return { ...found, userId: found.userId }
}

/** What a code is for, without using it. */
export async function inspectCode(context: Context, given: GivenCode) {
  const { purpose, email, attempts, expiresAt } = await openCode(context, given)
  return { purpose, email, attemptsLeft: ATTEMPTS_MAX - attempts + 1, expiresAt }
}

/** Uses a code up: signs in, confirms the address, or sets a new password. Of many at once one comes through. */
export async function useCode(context: Context, { password, secondFactor, ...given }: CodeUse, origin: Origin): Promise<UsedCode> {
  const code = await openCode(context, given)
  const { purpose, userId } = code
  if (purpose === 'reset_password') {
    if (password === undefined) throw invalid('/body/password', 'Send the new password with the code.')
    return { purpose, user: await resetPassword(context, code, password), token: null }
  }
  if (purpose === 'verify_email') return { purpose, user: await confirm(context, code), token: null }
  // One of an account that nobody has confirmed was set up by whoever typed the address.
  const isConfirmed = (await findPerson(context.sql, userId))?.emailVerified ?? false
  if (isConfirmed) await assertSecondFactor(context, userId, secondFactor, origin.address)
  const { ended, ...signedIn } = await transaction(context.sql, async (tx) => {
    const { wasConfirmed } = await useUp(tx, code)
    // Confirmed meanwhile: then whoever did so may have a second factor, and the code still holds.
    if (wasConfirmed && !isConfirmed) throw invalidCode()
    const ended = wasConfirmed ? [] : await takeOver(tx, userId)
    return { purpose, ended, ...(await letIn(tx, context, userId, origin, { means: 'code' })) }
  })
  await forgetEnded(context, ended)
  return signedIn
}

/** Confirms the address that a link was mailed to. */
export async function confirmByLink(context: Context, token: string): Promise<User> {
  return confirm(context, await openLink(context, 'verify_email', token))
}

/** What a link was mailed for. Throws `invalid_code` where it is used or over. */
export async function openLink({ sql }: Pick<Context, 'sql'>, purpose: Purpose, token: string): Promise<Sent> {
  const found = await findByToken(sql, purpose, sha256(token))
  if (!found || found.userId === null) throw new ApiError('invalid_code', 'This link is used or over. Ask for a new one.')
  return { ...found, userId: found.userId }
}

/** The person has this password from now on, and is signed in nowhere. */
export async function resetPassword(context: Context, code: Sent, password: string): Promise<User> {
  const passwordHash = await hashNewPassword(password, code.email)
  const { user, ended } = await transaction(context.sql, async (tx) => {
    const { user, wasConfirmed } = await useUp(tx, code)
    const taken = wasConfirmed ? [] : await takeOver(tx, code.userId)
    // Whoever had got hold of another mail has nothing from it.
    await endOthers(tx, code.userId, ['reset_password', 'sign_in'])
    if (!code.welcomes) await tellOfPassword(tx, context, user)
    return { user, ended: [...taken, ...(await replacePassword(tx, code.userId, passwordHash))] }
  })
  await forgetEnded(context, ended)
  return user
}

const confirm = ({ sql }: Context, code: Sent): Promise<User> => transaction(sql, async (tx) => (await useUp(tx, code)).user)

/** Whoever uses it has read the mail: the address is confirmed. */
async function useUp(tx: Tx, { id, userId, email }: Sent): Promise<{ user: User; wasConfirmed: boolean }> {
  const confirmed = await confirmAddress(tx, userId, email)
  if (!confirmed || !(await markUsed(tx, id))) throw invalidCode()
  return confirmed
}
