import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of billing: the code of each, and the sentence that a caller reads. */
export const billingErrors = defineErrors({
  playStoreTimedOut: ['upstream_timeout', 'The Play Store did not respond in time. Send the purchase again later.'],
  playStoreUnreachable: ['upstream_error', 'The Play Store cannot be reached. Send the purchase again later.'],
  nothingToCancel: ['invalid_transition', 'The store has no subscription to cancel.'],
  notAnUpgrade: [
    'conflict',
    'This plan is not an upgrade. Choose it with POST …/integrations/subscription/subscribe, which applies it from the next period on.',
  ],
  invoicesUnpaid: [
    'payment_required',
    'The subscription has unpaid invoices. Pay them first with POST /v1/stores/{storeId}/subscription/payDue.',
  ],
  currencyInUse: ['conflict', ({ code }: Values<'code'>) => `Plans are sold in ${code}. Hide it instead: "enabled": false.`],
  paymentUnderWay: ['conflict', 'A payment of the subscription is in progress. Delete the store when it has ended.'],
  expiryInPast: ['invalid_request', 'Must be later than now.'],
  creditTooHigh: [
    'invalid_request',
    ({ currency, moneyMax, present }: Values<'currency' | 'moneyMax' | 'present'>) =>
      `The credit of the store in ${currency} would pass ${moneyMax}. It is ${present} now.`,
  ],
  playStoreFailed: [
    'upstream_error',
    ({ status }: Values<'status'>) => `The Play Store returned an unexpected response (${status}). Send the purchase again later.`,
  ],
  receiptUsed: ['receipt_used', 'Another store has used this purchase. Send one that was bought for this store.'],
  shopNotConfigured: [
    'adapter_not_enabled',
    ({ shop }: Values<'shop'>) => `The operator of this server has not configured the ${shop}. Pay with a gateway instead.`,
  ],
  paymentOutcomeUnknown: ['outcome_unknown', 'Another payment of the subscription is being processed. Wait until its outcome is known.'],
  tooManyPayments: [
    'too_many_payments',
    ({ most }: Values<'most'>) => `${most} payments were started within a day. Pay one of them, or wait until tomorrow.`,
  ],
  currencyNotSupported: [
    'currency_not_supported',
    ({ currency }: Values<'currency'>) => `No gateway accepts ${currency}, the currency of the plan. Ask the operator to connect one.`,
  ],
  alreadyPaid: ['already_paid', 'The subscription is fully paid.'],
  ownPayment: ['forbidden', 'You cannot confirm a payment of your own store. Ask another administrator.'],
  wrongStatus: [
    'invalid_transition',
    ({ status, wanted }: Values<'status' | 'wanted'>) => `The subscription is ${status}: it cannot be ${wanted} next.`,
  ],
  planLimitReached: [
    'plan_limit_reached',
    ({ name, limit, what, storeId }: Values<'name' | 'limit' | 'what' | 'storeId'>) =>
      `The plan "${name}" allows ${limit} ${what}, and the store has reached that. Upgrade it: POST /v1/stores/${storeId}/subscription/upgrade.`,
  ],
  freePlanNotDeletable: [
    'conflict',
    'The free plan cannot be deleted, because stores without another plan have it. Change its limits instead.',
  ],
  freePlanHasNoPrice: ['conflict', 'The free plan cannot have a price. Create another plan.'],
})
