import type { Refunded } from '../../../../plugins/payment/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { LockedPayment } from '../lock-payment.ts'
import type { PaymentRow, RefundRow } from '../payments.model.ts'
import { updatePayment } from '../payments.queries.ts'
import { updateRefund } from './refunds.queries.ts'

/** Time after a refund during which a gateway's total may not include it yet. */
const REFUND_LAG_MS = 60_000

/** Returns whether a gateway's total must include the refund, if it was made there. */
export const isSettled = ({ updatedAt }: RefundRow): boolean => Date.parse(updatedAt) <= Date.now() - REFUND_LAG_MS

/** Returns whether the refund was requested at the gateway and is done. */
export const isAtGateway = ({ status, byHand }: RefundRow): boolean => status === 'done' && !byHand

/** Result of a refund at the gateway, or as a user recorded it. */
export type RefundResult = Omit<Refunded, 'status' | 'externalId'> & {
  readonly status: Refunded['status'] | 'unknown'
  readonly externalId?: string
}

/** Applies the result of a refund to its payment, and accounts for it. The caller reports the change to the payable. */
export async function concludeRefund(
  tx: Tx,
  { locked, payment }: LockedPayment,
  refund: RefundRow,
  { status, externalId, message }: RefundResult,
): Promise<PaymentRow> {
  await updateRefund(tx, refund, { status, externalId: externalId ?? null, message: message ?? null })
  if (status === 'unknown') return locked.flagConcern(payment, 'refund_unknown')
  if (status !== 'done') return clearConcern(tx, payment, {})
  const amount = decimal(refund.amount)
  const refunded = decimal(payment.refunded) + amount
  const isWhole = refunded >= decimal(payment.paid ?? 0)
  const change = { refunded: decimalText(refunded), status: isWhole ? ('refunded' as const) : ('partially_refunded' as const) }
  const cleared = await clearConcern(tx, payment, change, { isOver: isWhole })
  await locked.onRefunded(cleared, { refundId: refund.id, amount })
  return cleared
}

/** Clears a concern that the result of a refund resolves: `refund_unknown`, or any except `refund_failed` when all was refunded. */
const clearConcern = (
  tx: Tx,
  payment: PaymentRow,
  change: Partial<Pick<PaymentRow, 'refunded' | 'status'>>,
  { isOver = false }: { readonly isOver?: boolean } = {},
): Promise<PaymentRow> => {
  const { concern } = payment
  const isResolved = (isOver && concern !== 'refund_failed') || concern === 'refund_unknown'
  return updatePayment(tx, payment, { ...change, ...(isResolved && { concern: null, concernSince: null }) })
}

/**
 * Reverts a refund that failed after it was done. Clears the concern of an accepted payment once no refunded amount is missing. The caller
 * reports the change to the payable.
 */
export async function revertRefund(tx: Tx, { locked, payment }: LockedPayment, refund: RefundRow): Promise<PaymentRow> {
  const amount = decimal(refund.amount)
  const refunded = decimal(payment.refunded) - amount
  const missing = decimal(payment.missing) - amount
  await updateRefund(tx, refund, { status: 'failed' })
  const reverted = await updatePayment(tx, payment, {
    refunded: decimalText(refunded),
    status: refunded > 0n ? 'partially_refunded' : 'paid',
    missing: decimalText(missing > 0n ? missing : 0n),
    ...(payment.accepted && missing <= 0n && { concern: null, concernSince: null }),
  })
  await locked.onRefundReverted(reverted, { refundId: `${refund.id}:failed`, amount })
  return reverted
}
