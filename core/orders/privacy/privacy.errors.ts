import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of privacy: the code of each, and the sentence that a caller reads. */
export const privacyErrors = defineErrors({
  emailOfSeveral: [
    'conflict',
    ({ numbers }: Values<'numbers'>) =>
      `Orders of ${numbers} phone numbers have this e-mail address, so it does not identify one person. Erase each person by phone number.`,
  ],
})
