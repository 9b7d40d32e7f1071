import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of social: the code of each, and the sentence that a caller reads. */
export const socialErrors = defineErrors({
  signInDenied: [
    'forbidden',
    ({ label, error }: Values<'label' | 'error'>) => `The sign-in was cancelled at ${label} (${error}). Start again, and accept it there.`,
  ],
  signInFailed: [
    'invalid_credentials',
    ({ label, error }: Values<'label' | 'error'>) => `${label} reported an error: ${error}. Start again.`,
  ],
  textTooLong: ['invalid_request', ({ fieldMax }: Values<'fieldMax'>) => `Must be text of at most ${fieldMax} characters.`],
  codeMissing: ['invalid_credentials', 'The provider returned no code. Start again.'],
  keysUnreadable: ['upstream_error', ({ label }: Values<'label'>) => `The keys of ${label} could not be read. Try again.`],
  idTokenInvalid: [
    'invalid_credentials',
    'The ID token is invalid, has expired, or was issued for another client. Sign in at the provider again.',
  ],
  nonceMismatch: ['invalid_credentials', 'The nonce of the ID token does not match. Start again.'],
  tokensUnsupported: [
    'adapter_refused',
    ({ label }: Values<'label'>) => `${label} has no tokens that identify a user. Send the code instead: …/callback.`,
  ],
  tooManyFailedSignIns: ['rate_limited', ({ wait }: Values<'wait'>) => `Too many failed sign-ins. Wait ${wait} s.`],
  accountChanged: ['conflict', 'The account was changed by another request at the same time. Sign in again.'],
  accountExists: [
    'email_taken',
    ({ label }: Values<'label'>) => `There is an account with this e-mail address. Sign in to it, then link ${label} in your account.`,
  ],
  emailMissing: [
    'email_required',
    ({ label }: Values<'label'>) => `${label} sent no e-mail address. Send the request again with email, which must then be confirmed.`,
  ],
  returnAddressUnknown: [
    'invalid_request',
    ({ label }: Values<'label'>) => `This address is not one of the returnAddresses of ${label}. Send one of them.`,
  ],
  verifierMissing: [
    'invalid_request',
    'With returnTo, send the SHA-256 of a verifier in base64url; the verifier itself is sent with the ticket.',
  ],
  redirectUriUnknown: [
    'invalid_request',
    ({ label }: Values<'label'>) => `redirectUri is not one of the returnAddresses of ${label}. Send one of them.`,
  ],
  ticketInvalid: ['invalid_code', 'This sign-in was used, has expired, or was started by somebody else. Start again.'],
  ticketOrCode: ['invalid_request', 'Send either a ticket or a code.'],
  lastSignInMethod: ['last_way_in', 'This is your last sign-in method. Choose a password, add a passkey or link another sign-in first.'],
})
