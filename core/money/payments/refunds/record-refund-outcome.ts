import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { invariant } from '../../../lib/invariant.ts'
import { lockPaymentWithPayable } from '../lock-payment.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRef, PaymentRow } from '../payments.model.ts'
import { updatePayment } from '../payments.queries.ts'
import { concludeRefund, isAtGateway, revertRefund } from './conclude-refund.ts'
import { findRefund } from './refunds.queries.ts'

/**
 * Records a user's decision about a refund that is unknown, or that failed after it was done. Throws `invalid_transition` if its outcome is
 * known.
 */
export async function recordRefundOutcome(
  context: Context,
  tx: Tx,
  ref: PaymentRef,
  refundId: string,
  status: 'done' | 'failed',
): Promise<void> {
  const held = await lockPaymentWithPayable(context, tx, ref)
  const { locked, payment } = held
  const refund = invariant(await findRefund(tx, { projectId: payment.projectId, id: refundId }), 'A refund')
  const isFlagged = payment.concern === 'refund_failed' && isAtGateway(refund)
  if (refund.status !== 'unknown' && !isFlagged) throw paymentErrors.refundDecided({ status: refund.status })
  const isReverted = isFlagged && status === 'failed'
  let updated: PaymentRow
  if (!isFlagged) updated = await concludeRefund(tx, held, refund, { status })
  else if (isReverted) updated = await revertRefund(tx, held, refund)
  else updated = await updatePayment(tx, payment, { concern: null, concernSince: null })
  await locked.onChange?.(updated, isReverted ? 'refund_reverted' : null)
}
