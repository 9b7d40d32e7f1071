import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection } from '../../../integrations/connections/connection.ts'
import type { QuotaClass } from '../../../integrations/egress/quota.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import type { PayableRef, PaymentRow } from '../payments.model.ts'
import {
  claimDuePayments,
  claimPoll,
  deleteGatewayEvents,
  findPayment,
  findPaymentById,
  listPaymentsUnderWay,
  updateExpiry,
} from '../payments.queries.ts'
import { isUnderWay, transitions } from '../statuses.ts'
import { markExpired } from './apply-gateway-event.ts'
import { asFailure, type PollOptions, pollGateway } from './poll-gateway.ts'
import { expiryNow, expiryOf, isOutcomeOverdue } from './poll-schedule.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'payments.pollDue': Record<string, unknown>
    'payments.poll': { paymentId: string; quota?: QuotaClass }
    'payments.expire': { paymentId: string }
    'payments.deleteOldEvents': Record<string, unknown>
  }
}

const BATCH = 200
const PUT_OFF_SECONDS = 300
/** Maximum number of batches per run; the rest waits for the next minute. */
const ROUNDS_MAX = 10
const LANES = 4
const EVENT_RETENTION_DAYS = 30
const DELETE_BATCH = 10_000

/** Enqueues polls of payments that are due. Runs every minute. */
export async function enqueueDuePolls({ sql }: Context): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const due = await claimDuePayments(sql, BATCH, PUT_OFF_SECONDS)
    for (const [at, { id, connectionId, projectId }] of due.entries())
      await enqueue(
        sql,
        'payments.poll',
        { paymentId: id, quota: 'poll' },
        {
          key: `payment:${id}`,
          queue: `payments:${connectionId}:${at % LANES}`,
          owner: projectId,
          maxAttempts: 1,
        },
      )
    if (due.length < BATCH) return
  }
}

/**
 * Polls the gateway for a payment and applies the result. Expires a payment whose time has run out, once the gateway has responded. Reports
 * an overdue outcome to the payable.
 */
export async function pollPayment(context: Context, paymentId: string, { deadlineMs, quota }: PollOptions = {}): Promise<void> {
  const payment = await findPaymentById(context.sql, paymentId)
  if (!payment) return
  const isOver = isUnderWay(payment.status) && expiryOf(payment) <= Date.now()
  const hasResponded = payment.externalId === null || (await pollGateway(context, payment, { deadlineMs, quota }))
  if (isOver && hasResponded) await expirePayment(context, paymentId, { wasAsked: true })
  const now = await findPayment(context.sql, payment)
  if (now && now.concern === null && isOutcomeOverdue(now, Date.now()))
    await context.payables.of(now.payableKind).onOutcomeOverdue(context, now)
}

/** Timeout of a poll while the payer's browser waits. */
const PAYER_MS = 4_000
const POLLED_AGAIN_SECONDS = 3

/** Polls the gateway for a waiting payer, unless it was polled just now or the payment cannot change. Returns the payment. */
export async function pollForPayer(context: Context, payment: PaymentRow): Promise<PaymentRow> {
  const { id, status, externalId } = payment
  const canPoll = transitions[status].length > 0 && externalId !== null
  if (!canPoll || !(await claimPoll(context.sql, payment, POLLED_AGAIN_SECONDS))) return payment
  await pollPayment(context, id, { deadlineMs: PAYER_MS }).catch((error) => {
    if (error instanceof DomainError) return
    throw error
  })
  return invariant(await findPayment(context.sql, payment), 'A payment that was read')
}

/** Polls the gateways for all payments of a payable that are under way. */
export async function pollPaymentsUnderWay(context: Context, ref: PayableRef): Promise<void> {
  await Promise.all((await listPaymentsUnderWay(context.sql, ref)).map((payment) => pollForPayer(context, payment)))
}

const CLOSE_MS = 20_000

/**
 * Closes a payment's page at the gateway if the adapter can, then polls whether it was paid meanwhile. Returns false if the gateway did not
 * respond. With `wasAsked`, the gateway has just been polled and is polled again only after closing.
 */
async function closeAtGateway(context: Context, payment: PaymentRow, { wasAsked }: { readonly wasAsked: boolean }): Promise<boolean> {
  const { externalId, connectionId } = payment
  if (externalId === null) return true
  const connection = await findEnabledConnection(context, 'payment', connectionId)
  const expire = connection?.mounted.adapter.expire
  const options = { operation: 'expire', deadlineMs: CLOSE_MS }
  if (connection && expire) await callAdapter(context, connection, (_, own) => expire(own, externalId), options).catch(asFailure)
  return (wasAsked && !expire) || pollGateway(context, payment)
}

/**
 * Expires a payment and closes its page at the gateway if that is possible. A payment made meanwhile counts; if the gateway does not
 * respond, it is polled again. Leaves `processing` to the gateway. With `wasAsked`, the gateway has just been polled.
 */
export async function expirePayment(
  context: Context,
  paymentId: string,
  { wasAsked = false }: { readonly wasAsked?: boolean } = {},
): Promise<void> {
  const payment = await findPaymentById(context.sql, paymentId)
  if (!payment || !isUnderWay(payment.status) || payment.status === 'processing') return
  if (await closeAtGateway(context, payment, { wasAsked })) await transaction(context.sql, (tx) => markExpired(context, tx, payment))
  else await updateExpiry(context.sql, payment, expiryNow(payment))
}

/** Deletes gateway events older than 30 days. */
export async function deleteOldGatewayEvents({ sql }: Context): Promise<void> {
  while ((await deleteGatewayEvents(sql, EVENT_RETENTION_DAYS, DELETE_BATCH)) === DELETE_BATCH);
}
