import type { Tx } from '../../../data/sql.ts'
import type { DomainEvents } from '../../../data/subscribers.ts'
import { postPayment } from '../../ledger/entries/post-payments.ts'
import { lockConnectionPayouts } from '../payouts.queries.ts'
import { findSettledIds, lateFeeId } from './lines.queries.ts'

/**
 * Posts a fee that became known after its payment was posted: the gateway owes us that much less. Does nothing if a payout has settled the
 * payment, because its line included the fee.
 */
export async function postLateFee(tx: Tx, { payment, fee }: DomainEvents['payment.fee_reported']): Promise<void> {
  await lockConnectionPayouts(tx, payment.connectionId)
  if ((await findSettledIds(tx, payment.projectId, [payment.id], [])).length > 0) return
  await postPayment(tx, { ...payment, paymentId: lateFeeId(payment.id), at: new Date().toISOString(), amount: 0n, fee })
}
