import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of gateway payouts: the code of each, and the sentence that a caller reads. */
export const gatewayPayoutErrors = defineErrors({
  payoutClosed: ['invalid_transition', ({ status }: Values<'status'>) => `The payout is ${status}: none of its lines waits for review.`],
  lineClosed: ['invalid_transition', 'The line does not wait for review.'],
})
