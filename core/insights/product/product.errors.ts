import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of product: the code of each, and the sentence that a caller reads. */
export const productErrors = defineErrors({
  rangeReversed: ['invalid_request', 'The last day is before the first day. Exchange them.'],
  tooManyDays: ['invalid_request', ({ daysMax }: Values<'daysMax'>) => `A range has at most ${daysMax} days. Ask for a shorter one.`],
  dayInvalid: ['invalid_request', 'Must be a day, such as 2026-01-31.'],
})
