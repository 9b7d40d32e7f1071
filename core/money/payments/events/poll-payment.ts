import { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { QuotaClass } from '../../../integrations/egress/quota.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import { amountDueOf } from '../../../orders/parcels/parcel-values.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import { asFailure, canExpire, closeAtGateway, GATEWAY_OFF } from '../gateway/checkouts.ts'
import { claimDuePayments, deleteGatewayEvents, findPayment, type PaymentRow, updateExpiry, updatePayment } from '../payments.queries.ts'
import { isUnderWay } from '../statuses.ts'
import { applyGatewayEvent, markExpired } from './apply-gateway-event.ts'
import { markOutcomeUnknown } from './concerns.ts'
import { expiryNow, expiryOf, isOutcomeOverdue, nextPollAfter } from './poll-schedule.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'payments.pollDue': Record<string, unknown>
    'payments.poll': { paymentId: string; quota?: QuotaClass }
    'payments.expire': { paymentId: string }
    'payments.deleteOldEvents': Record<string, unknown>
  }
}

const CALL_MS = 20_000
const BATCH = 200
const PUT_OFF_SECONDS = 300
/** Maximum number of batches per run; the rest waits for the next minute. */
const ROUNDS_MAX = 10
const LANES = 4
const EVENT_RETENTION_DAYS = 30
const DELETE_BATCH = 10_000

/** Timeout and quota class of a poll. Defaults are those of a waiting user. */
interface PollOptions {
  readonly deadlineMs?: number | undefined
  readonly quota?: QuotaClass | undefined
}

/** Enqueues polls of payments that are due. Runs every minute. */
export async function enqueueDuePolls({ sql }: Context): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const due = await claimDuePayments(sql, BATCH, PUT_OFF_SECONDS)
    for (const [at, { id, connectionId, projectId }] of due.entries())
      await enqueue(
        sql,
        'payments.poll',
        { paymentId: id, quota: 'poll' },
        { key: `payment:${id}`, queue: `payments:${connectionId}:${at % LANES}`, owner: projectId, maxAttempts: 1 },
      )
    if (due.length < BATCH) return
  }
}

/**
 * Polls the gateway for a payment and applies the result. Expires a payment whose time has run out, once the gateway has responded. Raises
 * `outcome_unknown` if the outcome is overdue.
 */
export async function pollPayment(context: Context, paymentId: string, { deadlineMs, quota }: PollOptions = {}): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment) return
  const isOver = isUnderWay(payment.status) && expiryOf(payment) <= Date.now()
  const hasResponded = payment.externalId === null || (await pollGateway(context, payment, { deadlineMs, quota }))
  if (isOver && hasResponded) await expirePayment(context, paymentId, { wasAsked: true })
  const now = await findPayment(context.sql, paymentId)
  if (now && now.concern === null && isOutcomeOverdue(now, Date.now())) await markOutcomeUnknown(context.sql, now)
}

/** Polls the gateway and schedules the next poll. Returns whether the gateway responded, including that it does not know the checkout. */
async function pollGateway(context: Context, payment: PaymentRow, asking: PollOptions): Promise<boolean> {
  const connection = await findEnabledConnection(context, 'payment', payment.connectionId)
  const event = connection ? await fetchFromGateway(context, connection, payment, asking).catch(asFailure) : GATEWAY_OFF
  const hasResponded = !(event instanceof AdapterFailure) || event.reason === 'not_found'
  if (event instanceof AdapterFailure) await recordFailure(context, payment, event)
  else if (event) await transaction(context.sql, (tx) => applyGatewayEvent(tx, payment, event))
  const now = await findPayment(context.sql, payment.id)
  if (now) await updatePayment(context.sql, payment.id, { readAt: nextPollAfter(context, now, { hasResponded }) })
  return hasResponded
}

/** Records the failure of a poll. A payment that has ended retains its last message. */
async function recordFailure({ sql }: Context, { id, status }: PaymentRow, { message }: AdapterFailure): Promise<void> {
  if (isUnderWay(status)) await updatePayment(sql, id, { message })
}

/**
 * Reads the checkout from the gateway. Captures an authorized amount if the order still needs it, because some gateways otherwise release
 * it.
 */
async function fetchFromGateway(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  { deadlineMs = CALL_MS, quota = 'lookUp' }: PollOptions,
): Promise<GatewayEvent | null> {
  const { externalId } = payment
  if (externalId === null) return null
  const options = { operation: 'read', deadlineMs, schema: GatewayEvent, quota }
  const event = await callAdapter(context, connection, (adapter, own) => adapter.read(own, externalId), options)
  const { capture } = connection.mounted.adapter
  if (event.status !== 'authorized' || !capture) return withExternalId(event, externalId)
  if (!(await isStillDue(context, payment))) return isUnderWay(payment.status) ? withExternalId(event, externalId) : null
  return withExternalId(
    await callAdapter(context, connection, (_, own) => capture(own, externalId), { ...options, operation: 'capture' }),
    externalId,
  )
}

/** Returns whether the order has not ended and its remaining amount equals the payment. */
async function isStillDue({ sql }: Context, { storeId, orderId, amount }: PaymentRow): Promise<boolean> {
  const order = await findOrder(sql, { storeId, id: orderId })
  return order !== undefined && !endedStatuses.includes(order.status) && amountDueOf(order) === decimal(amount)
}

/** Sets the checkout's id that was requested. */
const withExternalId = (event: GatewayEvent, externalId: string): GatewayEvent => ({ ...event, externalId })

/**
 * Expires a payment and closes its page at the gateway if that is possible. A payment made meanwhile counts; if the gateway does not
 * respond, it is polled again. Leaves `processing` to the gateway. With `wasAsked`, the gateway has just been polled.
 */
export async function expirePayment(
  context: Context,
  paymentId: string,
  { wasAsked = false }: { readonly wasAsked?: boolean } = {},
): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment || !canExpire(payment)) return
  const hasResponded = await closeAtGateway(context, payment, { wasAsked }, (_, deadlineMs) =>
    pollGateway(context, payment, { deadlineMs }),
  )
  if (hasResponded) await transaction(context.sql, (tx) => markExpired(tx, payment))
  else await updateExpiry(context.sql, payment.id, expiryNow(payment))
}

/** Deletes gateway events older than 30 days. */
export async function deleteOldGatewayEvents({ sql }: Context): Promise<void> {
  while ((await deleteGatewayEvents(sql, EVENT_RETENTION_DAYS, DELETE_BATCH)) === DELETE_BATCH);
}
