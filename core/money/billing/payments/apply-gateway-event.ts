import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText, min } from '../../../lib/money/decimal.ts'
import { nextPollAt } from '../../payments/events/poll-schedule.ts'
import { fromUnits } from '../../payments/gateway/amounts.ts'
import { duplicatePaymentOf } from '../../payments/gateway/checkouts.ts'
import { REFUND_LAG_MS } from '../../payments/refunds.ts'
import { payDueInvoices } from '../periods/pay-invoices.ts'
import { hasRecentRefund, insertCredit, lockSubscription } from '../subscriptions.queries.ts'
import { findDuplicatePayment, insertPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'
import { everPaidStatuses, transitions } from './statuses.ts'

/** Outcome of a gateway event: applied, a duplicate, or outdated. */
export type GatewayEventOutcome = 'applied' | 'same' | 'stale'

/**
 * Applies a gateway event to a payment, even if it is repeated, late or out of order. A paid amount becomes credit once and pays open
 * invoices; an excess remains as credit.
 */
export async function applyGatewayEvent(
  tx: Tx,
  { storeId, id }: Pick<PaymentRow, 'storeId' | 'id'>,
  event: GatewayEvent,
): Promise<GatewayEventOutcome> {
  await lockSubscription(tx, storeId)
  const payment = await lockPayment(tx, id)
  const isOther = event.externalId !== undefined && payment.externalId !== null && event.externalId !== payment.externalId
  // Ignores a checkout whose page was never offered, unless it was paid all the same.
  if (isOther && event.status !== 'paid') return 'stale'
  const isPaid = everPaidStatuses.includes(payment.status)
  if (isOther && isPaid) return applyToDuplicate(tx, payment, event)
  if (event.status === 'paid' && isPaid) return (await recordRefunds(tx, payment, event)) === payment ? 'same' : 'applied'
  return applyStatus(tx, payment, event)
}

/** Applies a gateway event in a transaction, and logs a chargeback as an error for the operator. */
export async function recordGatewayEvent(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  payment: PaymentRow,
  event: GatewayEvent,
): Promise<GatewayEventOutcome> {
  const outcome = await transaction(sql, (tx) => applyGatewayEvent(tx, payment, event))
  if (event.takenBack && outcome === 'applied')
    log.error({ paymentId: payment.id, gateway: payment.gateway }, 'a payment of a subscription was charged back')
  return outcome
}

/** Applies an event to the payment that stands for a second checkout, and creates that payment on the first event. */
async function applyToDuplicate(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const duplicate = await findDuplicatePayment(tx, payment, event)
  if (duplicate) return applyGatewayEvent(tx, duplicate, event)
  return applyStatus(tx, await insertPayment(tx, { ...duplicatePaymentOf(payment, event), id: newId('spy') }), event)
}

/** Expires a payment whose time has run out. Leaves a payment in `processing` to its gateway. */
export async function markExpired(tx: Tx, payment: Pick<PaymentRow, 'storeId' | 'id'>): Promise<void> {
  await lockSubscription(tx, payment.storeId)
  const { status } = await lockPayment(tx, payment.id)
  if (status !== 'processing') await applyGatewayEvent(tx, payment, { status: 'expired' })
}

async function applyStatus(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<GatewayEventOutcome> {
  const { status } = event
  if (!transitions[payment.status].includes(status)) return status === payment.status ? 'same' : 'stale'
  const change = {
    status,
    ...(event.externalId !== undefined && { externalId: event.externalId }),
    ...(event.message !== undefined && { message: event.message }),
  }
  const moved = await updatePayment(tx, payment.id, change)
  await updatePayment(tx, payment.id, { readAt: nextPollAt(moved, Date.now()) })
  if (status === 'paid') await applyPaid(tx, moved, event)
  return 'applied'
}

async function applyPaid(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<void> {
  const { id, storeId, currency } = payment
  const paidAt = new Date().toISOString()
  if (event.currency !== undefined && event.currency !== currency) {
    // Only an administrator can decide its value and add it as credit.
    await updatePayment(tx, id, { paidAt, message: `The gateway says that it was paid in ${event.currency}.` })
    return
  }
  const paid = event.amount === undefined ? decimal(payment.amount) : fromUnits(event.amount, payment.decimals)
  const counted = await updatePayment(tx, id, { paidAt, paid: decimalText(paid) })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'payment', amount: decimalText(paid), currency, about: id })
  await recordRefunds(tx, counted, event)
  // Pays offers that were valid when the payment was started, however long it took.
  await payDueInvoices(tx, await lockSubscription(tx, storeId), Date.now(), Date.parse(payment.createdAt))
}

/** Records refunds that a gateway reports, and notes a chargeback in the payment's message. Returns the same payment if nothing changed. */
async function recordRefunds(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<PaymentRow> {
  const updated = await countRefunds(tx, payment, event)
  const isChargedBack = event.takenBack === true && hasMoneyLeft(updated) && updated.message !== TAKEN_BACK
  return isChargedBack ? updatePayment(tx, payment.id, { message: TAKEN_BACK }) : updated
}

const TAKEN_BACK =
  'A bank took money of this payment back, and no refund states the amount. Check the gateway; an administrator deducts the amount from the credit of the store.'

const hasMoneyLeft = ({ paid, refunded }: PaymentRow) => paid === null || decimal(paid) > decimal(refunded)

/**
 * Records refunds made in the gateway's dashboard as negative credit, so that what was paid with it is owed. A failed refund restores the
 * credit and pays open invoices.
 */
async function countRefunds(tx: Tx, payment: PaymentRow, event: GatewayEvent): Promise<PaymentRow> {
  const { id, storeId, currency, decimals, paid } = payment
  if (paid === null || event.refunded === undefined || (event.currency !== undefined && event.currency !== currency)) return payment
  const [before, given] = [decimal(payment.refunded), min(fromUnits(event.refunded, decimals), decimal(paid))]
  // A lower total may have been read before the last refund.
  if (given === before || (given < before && (await hasRecentRefund(tx, payment, REFUND_LAG_MS)))) return payment
  const status = given === 0n ? 'paid' : given === decimal(paid) ? 'refunded' : 'partially_refunded'
  const updated = await updatePayment(tx, id, { refunded: decimalText(given), status })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount: decimalText(before - given), currency, about: id })
  if (given < before) await payDueInvoices(tx, await lockSubscription(tx, storeId), Date.now())
  return updated
}
