import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of product: the code of each, and the sentence that a caller reads. */
export const productErrors = defineErrors({
  rangeReversed: ['invalid_request', 'The last day is before the first day.'],
  tooManyDays: ['invalid_request', ({ daysMax }: Values<'daysMax'>) => `At most ${daysMax} days at once.`],
  dayInvalid: ['invalid_request', 'Must be a day, such as 2026-01-31.'],
})
