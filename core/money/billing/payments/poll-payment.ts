import { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import { connectionIfOn, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { byHandOf } from '../../payments/by-hand.ts'
import { asFailure, endingNow, nextReading, OFF } from '../../payments/events/poll-schedule.ts'
import { roundUp, stepAt } from '../../payments/gateway/amounts.ts'
import { canEnd, closeAtGateway } from '../../payments/gateway/close.ts'
import { endOf, isDoubtful } from '../../payments/schedule.ts'
import { applyNews, lapse, takeNews } from './apply-gateway-event.ts'
import { dueOf } from './due.ts'
import { claimDue, claimReading, endNow, findPayment, listUnderWay, type PaymentRow, updatePayment } from './payments.queries.ts'
import { isUnderWay, transitions } from './statuses.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'subscriptions.readDue': Record<string, unknown>
    'subscriptions.read': { readonly paymentId: string }
    'subscriptions.expire': { readonly paymentId: string }
  }
}

const CALL_MS = 20_000
/** Somebody waits for it. */
const ASKED_MS = 4_000
const READ_AGAIN_SECONDS = 3
const AT_ONCE = 200
const PUT_OFF_SECONDS = 300

/** Sees which payments are due, every minute. */
export async function readDue({ sql }: Pick<Context, 'sql'>): Promise<void> {
  for (const { id, connectionId } of await claimDue(sql, AT_ONCE, PUT_OFF_SECONDS))
    await enqueue(sql, 'subscriptions.read', { paymentId: id }, { key: `payment:${id}`, queue: `payments:${connectionId}`, maxAttempts: 1 })
}

/** Asks the gateway what became of a payment. One whose end has come is ended, once the gateway has answered; until then it is asked again. */
export async function readPayment(context: Context, paymentId: string, deadlineMs = CALL_MS): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment) return
  const isOver = isUnderWay(payment.status) && endOf(payment) <= Date.now()
  const hasSaid = payment.externalId === null || (await ask(context, payment, payment.externalId, deadlineMs))
  if (isOver && hasSaid) await expirePayment(context, paymentId, true)
  const now = await findPayment(context.sql, paymentId)
  if (now && isDoubtful(now, Date.now())) await doubt(context, now)
}

const IN_DOUBT =
  'The gateway does not say what became of this payment. Look there: what was paid is put to the credit of the store by an administrator.'

const UNJUDGED = 'Nobody has said yet whether the money of this receipt is there: an administrator does.'

/**
 * Its store reads of it, and whoever runs this server. One that nobody is asked about any more is over, unless a person is to judge it; what is
 * told of it later still counts.
 */
async function doubt(context: Context, payment: PaymentRow): Promise<void> {
  const { sql, log } = context
  const { id: paymentId, gateway, readAt, status } = payment
  const waitsForPerson = status === 'processing' && (await byHandOf(context, payment)) !== null
  log.error({ paymentId, gateway }, 'nobody says what became of a payment of a subscription')
  await updatePayment(sql, paymentId, { message: waitsForPerson ? UNJUDGED : IN_DOUBT })
  if (readAt === null && !waitsForPerson) await transaction(sql, (tx) => applyNews(tx, payment, { status: 'expired' }))
}

/** The same for somebody who waits, where it can still change and was not asked just now. */
export async function readForPayer(context: Context, { id, status, externalId }: PaymentRow): Promise<void> {
  if (transitions[status].length > 0 && externalId !== null && (await claimReading(context.sql, id, READ_AGAIN_SECONDS)))
    await readPayment(context, id, ASKED_MS)
}

/** What became of all payments of a store that are under way, as far as gateways tell in time. */
export async function readUnderWay(context: Context, storeId: string): Promise<void> {
  await Promise.all((await listUnderWay(context.sql, storeId)).map((payment) => readForPayer(context, payment)))
}

/** Whether the gateway said how it stands with the checkout, or that it has none. */
async function ask(context: Context, payment: PaymentRow, externalId: string, deadlineMs: number): Promise<boolean> {
  const connection = await connectionIfOn(context, 'payment', payment.connectionId)
  const news = connection ? await lookUp(context, connection, payment, externalId, deadlineMs).catch(asFailure) : OFF
  const hasSaid = !(news instanceof AdapterFailure) || news.reason === 'not_found'
  if (news instanceof AdapterFailure) await noteSilence(context, payment, news)
  else if (news) await takeNews(context, payment, { ...news, externalId })
  const now = await findPayment(context.sql, payment.id)
  if (now) await updatePayment(context.sql, payment.id, { readAt: nextReading(context, now, hasSaid) })
  return hasSaid
}

async function noteSilence({ sql }: Context, { id, status }: PaymentRow, { message }: AdapterFailure): Promise<void> {
  if (isUnderWay(status)) await updatePayment(sql, id, { message })
}

/** What is held for us is taken, where the store still owes it: some gateways give it back to the payer else. */
async function lookUp(
  context: Context,
  connection: PaymentConnection,
  payment: PaymentRow,
  externalId: string,
  deadlineMs: number,
): Promise<PaymentNews | null> {
  const options = { operation: 'read', deadlineMs, schema: PaymentNews, quota: 'lookUp' as const }
  const news = await callAdapter(context, connection, (adapter, own) => adapter.read(own, externalId), options)
  const { capture } = connection.mounted.adapter
  if (news.status !== 'authorized' || !capture) return news
  if (!(await isOwed(context, connection, payment))) return isUnderWay(payment.status) ? news : null
  return callAdapter(context, connection, (_, own) => capture(own, externalId), { ...options, operation: 'capture' })
}

/** No more is taken than is owed by now, rounded up to what the gateway takes. */
async function isOwed({ sql }: Context, { mounted }: PaymentConnection, { storeId, amount, currency }: PaymentRow): Promise<boolean> {
  const due = await dueOf(sql, storeId, Date.now())
  return due?.currency === currency && decimal(amount) <= roundUp(due.amount, stepAt(mounted.adapter, currency))
}

/** Nobody shall pay it any more: as with payments of orders. `wasAsked`: its gateway said just now how it stands. */
export async function expirePayment(context: Context, paymentId: string, wasAsked = false): Promise<void> {
  const payment = await findPayment(context.sql, paymentId)
  if (!payment || !canEnd(payment)) return
  const hasSaid = await closeAtGateway(context, payment, wasAsked, (...asked) => ask(context, payment, ...asked))
  if (hasSaid) await transaction(context.sql, (tx) => lapse(tx, payment))
  else await endNow(context.sql, payment.id, endingNow(payment))
}
