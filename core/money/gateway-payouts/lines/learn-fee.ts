import type { Tx } from '../../../data/sql.ts'
import type { DomainEvents } from '../../../data/subscribers.ts'
import { postPayment } from '../../remittances/payments.ts'
import { holdBooks } from '../payouts.queries.ts'
import { feeOf, findSettled } from './lines.queries.ts'

/**
 * What a gateway keeps of a payment, known after that stood in the ledger: it owes us so much less. Once; of what was paid out by then, its
 * payout said it already.
 */
export async function learnFee(tx: Tx, { payment, fee }: DomainEvents['payment.feeLearnt']): Promise<void> {
  await holdBooks(tx, payment.connectionId)
  if ((await findSettled(tx, [payment.id], [])).length > 0) return
  await postPayment(tx, { ...payment, paymentId: feeOf(payment.id), at: new Date().toISOString(), amount: 0n, fee })
}
