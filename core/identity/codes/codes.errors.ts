import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of codes: the code of each, and the sentence that a caller reads. */
export const codeErrors = defineErrors({
  emailConfirmed: ['conflict', 'Your e-mail address is confirmed already.'],
  formExpected: ['unsupported_media_type', ({ formType }: Values<'formType'>) => `Send ${formType}.`],
  tooManyCodes: ['rate_limited', ({ wait }: Values<'wait'>) => `Too many codes were requested. Wait ${wait} s before the next request.`],
  codeInvalid: ['invalid_code', 'This code is wrong, used or expired. Request a new one.'],
  newPasswordMissing: ['invalid_request', 'Send the new password with the code.'],
  linkInvalid: ['invalid_code', 'This link is used or expired. Request a new one.'],
})
