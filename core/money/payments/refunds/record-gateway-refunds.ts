import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimal, decimalText, min } from '../../../lib/money/decimal.ts'
import { fromUnits, isOtherCurrency } from '../gateway/amounts.ts'
import type { LockedPayment } from '../lock-payment.ts'
import type { PaymentRow, RefundRow } from '../payments.model.ts'
import { concludeRefund, isAtGateway, isSettled, revertRefund } from './conclude-refund.ts'
import { insertRefund, listRefunds } from './refunds.queries.ts'

/** Payment with the refunds that its gateway reports. `wasReverted` is true when the gateway reported fewer refunds than before. */
interface ReportedRefunds {
  readonly payment: PaymentRow
  readonly wasReverted: boolean
}

/**
 * Records refunds made in the gateway's dashboard. If the gateway reports less than was refunded, reverts refunds or raises `refund_failed`,
 * as the payable says. Returns the same payment if nothing changed.
 */
export async function recordGatewayRefunds(tx: Tx, held: LockedPayment, event: GatewayEvent): Promise<ReportedRefunds> {
  const { payment, payable } = held
  const unchanged = { payment, wasReverted: false }
  if (event.refunded === undefined || isOtherCurrency(payment, event)) return unchanged
  const total = min(fromUnits(event.refunded, payment.decimals), decimal(payment.paid ?? 0))
  const refunds = await listRefunds(tx, payment.projectId, [payment.id])
  const unrecorded = total - sumOf(refunds.filter(({ status }) => status !== 'failed'))
  if (unrecorded > 0n) return { payment: await recordRefund(tx, held, unrecorded), wasReverted: false }
  if (!payable.revertsRefunds) return { payment: await flagMissingRefund(held, refunds, total), wasReverted: false }
  return unrecorded === 0n || !refunds.every(isSettled) ? unchanged : revertRefundsTo(tx, held, refunds, total)
}

const sumOf = (refunds: readonly RefundRow[]): Decimal => refunds.reduce((sum, { amount }) => sum + decimal(amount), 0n)

async function recordRefund(tx: Tx, held: LockedPayment, amount: Decimal): Promise<PaymentRow> {
  const values = { amount: decimalText(amount), status: 'pending' as const, reason: '', byHand: true }
  const { projectId, id: paymentId } = held.payment
  const refund = await insertRefund(tx, { projectId, paymentId, id: newId('rfd'), ...values })
  return concludeRefund(tx, held, refund, { status: 'done' })
}

/** Raises `refund_failed` once per missing amount. Ignores refunds made elsewhere and those of the last minute. */
async function flagMissingRefund({ locked, payment }: LockedPayment, refunds: readonly RefundRow[], total: Decimal): Promise<PaymentRow> {
  const missing = sumOf(refunds.filter((refund) => isAtGateway(refund) && isSettled(refund))) - total
  if (payment.concern !== null || missing <= decimal(payment.missing)) return payment
  return locked.flagConcern(payment, 'refund_failed', { missing: decimalText(missing) })
}

/** Reverts the newest refunds until at most `total` is refunded, then records the rest again. */
async function revertRefundsTo(tx: Tx, held: LockedPayment, refunds: readonly RefundRow[], total: Decimal): Promise<ReportedRefunds> {
  let { payment } = held
  for (const refund of refunds.filter(({ status }) => status === 'done').toReversed())
    if (decimal(payment.refunded) > total) payment = await revertRefund(tx, { ...held, payment }, refund)
  const left = total - decimal(payment.refunded)
  return { payment: left > 0n ? await recordRefund(tx, { ...held, payment }, left) : payment, wasReverted: true }
}

/** Raises `taken_back` once for a chargeback, or for a refund in another currency. Does not replace a concern about a refund. */
export async function flagChargeback({ locked, payment }: LockedPayment, event: GatewayEvent): Promise<PaymentRow> {
  const { concern, takenBack, paid, refunded } = payment
  const isReported = event.takenBack || (isOtherCurrency(payment, event) && (event.refunded ?? 0) > 0)
  const isThere = paid === null || decimal(paid) > decimal(refunded)
  if (!isReported || takenBack || !isThere || concern === 'refund_unknown' || concern === 'refund_failed') return payment
  return locked.flagConcern(payment, 'taken_back', { takenBack: true })
}
