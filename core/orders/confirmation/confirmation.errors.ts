import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of confirmation: the code of each, and the sentence that a caller reads. */
export const confirmationErrors = defineErrors({
  reasonMissing: ['invalid_request', 'Give a reason.'],
  timeNotExpected: ['invalid_request', 'Allowed only with the outcome `postponed`.'],
  timeMissing: [
    'invalid_request',
    ({ postponedDaysMax }: Values<'postponedDaysMax'>) => `Give the time of the next call, within ${postponedDaysMax} days.`,
  ],
  leaseEnded: [
    'conflict',
    'The order is no longer leased to you: the lease ended, or another user decided on the order. Request the next one.',
  ],
})
