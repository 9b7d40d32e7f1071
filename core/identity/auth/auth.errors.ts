import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of auth: the code of each, and the sentence that a caller reads. */
export const authErrors = defineErrors({
  sessionEnded: ['invalid_token', 'This session is over. Sign in again.'],
  tooManyUnknownAddresses: [
    'rate_limited',
    ({ wait }: Values<'wait'>) => `Too many e-mail addresses without an account. Wait ${wait} s, or invite people by mail.`,
  ],
  accountChanged: [
    'invalid_credentials',
    'The account was changed by another request at the same time. Try again with its current e-mail address and password.',
  ],
  passwordTooCommon: ['password_too_common', 'This password is too common and easy to guess. Choose another, such as four random words.'],
  tooManyWrongPasswords: [
    'rate_limited',
    ({ wait }: Values<'wait'>) =>
      `Too many wrong passwords. Wait ${wait} s before the next try, or sign in with a code by mail: POST /v1/users/auth/code.`,
  ],
  codeInvalid: ['invalid_code', 'This code is wrong, used or expired. Enter the next code of your authenticator app.'],
  secondFactorRequired: [
    'second_factor_required',
    'Send the request again with secondFactor: a code of your authenticator app, or a recovery code.',
  ],
  tooManyWrongCodes: ['rate_limited', ({ wait }: Values<'wait'>) => `Too many wrong codes. Wait ${wait} s before the next try.`],
  secondFactorOn: ['conflict', 'You have a second factor already. Turn it off first.'],
  secondFactorNotStarted: ['conflict', 'No second factor is waiting to be confirmed. Start with a new one.'],
  secondFactorChanged: ['conflict', 'The second factor was confirmed or replaced by another request. Read its state and start again.'],
  secondFactorOff: ['conflict', 'You have no second factor. Turn one on first.'],
  signupClosed: ['signup_closed', 'Signing up is closed here. Ask an administrator for an account.'],
  accountExists: ['email_taken', 'There is an account with this e-mail address. Sign in instead.'],
  credentialsWrong: ['invalid_credentials', 'The e-mail address or the password is wrong. Check both, or reset the password.'],
  accountDeleted: ['invalid_credentials', 'The account was deleted. Sign in with another one.'],
  currentPasswordWrong: ['invalid_credentials', 'currentPassword is wrong. Send the password that you sign in with now.'],
  tooManyEmailChanges: [
    'rate_limited',
    ({ wait }: Values<'wait'>) => `Too many changes of the e-mail address within an hour. Wait ${wait} s.`,
  ],
  emailOfOtherAccount: ['email_taken', 'There is another account with this e-mail address. Use another address.'],
  currentPasswordRequired: [
    'invalid_credentials',
    'currentPassword is required and must be right to change the e-mail address or the password.',
  ],
  ownsThings: [
    'person_owns_things',
    ({ count, what }: Values<'count' | 'what'>) => `This user owns ${count} ${what}. Delete or transfer them first.`,
  ],
  emailTaken: ['email_taken', 'There is an account with this e-mail address. Choose another address.'],
  emailUnconfirmed: ['unknown_person', 'The user must confirm this e-mail address first, through the link that was mailed to it.'],
  lastAdmin: ['last_admin', 'This is the last administrator of the platform. Appoint another first.'],
})
