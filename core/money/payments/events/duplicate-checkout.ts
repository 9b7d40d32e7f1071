import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { GatewayPayment } from '../payments.model.ts'

/** Returns the values of a new payment for a second checkout of the same payment. */
export const duplicatePaymentOf = (payment: GatewayPayment, { externalId }: PaymentNews) => ({
  storeId: payment.storeId,
  connectionId: payment.connectionId,
  gateway: payment.gateway,
  status: 'open' as const,
  amount: payment.amount,
  currency: payment.currency,
  decimals: payment.decimals,
  language: payment.language,
  externalId: externalId ?? null,
})
