import { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import { connectionIfOn, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import type { QuotaClass } from '../../../integrations/egress/quota.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { findOrder } from '../../../orders/orders.queries.ts'
import { dueOf } from '../../../orders/parcels/parcel-of.ts'
import { ended } from '../../../orders/statuses.ts'
import { canEnd, closeAtGateway } from '../gateway/close.ts'
import { claimDue, endNow, findPayment, forgetNews, type PaymentRow, updatePayment } from '../payments.queries.ts'
import { endOf, isDoubtful } from '../schedule.ts'
import { isUnderWay } from '../statuses.ts'
import { applyNews, lapse } from './apply-gateway-event.ts'
import { doubt } from './mark-outcome-unknown.ts'
import { asFailure, endingNow, nextReading, OFF } from './poll-schedule.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'payments.readDue': Record<string, unknown>
    'payments.read': { paymentId: string; quota?: QuotaClass }
    'payments.expire': { paymentId: string }
    'payments.forget': Record<string, unknown>
  }
}

const CALL_MS = 20_000
const AT_ONCE = 200
const PUT_OFF_SECONDS = 300
/** The rest is for the next minute. */
const ROUNDS_MAX = 10
const LANES = 4
const NEWS_KEPT_DAYS = 30
const FORGOTTEN_AT_ONCE = 10_000

/** How a gateway is asked: as for somebody who waits unless said. */
interface Asking {
  readonly deadlineMs?: number | undefined
  readonly quota?: QuotaClass | undefined
}

/** Sees which payments are due, every minute. */
export async function readDue({ sql }: Context): Promise<void> {
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    const due = await claimDue(sql, AT_ONCE, PUT_OFF_SECONDS)
    for (const [at, { id, connectionId, projectId }] of due.entries())
      await enqueue(
        sql,
        'payments.read',
        { paymentId: id, quota: 'poll' },
        { key: `payment:${id}`, queue: `payments:${connectionId}:${at % LANES}`, owner: projectId, maxAttempts: 1 },
      )
    if (due.length < AT_ONCE) return
  }
}

/** Asks the gateway what became of a payment. One whose end has come is ended, once the gateway has answered; until then it is asked again. */
export async function readPayment(context: Context, paymentId: string, { deadlineMs, quota }: Asking = {}): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment) return
  const isOver = isUnderWay(payment.status) && endOf(payment) <= Date.now()
  const hasSaid = payment.externalId === null || (await ask(context, payment, { deadlineMs, quota }))
  if (isOver && hasSaid) await expirePayment(context, paymentId, true)
  const now = await findPayment(context.sql, paymentId)
  if (now && now.concern === null && isDoubtful(now, Date.now())) await doubt(context.sql, now)
}

/** Whether the gateway said how it stands with the checkout, or that it has none. */
async function ask(context: Context, payment: PaymentRow, asking: Asking): Promise<boolean> {
  const connection = await connectionIfOn(context, 'payment', payment.connectionId)
  const news = connection ? await lookUp(context, connection, payment, asking).catch(asFailure) : OFF
  const hasSaid = !(news instanceof AdapterFailure) || news.reason === 'not_found'
  if (news instanceof AdapterFailure) await noteSilence(context, payment, news)
  else if (news) await transaction(context.sql, (tx) => applyNews(tx, payment, news))
  const now = await findPayment(context.sql, payment.id)
  if (now) await updatePayment(context.sql, payment.id, { readAt: nextReading(context, now, hasSaid) })
  return hasSaid
}

/** What the gateway said before of one that is over is kept. */
async function noteSilence({ sql }: Context, { id, status }: PaymentRow, { message }: AdapterFailure): Promise<void> {
  if (isUnderWay(status)) await updatePayment(sql, id, { message })
}

/** What is held for us is taken, where the order still wants it: some gateways give it back to the payer else. */
async function lookUp(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  { deadlineMs = CALL_MS, quota = 'lookUp' }: Asking,
): Promise<PaymentNews | null> {
  const { externalId } = payment
  if (externalId === null) return null
  const options = { operation: 'read', deadlineMs, schema: PaymentNews, quota }
  const news = await callAdapter(context, connection, (adapter, own) => adapter.read(own, externalId), options)
  const { capture } = connection.mounted.adapter
  if (news.status !== 'authorized' || !capture) return named(news, externalId)
  if (!(await isWanted(context, payment))) return isUnderWay(payment.status) ? named(news, externalId) : null
  return named(
    await callAdapter(context, connection, (_, own) => capture(own, externalId), { ...options, operation: 'capture' }),
    externalId,
  )
}

/** Nobody's money is taken for an order that ended, or that lacks another amount by now. */
async function isWanted({ sql }: Context, { storeId, orderId, amount }: PaymentRow): Promise<boolean> {
  const order = await findOrder(sql, { storeId, id: orderId })
  return order !== undefined && !ended.includes(order.status) && dueOf(order) === decimal(amount)
}

/** What was asked for is what is answered. */
const named = (news: PaymentNews, externalId: string): PaymentNews => ({ ...news, externalId })

/**
 * Nobody shall pay it any more. Where the gateway has been paid by now, that counts; where it cannot close, we only stop waiting; where it
 * does not answer, it is asked again, and what the payer did his part of is left to it. `wasAsked`: it said just now how it stands.
 */
export async function expirePayment(context: Context, paymentId: string, wasAsked = false): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment || !canEnd(payment)) return
  const hasSaid = await closeAtGateway(context, payment, wasAsked, (_, deadlineMs) => ask(context, payment, { deadlineMs }))
  if (hasSaid) await transaction(context.sql, (tx) => lapse(tx, payment))
  else await endNow(context.sql, payment.id, endingNow(payment))
}

/** What gateways told is kept for a month. */
export async function forgetOldNews({ sql }: Context): Promise<void> {
  while ((await forgetNews(sql, NEWS_KEPT_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
}
