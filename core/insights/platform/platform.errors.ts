import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of platform: the code of each, and the sentence that a caller reads. */
export const platformErrors = defineErrors({
  rangeInvalid: [
    'invalid_request',
    ({ daysMax }: Values<'daysMax'>) => `The range must have 1 to ${daysMax} days, and its first day must not be after the last.`,
  ],
})
