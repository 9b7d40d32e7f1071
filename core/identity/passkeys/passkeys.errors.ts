import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of passkeys: the code of each, and the sentence that a caller reads. */
export const passkeyErrors = defineErrors({
  ceremonyEnded: ['passkey_refused', 'This ceremony has ended. Start a new one.'],
  tooManyPasskeys: [
    'limit_reached',
    ({ passkeysMax }: Values<'passkeysMax'>) => `A user has at most ${passkeysMax} passkeys. Remove some first.`,
  ],
  responseMismatch: ['passkey_refused', 'The response of the authenticator does not match the request. Start a new ceremony.'],
  passkeyUnknown: [
    'invalid_credentials',
    'This passkey is unknown, or its response does not match the request. Start again, or sign in another way.',
  ],
})
