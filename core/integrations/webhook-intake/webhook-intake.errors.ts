import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of the webhook intake: the code of each, and the sentence that a caller reads. */
export const webhookErrors = defineErrors({
  signatureInvalid: ['invalid_signature', 'The signature does not match the body. Check the webhook secret of the connection.'],
})
