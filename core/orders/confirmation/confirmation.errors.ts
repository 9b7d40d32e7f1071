import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of confirmation: the code of each, and the sentence that a caller reads. */
export const confirmationErrors = defineErrors({
  reasonMissing: ['invalid_request', 'Give a reason.'],
  reasonUnknown: ['invalid_request', 'The store has no such reason for this outcome. Use one of its list, or leave it out.'],
  reasonRepeated: ['invalid_request', 'This code appears twice. Give each reason a code of its own.'],
  timeNotExpected: ['invalid_request', 'Allowed only with the outcome `postponed`.'],
  timeMissing: [
    'invalid_request',
    ({ postponedDaysMax }: Values<'postponedDaysMax'>) => `Give the time of the next call, within ${postponedDaysMax} days.`,
  ],
  leaseEnded: [
    'conflict',
    'The order is no longer leased to you: the lease ended, or another user decided on the order. Request the next one.',
  ],
  orderHeld: [
    'order_held',
    ({ holder, until }: Values<'holder' | 'until'>) => `${holder} has this order until ${until}. Ask them to release it, or wait.`,
  ],
  orderNotWaiting: [
    'invalid_transition',
    ({ status }: Values<'status'>) => `The order is ${status} and waits for no call. Change it with PATCH /v1/orders/{id}.`,
  ],
  tooManyHeld: ['limit_reached', ({ heldMax }: Values<'heldMax'>) => `You have ${heldMax} orders already. Release one of them first.`],
  undoTooLate: [
    'conflict',
    ({ seconds }: Values<'seconds'>) =>
      `This outcome cannot be undone: it is older than ${seconds} seconds, is undone already, or is another agent's. Change the order instead.`,
  ],
  changedSinceOutcome: ['conflict', 'The order or its calls have changed since this outcome. Read the order, and change it instead.'],
})
