import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of tracking: the code of each, and the sentence that a caller reads. */
export const trackingErrors = defineErrors({
  statusWithoutLetters: ['invalid_request', 'The status of the carrier must contain letters or digits.'],
  tooManyStatusRules: [
    'conflict',
    ({ rulesMax }: Values<'rulesMax'>) => `A connection has at most ${rulesMax} statuses of its own. Remove some first.`,
  ],
})
