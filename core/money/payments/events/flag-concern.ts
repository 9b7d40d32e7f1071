import type { Concern } from '../../../../plugins/payment/payments.model.ts'
import type { Tx } from '../../../data/sql.ts'
import { emitPaymentEvent } from '../orders/update-order-payment.ts'
import { type PaymentChange, type PaymentRow, updatePayment } from '../payments.queries.ts'

/** Raises a concern about a payment, so that it waits for review, and emits `payment.needs_attention`. The caller updates the order. */
export async function flagConcern(tx: Tx, { id }: PaymentRow, concern: Concern, change: PaymentChange = {}): Promise<PaymentRow> {
  const flagged = await updatePayment(tx, id, { ...change, concern, concernSince: new Date().toISOString() })
  await emitPaymentEvent(tx, 'payment.needs_attention', flagged)
  return flagged
}
