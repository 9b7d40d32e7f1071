import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of gateway payouts: the code of each, and the sentence that a caller reads. */
export const gatewayPayoutErrors = defineErrors({
  payoutClosed: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The payout is ${status}. Its lines can be accepted once it is paid and posted.`,
  ],
  paymentUnresolved: [
    'invalid_transition',
    'The payment of this line is not known to be paid. Sync the payment with the gateway, or accept it, first.',
  ],
  refundUnresolved: ['invalid_transition', 'The refund of this line is not known to be done. Record its outcome first.'],
  lineClosed: ['invalid_transition', 'The line does not wait for review. Read the payout again.'],
})
