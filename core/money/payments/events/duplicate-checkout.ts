import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { AtGateway } from '../payments.model.ts'

/** The same payment was paid in a second checkout: that is a payment of its own, of which this is known. */
export const twinOf = (payment: AtGateway, { externalId }: PaymentNews) => ({
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
