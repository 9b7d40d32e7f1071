import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of payments: the code of each, and the sentence that a caller reads. */
export const paymentErrors = defineErrors({
  noCheckout: ['upstream_error', 'The gateway returned no checkout page. Start the payment again.'],
  gatewayDecides: ['invalid_transition', 'The gateway of this payment reports its outcome. Sync the payment instead.'],
  wrongStatus: [
    'invalid_transition',
    ({ status, wanted }: Values<'status' | 'wanted'>) => `The payment is ${status}: it cannot become ${wanted}.`,
  ],
  amountInvalid: ['amount_not_payable', '`amount` must be a valid amount, and is allowed only with status `paid`.'],
  tooManyDecimals: [
    'amount_not_payable',
    ({ decimals }: Values<'decimals'>) => `The gateway accepts amounts with at most ${decimals} decimals.`,
  ],
  membersOnly: ['unauthenticated', 'This store takes orders from its members and API keys only.'],
  returnPageForbidden: ['invalid_request', 'Only members of the store and its API keys can set the return page.'],
  checkoutUnnamed: ['invalid_request', 'Name the checkout, or name the store with storeId and send its signed events.'],
  checkoutMissing: ['upstream_timeout', 'The gateway has not returned a checkout page yet. Start the payment again in a moment.'],
  tooManyPayments: [
    'too_many_payments',
    ({ started }: Values<'started'>) => `${started} payments of the order were started already. Collect the money another way.`,
  ],
  paymentOutcomeUnknown: ['outcome_unknown', 'Another payment of the order is being processed. Wait until its outcome is known.'],
  orderNotPayable: ['invalid_transition', ({ status }: Values<'status'>) => `The order is ${status}: it can no longer be paid in advance.`],
  paymentNeedsAttention: ['payment_needs_attention', 'A payment of the order waits for review. Resolve it before you start another one.'],
  alreadyPaid: ['already_paid', 'The order is fully paid.'],
  currencyNotSupported: [
    'currency_not_supported',
    ({ label, currencies, currency }: Values<'label' | 'currencies' | 'currency'>) =>
      `${label} accepts ${currencies}; the amount is in ${currency}. Choose another gateway.`,
  ],
  amountNotMultiple: [
    'amount_not_payable',
    ({ label, step, currency }: Values<'label' | 'step' | 'currency'>) => `${label} accepts only multiples of ${step} ${currency}.`,
  ],
  amountTooSmall: [
    'amount_not_payable',
    ({ label }: Values<'label'>) => `${label} does not accept an amount this small. Choose another gateway, or collect it on delivery.`,
  ],
  paymentBlocking: [
    'conflict',
    ({ id, status }: Values<'id' | 'status'>) => `The payment ${id} of the order is ${status}. Refund it, or wait until it is over, first.`,
  ],
  paymentsOfGatewayUnderWay: [
    'conflict',
    ({ payments, key }: Values<'payments' | 'key'>) =>
      `${payments} payments are under way at ${key}. Switch it off with enabled: false; it can be deleted when they are over.`,
  ],
  paymentsOfStoreUnderWay: [
    'conflict',
    ({ payments }: Values<'payments'>) => `${payments} payments to the store are under way. It can be deleted when they are over.`,
  ],
  urlInvalid: ['invalid_request', 'Must be an absolute URL: https://…'],
  noReceiptsExpected: ['invalid_transition', ({ status }: Values<'status'>) => `The payment is ${status}: it accepts no receipts.`],
  tooManyReceipts: [
    'limit_reached',
    ({ proofsMax }: Values<'proofsMax'>) => `A payment accepts at most ${proofsMax} receipts. Contact the recipient of the payment.`,
  ],
  tooManyReceiptsAnHour: [
    'rate_limited',
    ({ proofsAnHour, wait }: Values<'proofsAnHour' | 'wait'>) =>
      `At most ${proofsAnHour} receipts an hour from one network. Wait ${wait} s.`,
  ],
  receiptTooLarge: [
    'payload_too_large',
    ({ proofBytesMax }: Values<'proofBytesMax'>) => `A receipt may have at most ${proofBytesMax} bytes.`,
  ],
  receiptTypeUnsupported: ['unsupported_media_type', 'Send the receipt as a picture or a PDF.'],
  nothingToRefund: ['invalid_transition', ({ status }: Values<'status'>) => `The payment is ${status}: there is nothing to refund.`],
  refundTooHigh: [
    'amount_not_payable',
    ({ left, currency }: Values<'left' | 'currency'>) =>
      `The amount must be positive and at most ${left} ${currency}, the rest of the payment.`,
  ],
  refundUnsupported: [
    'refund_unsupported',
    ({ label, why }: Values<'label' | 'why'>) =>
      `${label} ${why}. Refund it in the gateway's dashboard, then record it here with byHand: true.`,
  ],
  notUnderReview: ['invalid_transition', 'The payment does not wait for review. Read its status first.'],
  refundOutcomeMissing: ['invalid_transition', 'Record the outcome of its refund instead.'],
  paymentOutcomeMissing: ['invalid_transition', 'Check the payment at the gateway, then record whether it was paid (settle) instead.'],
  refundDecided: ['invalid_transition', ({ status }: Values<'status'>) => `The outcome of the refund is known: it is ${status}.`],
})
