import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of oauth: the code of each, and the sentence that a caller reads. */
export const oauthErrors = defineErrors({
  passkeyFieldInvalid: ['invalid_request', 'The field passkey is not the response of an authenticator.'],
})
