import type { BegunPayment, Payment } from '../../../../plugins/payment/payments.model.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import type { PaymentRow, RefundRow } from '../payments.model.ts'
import { isUnderWay } from '../statuses.ts'

const amount = (text: string | null) => (text === null ? null : Number(text))

/** Presents a payment with its refunds in the API format. */
export const presentPayment = (row: PaymentRow, refunds: readonly RefundRow[] = []): Payment => ({
  id: row.id,
  orderId: row.payableId,
  storeId: storeIdOf(row.projectId),
  gateway: row.gateway,
  status: row.status,
  amount: Number(row.amount),
  currency: row.currency,
  paid: amount(row.paid),
  refunded: Number(row.refunded),
  fee: amount(row.fee),
  method: row.method,
  concern: row.concern,
  concernSince: row.concernSince,
  message: row.message,
  externalId: row.externalId,
  checkoutUrl: isUnderWay(row.status) ? row.checkoutUrl : null,
  expiresAt: row.expiresAt,
  paidAt: row.paidAt,
  refunds: refunds
    .filter(({ paymentId }) => paymentId === row.id)
    .map(({ id, amount, status, reason, byHand, message, createdAt }) => ({
      id,
      amount: Number(amount),
      status,
      reason,
      byHand,
      message,
      createdAt,
    })),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Presents the fields of a payment that customers may see. */
export function presentPublicPayment(row: PaymentRow): BegunPayment {
  const { id, orderId, gateway, status, amount, currency, checkoutUrl, expiresAt } = presentPayment(row)
  return { id, orderId, gateway, status, amount, currency, checkoutUrl, expiresAt }
}
