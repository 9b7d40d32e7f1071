import type { Concern } from '../../../../plugins/payment/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { tell } from '../orders/settle.ts'
import { type PaymentRow, type PaymentValues, updatePayment } from '../payments.queries.ts'

/** A payment waits for a person, who is told why. The order is settled by the caller. */
export async function worry(tx: Tx, { id }: PaymentRow, concern: Concern, told: PaymentValues = {}): Promise<PaymentRow> {
  const worried = await updatePayment(tx, id, { ...told, concern, concernSince: new Date().toISOString() })
  await tell(tx, 'payment.needs_attention', worried)
  return worried
}
