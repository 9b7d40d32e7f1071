import type { Tx } from '../../../data/sql.ts'
import type { DomainEvents } from '../../../data/subscribers.ts'
import { postPayment } from '../../remittances/payments.ts'
import { holdBooks } from '../payouts.queries.ts'
import { feeOf, findSettled } from './lines.queries.ts'

/**
 * Posts a fee that became known after its payment was posted: the gateway owes us that much less. Does nothing if a payout has settled the
 * payment, because its line included the fee.
 */
export async function learnFee(tx: Tx, { payment, fee }: DomainEvents['payment.feeLearnt']): Promise<void> {
  await holdBooks(tx, payment.connectionId)
  if ((await findSettled(tx, [payment.id], [])).length > 0) return
  await postPayment(tx, { ...payment, paymentId: feeOf(payment.id), at: new Date().toISOString(), amount: 0n, fee })
}
