import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import { fromUnits, isOtherCurrency } from '../gateway/amounts.ts'
import { type LockedPayment, lockPaymentWithPayable } from '../lock-payment.ts'
import type { PaymentChange, PaymentRef, PaymentRow } from '../payments.model.ts'
import { findDuplicatePayment, findPaymentOfEvent, insertGatewayEvent, insertPayment, updatePayment } from '../payments.queries.ts'
import { flagChargeback, recordGatewayRefunds } from '../refunds/record-gateway-refunds.ts'
import { everPaidStatuses, isUnderWay, transitions } from '../statuses.ts'
import { nextPollAt } from './poll-schedule.ts'

/** Outcome of a gateway event: applied, a duplicate, outdated, or earlier than the checkout that it belongs to. */
export type GatewayEventOutcome = 'applied' | 'same' | 'stale' | 'early'

/**
 * Records a gateway event and applies it once, even if it is repeated, late or out of order. An event for an unknown payment is stored as
 * `early`.
 */
export async function recordGatewayEvent(context: Context, { row }: PaymentConnection, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const payment = await findPaymentOfEvent(context.sql, row.id, event)
  return transaction(context.sql, async (tx) => {
    const record = {
      projectId: row.projectId,
      connectionId: row.id,
      digest: sha256(JSON.stringify(event)),
      externalId: event.externalId ?? null,
      news: event,
    }
    const outcome = payment ? 'applied' : 'early'
    const isNew = await insertGatewayEvent(tx, { ...record, paymentId: payment?.id ?? null, outcome })
    // A duplicate with a refund total is still applied, because a failed refund restores an earlier total.
    if (!isNew && event.refunded === undefined) return 'same'
    return payment ? applyGatewayEvent(context, tx, payment, event) : 'early'
  })
}

/** Expires a payment whose time has run out. Leaves a payment in `processing` to its gateway, or to a user. */
export async function markExpired(context: Context, tx: Tx, ref: PaymentRef): Promise<void> {
  const { payment } = await lockPaymentWithPayable(context, tx, ref)
  if (payment.status !== 'processing') await applyGatewayEvent(context, tx, payment, { status: 'expired' })
}

/** Applies a gateway event to a payment in a transaction that locks its payable and the payment. */
export async function applyGatewayEvent(context: Context, tx: Tx, ref: PaymentRef, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const held = await lockPaymentWithPayable(context, tx, ref)
  const { payment } = held
  const isOther = event.externalId !== undefined && payment.externalId !== null && event.externalId !== payment.externalId
  // Ignores a checkout whose page was never offered, unless it was paid all the same.
  if (isOther && event.status !== 'paid') return 'stale'
  const isPaid = everPaidStatuses.includes(payment.status)
  if (isOther && isPaid) return applyToDuplicate(context, tx, held, event)
  if (event.status === 'paid' && isPaid) return applyToPaid(tx, held, event)
  return applyStatus(tx, held, event)
}

/** Applies an event to the payment that stands for a second checkout, and creates that payment on the first event. */
async function applyToDuplicate(context: Context, tx: Tx, held: LockedPayment, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const { payable, payment } = held
  const duplicate = await findDuplicatePayment(tx, payment, event)
  if (duplicate) return applyGatewayEvent(context, tx, duplicate, event)
  const { payableKind, payableId, projectId, connectionId, gateway, amount, currency, decimals, language } = payment
  const second = await insertPayment(tx, {
    payableKind,
    payableId,
    projectId,
    connectionId,
    gateway,
    amount,
    currency,
    decimals,
    language,
    id: newId(payable.idPrefix),
    status: 'open',
    externalId: event.externalId ?? null,
  })
  return applyStatus(tx, { ...held, payment: second }, event)
}

async function applyStatus(tx: Tx, held: LockedPayment, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const { locked, payment } = held
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
  const moved = status === 'paid' ? await applyPaid(tx, held, event, change) : await updatePayment(tx, payment, change)
  const readAt = nextPollAt(moved, Date.now())
  const saved = readAt === moved.readAt ? moved : await updatePayment(tx, payment, { readAt })
  await locked.onChange?.(saved, status === 'paid' ? 'paid' : null)
  if (status === 'failed' || status === 'cancelled' || status === 'expired') await locked.onUnpaid?.(saved)
  return 'applied'
}

/** Records money that arrived. It counts for the payable unless it raises a concern. */
async function applyPaid(tx: Tx, held: LockedPayment, event: GatewayEvent, change: PaymentChange): Promise<PaymentRow> {
  const { locked, payment } = held
  const { decimals } = payment
  const isForeign = isOtherCurrency(payment, event)
  const paid = event.amount === undefined ? decimal(payment.amount) : fromUnits(event.amount, decimals)
  const fee: Decimal = event.fee === undefined ? 0n : fromUnits(event.fee, decimals)
  const concern = (await locked.concernOf?.(payment, paid, event)) ?? null
  const paidAt = paidTime(event.at)
  const moved = await updatePayment(tx, payment, {
    ...change,
    // Only a user can decide its value in the payment's currency.
    paid: isForeign ? null : decimalText(paid),
    ...(isForeign && { message: `The gateway says that it was paid in ${event.currency}.` }),
    fee: event.fee === undefined ? null : decimalText(fee),
    paidAt,
    accepted: concern === null,
    concern,
    concernSince: concern && new Date().toISOString(),
  })
  await locked.onPaid(moved, isForeign ? null : { amount: paid, fee, at: paidAt })
  const counted = await recordGatewayRefunds(tx, { ...held, payment: moved }, event)
  return flagChargeback({ ...held, payment: counted.payment }, event)
}

/** Applies what an event adds to a paid payment: the fee, refunds and chargebacks. */
async function applyToPaid(tx: Tx, held: LockedPayment, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const withFee = await recordFee(tx, held, event)
  const { payment, wasReverted } = await recordGatewayRefunds(tx, { ...held, payment: withFee }, event)
  const updated = await flagChargeback({ ...held, payment }, event)
  if (updated === held.payment) return 'same'
  await held.locked.onChange?.(updated, wasReverted ? 'refund_reverted' : null)
  return 'applied'
}

/** Records a fee that became known after the payment. */
async function recordFee(tx: Tx, { payable, locked, payment }: LockedPayment, event: GatewayEvent): Promise<PaymentRow> {
  const { fee: reported } = event
  const isKnown = reported === undefined || payment.fee !== null || payment.paid === null
  if (isKnown || !payable.hasFees || isOtherCurrency(payment, event)) return payment
  const fee = fromUnits(reported, payment.decimals)
  const updated = await updatePayment(tx, payment, { fee: decimalText(fee) })
  if (fee > 0n) await locked.onFee?.(payment, fee)
  return updated
}

/** Returns the time of payment. Limits a gateway's time to now, because its clock may be wrong. */
function paidTime(at: string | undefined): string {
  const ms = at === undefined ? Number.NaN : Date.parse(at)
  return new Date(Number.isFinite(ms) && ms > 0 ? Math.min(ms, Date.now()) : Date.now()).toISOString()
}
