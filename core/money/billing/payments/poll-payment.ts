import { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { findManualGateway } from '../../payments/decide-payment.ts'
import { expiryNow, expiryOf, isOutcomeOverdue, nextPollAfter } from '../../payments/events/poll-schedule.ts'
import { amountStepAt, roundUp } from '../../payments/gateway/amounts.ts'
import { asFailure, canExpire, closeAtGateway, GATEWAY_OFF } from '../../payments/gateway/checkouts.ts'
import { applyGatewayEvent, markExpired, recordGatewayEvent } from './apply-gateway-event.ts'
import { findAmountDue } from './due.ts'
import {
  claimDuePayments,
  claimPoll,
  findPayment,
  listPaymentsUnderWay,
  type PaymentRow,
  updateExpiry,
  updatePayment,
} from './payments.queries.ts'
import { isUnderWay, transitions } from './statuses.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.pollDue': Record<string, unknown>
    'subscriptions.poll': { readonly paymentId: string }
    'subscriptions.expire': { readonly paymentId: string }
  }
}

const CALL_MS = 20_000
/** Timeout of a poll while a user waits. */
const ASKED_MS = 4_000
const READ_AGAIN_SECONDS = 3
const BATCH = 200
const PUT_OFF_SECONDS = 300

/** Enqueues polls of payments that are due. Runs every minute. */
export async function enqueueDuePolls({ sql }: Pick<Context, 'sql'>): Promise<void> {
  for (const { id, connectionId } of await claimDuePayments(sql, BATCH, PUT_OFF_SECONDS))
    await enqueue(sql, 'subscriptions.poll', { paymentId: id }, { key: `payment:${id}`, queue: `payments:${connectionId}`, maxAttempts: 1 })
}

/**
 * Polls the gateway for a payment and applies the result. Expires a payment whose time has run out, once the gateway has responded. Marks
 * an overdue outcome for review.
 */
export async function pollPayment(context: Context, paymentId: string, deadlineMs = CALL_MS): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment) return
  const isOver = isUnderWay(payment.status) && expiryOf(payment) <= Date.now()
  const hasResponded = payment.externalId === null || (await pollGateway(context, payment, payment.externalId, deadlineMs))
  if (isOver && hasResponded) await expirePayment(context, paymentId, { wasAsked: true })
  const now = await findPayment(context.sql, paymentId)
  if (now && isOutcomeOverdue(now, Date.now())) await markOutcomeUnknown(context, now)
}

const OUTCOME_UNKNOWN =
  'The gateway does not say whether this payment was paid. Check it there; an administrator adds a paid amount to the credit of the store.'

const AWAITING_REVIEW = 'This receipt has not been verified yet: an administrator does that.'

/**
 * Notes in the payment's message that its outcome is overdue, and logs an error for the operator. Expires it if it is no longer polled,
 * unless a receipt waits for review. Later gateway events still count.
 */
async function markOutcomeUnknown(context: Context, payment: PaymentRow): Promise<void> {
  const { sql, log } = context
  const { id: paymentId, gateway, readAt, status } = payment
  const waitsForPerson = status === 'processing' && (await findManualGateway(context, payment)) !== null
  log.error({ paymentId, gateway }, 'the outcome of a payment of a subscription is unknown')
  await updatePayment(sql, paymentId, { message: waitsForPerson ? AWAITING_REVIEW : OUTCOME_UNKNOWN })
  if (readAt === null && !waitsForPerson) await transaction(sql, (tx) => applyGatewayEvent(tx, payment, { status: 'expired' }))
}

/** Polls the gateway for a waiting user, if the payment can still change and was not polled just now. */
export async function pollForPayer(context: Context, { id, status, externalId }: PaymentRow): Promise<void> {
  if (transitions[status].length > 0 && externalId !== null && (await claimPoll(context.sql, id, READ_AGAIN_SECONDS)))
    await pollPayment(context, id, ASKED_MS)
}

/** Polls the gateways for all payments of a store that are under way. */
export async function pollPaymentsUnderWay(context: Context, storeId: string): Promise<void> {
  await Promise.all((await listPaymentsUnderWay(context.sql, storeId)).map((payment) => pollForPayer(context, payment)))
}

/** Polls the gateway and schedules the next poll. Returns whether the gateway responded, including that it does not know the checkout. */
async function pollGateway(context: Context, payment: PaymentRow, externalId: string, deadlineMs: number): Promise<boolean> {
  const connection = await findEnabledConnection(context, 'payment', payment.connectionId)
  const event = connection ? await fetchFromGateway(context, connection, payment, externalId, deadlineMs).catch(asFailure) : GATEWAY_OFF
  const hasResponded = !(event instanceof AdapterFailure) || event.reason === 'not_found'
  if (event instanceof AdapterFailure) await recordFailure(context, payment, event)
  else if (event) await recordGatewayEvent(context, payment, { ...event, externalId })
  const now = await findPayment(context.sql, payment.id)
  if (now) await updatePayment(context.sql, payment.id, { readAt: nextPollAfter(context, now, { hasResponded }) })
  return hasResponded
}

async function recordFailure({ sql }: Context, { id, status }: PaymentRow, { message }: AdapterFailure): Promise<void> {
  if (isUnderWay(status)) await updatePayment(sql, id, { message })
}

/**
 * Reads the checkout from the gateway. Captures an authorized amount if the store still owes it, because some gateways otherwise release
 * it.
 */
async function fetchFromGateway(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  externalId: string,
  deadlineMs: number,
): Promise<GatewayEvent | null> {
  const options = { operation: 'read', deadlineMs, schema: GatewayEvent, quota: 'lookUp' as const }
  const event = await callAdapter(context, connection, (adapter, own) => adapter.read(own, externalId), options)
  const { capture } = connection.mounted.adapter
  if (event.status !== 'authorized' || !capture) return event
  if (!(await isOwed(context, connection, payment))) return isUnderWay(payment.status) ? event : null
  return callAdapter(context, connection, (_, own) => capture(own, externalId), { ...options, operation: 'capture' })
}

/** Returns whether the payment is at most what the store owes now, rounded up to the gateway's step. */
async function isOwed({ sql }: Context, { mounted }: PaymentConnection, { storeId, amount, currency }: PaymentRow): Promise<boolean> {
  const due = await findAmountDue(sql, storeId, Date.now())
  return due?.currency === currency && decimal(amount) <= roundUp(due.amount, amountStepAt(mounted.adapter, currency))
}

/** Expires a payment and closes its page at the gateway, like a payment of an order. With `wasAsked`, the gateway has just been polled. */
export async function expirePayment(
  context: Context,
  paymentId: string,
  { wasAsked = false }: { readonly wasAsked?: boolean } = {},
): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment || !canExpire(payment)) return
  const hasResponded = await closeAtGateway(context, payment, { wasAsked }, (...args) => pollGateway(context, payment, ...args))
  if (hasResponded) await transaction(context.sql, (tx) => markExpired(tx, payment))
  else await updateExpiry(context.sql, payment.id, expiryNow(payment))
}
