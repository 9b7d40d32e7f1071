import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimal, decimalText, min } from '../../../lib/money/decimal.ts'
import { lockOrderWithParcelsIncludingDeleted } from '../../../orders/change/lock-order.ts'
import { postPayment } from '../../ledger/entries/post-payments.ts'
import { fromUnits } from '../gateway/amounts.ts'
import { duplicatePaymentOf } from '../gateway/checkouts.ts'
import { emitPaymentEvent, updateOrderPayment } from '../orders/update-order-payment.ts'
import {
  findDuplicatePayment,
  findPaymentOfEvent,
  insertGatewayEvent,
  insertPayment,
  insertRefund,
  listPaymentsOfOrder,
  listRefunds,
  lockPayment,
  type PaymentChange,
  type PaymentRef,
  type PaymentRow,
  updatePayment,
} from '../payments.queries.ts'
import { concludeRefund, missingRefundAmount } from '../refunds.ts'
import { everPaidStatuses, isUnderWay, transitions } from '../statuses.ts'
import { flagConcern, paidConcernOf } from './concerns.ts'
import { nextPollAt } from './poll-schedule.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** A gateway's fee became known after its payment was posted to the ledger. */
    'payment.fee_reported': {
      readonly payment: Pick<PaymentRow, 'projectId' | 'connectionId' | 'id'>
      readonly fee: Decimal
    }
  }
}

/** Outcome of a gateway event: applied, a duplicate, outdated, or earlier than the checkout that it belongs to. */
export type GatewayEventOutcome = 'applied' | 'same' | 'stale' | 'early'

/**
 * Records a gateway event and applies it once, even if it is repeated, late or out of order. An event for an unknown payment is stored as
 * `early`.
 */
export async function recordGatewayEvent({ sql }: Context, { row }: PaymentConnection, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const payment = await findPaymentOfEvent(sql, row.id, event)
  return transaction(sql, async (tx) => {
    const record = { connectionId: row.id, digest: sha256(JSON.stringify(event)), externalId: event.externalId ?? null, news: event }
    const outcome = payment ? 'applied' : 'early'
    const isNew = await insertGatewayEvent(tx, { ...record, paymentId: payment?.id ?? null, outcome })
    // A duplicate with a refund total is still applied, because a failed refund restores an earlier total.
    if (!isNew && event.refunded === undefined) return 'same'
    return payment ? applyGatewayEvent(tx, payment, event) : 'early'
  })
}

/** Expires a payment whose time has run out. Leaves a payment in `processing` to its gateway, or to a user. */
export async function markExpired(tx: Tx, named: PaymentRef): Promise<void> {
  await lockOrderWithParcelsIncludingDeleted(tx, named)
  const { status } = invariant(await lockPayment(tx, named.id), 'A payment that expires')
  if (status !== 'processing') await applyGatewayEvent(tx, named, { status: 'expired' })
}

/** Applies a gateway event to a payment in a transaction that locks its order, its parcels and the payment. */
export async function applyGatewayEvent(tx: Tx, named: PaymentRef, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const locked = await lockOrderWithParcelsIncludingDeleted(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'The payment of a gateway event')
  const isOther = event.externalId !== undefined && payment.externalId !== null && event.externalId !== payment.externalId
  // Ignores a checkout whose page was never offered, unless it was paid all the same.
  if (isOther && event.status !== 'paid') return 'stale'
  const isPaid = everPaidStatuses.includes(payment.status)
  if (isOther && isPaid) return applyToDuplicate(tx, locked, payment, event)
  if (event.status === 'paid' && isPaid) return applyToPaid(tx, locked, payment, event)
  return applyStatus(tx, locked, payment, event)
}

type LockedOrder = Awaited<ReturnType<typeof lockOrderWithParcelsIncludingDeleted>>

/** Applies an event to the payment that stands for a second checkout, and creates that payment on the first event. */
async function applyToDuplicate(tx: Tx, locked: LockedOrder, payment: PaymentRow, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const duplicate = await findDuplicatePayment(tx, payment, event)
  if (duplicate) return applyGatewayEvent(tx, duplicate, event)
  const { projectId, orderId } = payment
  return applyStatus(
    tx,
    locked,
    await insertPayment(tx, { ...duplicatePaymentOf(payment, event), id: newId('pay'), projectId, orderId }),
    event,
  )
}

async function applyStatus(tx: Tx, locked: LockedOrder, payment: PaymentRow, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const { status } = event
  if (!transitions[payment.status].includes(status)) return status === payment.status ? 'same' : 'stale'
  const change: PaymentChange = {
    status,
    // The outcome is known now.
    ...(payment.concern === 'outcome_unknown' && !isUnderWay(status) && { concern: null, concernSince: null }),
    ...(event.externalId !== undefined && { externalId: event.externalId }),
    ...(event.method !== undefined && { method: event.method }),
    ...(event.message !== undefined && { message: event.message }),
  }
  const moved = status === 'paid' ? await applyPaid(tx, locked, payment, event, change) : await updatePayment(tx, payment.id, change)
  const readAt = nextPollAt(moved, Date.now())
  const saved = readAt === moved.readAt ? moved : await updatePayment(tx, payment.id, { readAt })
  await updateOrderPayment(tx, locked)
  if (status === 'failed' || status === 'cancelled' || status === 'expired') await emitPaymentEvent(tx, 'payment.failed', saved)
  return 'applied'
}

/** Records money that arrived. Posts it to the ledger, and counts it for the order unless it raises a concern. */
async function applyPaid(
  tx: Tx,
  locked: LockedOrder,
  payment: PaymentRow,
  event: GatewayEvent,
  change: PaymentChange,
): Promise<PaymentRow> {
  const { decimals } = payment
  const isForeignCurrency = isOtherCurrency(payment, event)
  const paid = event.amount === undefined ? decimal(payment.amount) : fromUnits(event.amount, decimals)
  const fee: Decimal = event.fee === undefined ? 0n : fromUnits(event.fee, decimals)
  const others = (await listPaymentsOfOrder(tx, payment.orderId)).filter(({ id }) => id !== payment.id)
  const concern = paidConcernOf(payment, paid, event, { ...locked, others })
  const paidAt = paidTime(event.at)
  const moved = await updatePayment(tx, payment.id, {
    ...change,
    // Only a user can decide its value in the order's currency.
    paid: isForeignCurrency ? null : decimalText(paid),
    ...(isForeignCurrency && { message: `The gateway says that it was paid in ${event.currency}.` }),
    fee: event.fee === undefined ? null : decimalText(fee),
    paidAt,
    accepted: concern === null,
    concern,
    concernSince: concern && new Date().toISOString(),
  })
  if (!isForeignCurrency) await postPayment(tx, { ...payment, paymentId: payment.id, at: paidAt, amount: paid, fee })
  await emitPaymentEvent(tx, 'payment.paid', moved)
  if (concern) await emitPaymentEvent(tx, 'payment.needs_attention', moved)
  return flagChargeback(tx, await recordGatewayRefunds(tx, moved, event), event)
}

/** Applies what an event adds to a paid payment: the fee, refunds and chargebacks. */
async function applyToPaid(tx: Tx, locked: LockedOrder, payment: PaymentRow, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const updated = await flagChargeback(tx, await recordGatewayRefunds(tx, await recordFee(tx, payment, event), event), event)
  if (updated === payment) return 'same'
  await updateOrderPayment(tx, locked)
  return 'applied'
}

/** Returns whether the event's currency differs from the payment's. */
const isOtherCurrency = ({ currency }: PaymentRow, event: GatewayEvent) => event.currency !== undefined && event.currency !== currency

/** Records a fee that became known after the payment. Publishes `payment.fee_reported` if it is not zero. */
async function recordFee(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<PaymentRow> {
  const { fee: reported } = event
  if (reported === undefined || payment.fee !== null || payment.paid === null || isOtherCurrency(payment, event)) return payment
  const fee = fromUnits(reported, payment.decimals)
  const updated = await updatePayment(tx, payment.id, { fee: decimalText(fee) })
  if (fee > 0n) await publish(tx, 'payment.fee_reported', { payment, fee })
  return updated
}

/**
 * Records refunds made in the gateway's dashboard. If the gateway reports less than our refunds, raises `refund_failed` once per missing
 * amount.
 */
async function recordGatewayRefunds(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<PaymentRow> {
  const { refunded } = event
  if (refunded === undefined || isOtherCurrency(payment, event)) return payment
  const total = min(fromUnits(refunded, payment.decimals), decimal(payment.paid ?? 0))
  const ours = await listRefunds(tx, [payment.id])
  const counted = ours.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + decimal(amount), 0n)
  const unrecorded = total - counted
  const missing = missingRefundAmount(ours, total)
  const isMissingMore = payment.concern === null && missing > decimal(payment.missing)
  if (unrecorded <= 0n) return isMissingMore ? flagConcern(tx, payment, 'refund_failed', { missing: decimalText(missing) }) : payment
  const refund = await insertRefund(tx, {
    paymentId: payment.id,
    id: newId('rfd'),
    amount: decimalText(unrecorded),
    status: 'pending',
    reason: '',
    byHand: true,
  })
  return concludeRefund(tx, refund, { status: 'done' })
}

/** Raises `taken_back` once for a chargeback, or for a refund in another currency. Does not replace a concern about a refund. */
async function flagChargeback(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<PaymentRow> {
  const { concern, takenBack, paid, refunded } = payment
  const isReported = event.takenBack || (isOtherCurrency(payment, event) && (event.refunded ?? 0) > 0)
  const isThere = paid === null || decimal(paid) > decimal(refunded)
  if (!isReported || takenBack || !isThere || concern === 'refund_unknown' || concern === 'refund_failed') return payment
  return flagConcern(tx, payment, 'taken_back', { takenBack: true })
}

/** Returns the time of payment. Limits a gateway's time to now, because its clock may be wrong. */
function paidTime(at: string | undefined): string {
  const ms = at === undefined ? Number.NaN : Date.parse(at)
  return new Date(Number.isFinite(ms) && ms > 0 ? Math.min(ms, Date.now()) : Date.now()).toISOString()
}
