import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of the console: the code of each, and the sentence that a caller reads. */
export const consoleErrors = defineErrors({
  oneMeans: ['invalid_request', 'Send exactly one of "password", "passkey", "social" and "link".'],
  cookieNeeded: ['forbidden', 'This needs the session cookie of the console. Send no "Authorization" header with it.'],
})
