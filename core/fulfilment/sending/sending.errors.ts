import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of sending: the code of each, and the sentence that a caller reads. */
export const sendingErrors = defineErrors({
  carrierNotEnabled: [
    'carrier_not_enabled',
    ({ key, storeId }: Values<'key' | 'storeId'>) =>
      `The store has not enabled ${key}. PUT /v1/stores/${storeId}/integrations/${key} first.`,
  ],
  currencyDiffers: [
    'currency_not_supported',
    ({ label, currency, collected }: Values<'label' | 'currency' | 'collected'>) =>
      `${label} collects ${currency}; the store sells in ${collected}. Choose another carrier.`,
  ],
  orderCancelled: ['invalid_transition', 'The order was cancelled while it was being sent. Read it again.'],
  orderSentMeanwhile: [
    'order_already_sent',
    ({ courierId }: Values<'courierId'>) => `The order was sent with ${courierId} meanwhile. Read it again.`,
  ],
})
