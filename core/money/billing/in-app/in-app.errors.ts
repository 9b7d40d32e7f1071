import { defineErrors } from '../../../lib/errors/define-errors.ts'

/** Errors of in-app purchases: the code of each, and the sentence that a caller reads. */
export const inAppErrors = defineErrors({
  notificationUnsigned: ['receipt_refused', 'The App Store did not sign this notification for this app and environment.'],
  transactionUnsigned: [
    'receipt_refused',
    'The App Store did not sign this transaction for this app and environment. Send the one that the store returned.',
  ],
  productUnnamed: ['receipt_refused', 'The transaction does not name a product. Send the whole signed transaction.'],
  purchaseRevoked: ['receipt_refused', 'The App Store has revoked this purchase. Buy the plan again.'],
  purchaseExpired: ['receipt_refused', 'This purchase has expired. Buy the plan again.'],
  purchaseOfFamily: ['receipt_refused', 'This is a purchase of another family member. Send your own purchase.'],
  testPurchase: ['receipt_refused', 'This is a test purchase that was not paid. Send one that was paid.'],
  purchaseUnpaid: ['receipt_refused', 'The Play Store reports that this purchase is not paid or was refunded. Buy the plan again.'],
  subscriptionUnpaid: ['receipt_refused', 'The Play Store reports that this subscription is not paid now. Renew it there first.'],
  purchaseUnknown: ['receipt_refused', 'The Play Store has no such purchase of this app. Send its purchase token and product.'],
  purchaseOfOtherStore: [
    'receipt_refused',
    'This purchase is not for this store. Buy it with `inAppAccount` of its subscription as the account.',
  ],
  productUnknown: ['receipt_refused', 'No plan is sold as this product. Ask the operator to set the product of the plan.'],
  purchaseRefunded: ['receipt_refused', 'This purchase was refunded. Buy the plan again.'],
})
