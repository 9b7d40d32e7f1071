import type { RefundAsked, Refunded } from '../../../plugins/payment/model.ts'
import { Refunded as RefundedSchema } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import { connectionIfOn, type PaymentConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/failure.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type Decimal, decimal, decimalText, parseDecimal } from '../../lib/money/decimal.ts'
import { holdDeletedToo } from '../../orders/change/hold.ts'
import { postRefund } from '../remittances/payments.ts'
import { worry } from './events/flag-concern.ts'
import { toUnits } from './gateway/amounts.ts'
import { settleOrder, tell } from './orders/settle.ts'
import type { NewRefund } from './payments.model.ts'
import {
  claimRefund,
  findPayment,
  findRefund,
  insertRefund,
  listRefunds,
  lockPayment,
  type NamedPayment,
  type PaymentRow,
  type RefundRow,
  updatePayment,
  updateRefund,
} from './payments.queries.ts'
import { holdsMoney } from './statuses.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payments.refund': { refundId: string }
  }
}

const CALL_MS = 20_000
/** Whoever asked a gateway and did not come back is not waited for any longer. */
const ASKING_SECONDS = 60
const FIRST_RETRY_MS = 70_000
/** About two days. */
const TRIES = 20

/**
 * Gives back what a payment brought, or part of it. By the gateway where it can, and then asked for in the same transaction as it is
 * written down; else, with `byHand`, only written down. Throws `refund_unsupported`, `invalid_transition`, `amount_not_payable`.
 */
export async function beginRefund(tx: Tx, context: Context, named: NamedPayment, asked: NewRefund): Promise<RefundRow> {
  await holdDeletedToo(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'The payment of a refund')
  if (!holdsMoney.includes(payment.status) || payment.paid === null)
    throw new ApiError('invalid_transition', `The payment is ${payment.status}: there is nothing to give back.`)
  const given = await listRefunds(tx, [payment.id])
  const spoken = given.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + decimal(amount), 0n)
  const left = decimal(payment.paid) - spoken
  const amount = asked.amount === undefined ? left : parseDecimal(asked.amount)
  if (amount === null || amount <= 0n || amount > left)
    throw new ApiError('amount_not_payable', `Of this payment ${decimalText(left)} ${payment.currency} are left to give back.`)
  if (!asked.byHand) assertCan(context, payment, amount < decimal(payment.paid))
  toUnits(amount, payment.decimals)
  const refund = await insertRefund(tx, {
    paymentId: payment.id,
    id: newId('rfd'),
    amount: decimalText(amount),
    status: 'pending',
    reason: asked.reason ?? '',
    byHand: asked.byHand === true,
  })
  if (!refund.byHand) {
    await enqueue(tx, 'payments.refund', { refundId: refund.id }, { runAt: new Date(Date.now() + FIRST_RETRY_MS), maxAttempts: TRIES })
    return refund
  }
  await concludeRefund(tx, refund, { status: 'done' })
  await settleOrder(tx, await holdDeletedToo(tx, named))
  return { ...refund, status: 'done' }
}

function assertCan({ plugins }: Context, { gateway }: PaymentRow, isPart: boolean) {
  const adapter = plugins.find('payment', gateway)?.adapter
  if (adapter?.refund && (adapter.refunds?.partial || !isPart)) return
  const why = adapter?.refund ? 'gives back whole payments only' : 'has no refunds in its API'
  throw new ApiError(
    'refund_unsupported',
    `${adapter?.label ?? gateway} ${why}. Give it back in its dashboard, then write it down here with byHand: true.`,
  )
}

/** Asks the gateway now. What gets no answer is asked again where that is safe, else waits for a person. */
export async function askRefund(context: Context, refundId: string): Promise<void> {
  const refund = await claimRefund(context.sql, refundId, ASKING_SECONDS)
  if (!refund) return assertOver(context, refundId)
  const payment = invariant(await findPayment(context.sql, refund.paymentId), 'The payment of a refund')
  const connection = await connectionIfOn(context, 'payment', payment.connectionId)
  if (!connection) {
    if (refund.before === null) await updateRefund(context.sql, refundId, { askedAt: null })
    if (isOld(refund)) return conclude(context, refund, { status: 'unknown', message: 'The gateway has not been connected for a day.' })
    throw new Error(`The gateway ${payment.gateway} is not connected now; the refund ${refundId} waits for it.`)
  }
  const isSafe = connection.mounted.adapter.refunds?.exactlyOnce === 'idempotencyKey'
  if (refund.before !== null && !isSafe) return conclude(context, refund, { status: 'unknown', message: 'The gateway never answered.' })
  const answer = await callGateway(context, connection, payment, refund).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure)) throw error
    // What never left is asked for as if for the first time.
    const isFresh = !error.sent && refund.before === null
    await updateRefund(context.sql, refundId, { message: error.message, ...(isFresh && { askedAt: null }) })
    return afterFailure(error, isSafe || !error.sent, refund)
  })
  if (answer.status !== 'pending') return conclude(context, refund, answer)
  const message = 'The gateway says that it is pending; look there whether it was done.'
  if (!isSafe || isOld(refund)) return conclude(context, refund, { status: 'unknown', message })
  throw new Error(`The refund ${refundId} is not done yet.`)
}

/** Who asked just now may come to nothing: whoever comes too soon after that comes again, or nobody would. */
async function assertOver({ sql }: Context, refundId: string): Promise<void> {
  if ((await findRefund(sql, refundId))?.status === 'pending') throw new Error(`The refund ${refundId} is being asked for.`)
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimRefund>>>

/** By then a person shall look at it. */
const GIVEN_UP_MS = 24 * 60 * 60_000
const isOld = ({ createdAt }: RefundRow) => Date.parse(createdAt) < Date.now() - GIVEN_UP_MS

type Answer = Omit<Refunded, 'status' | 'externalId'> & { readonly status: Refunded['status'] | 'unknown'; readonly externalId?: string }

function callGateway(context: Context, connection: PaymentConnection, payment: PaymentRow, refund: RefundRow): Promise<Answer> {
  const asked: RefundAsked = {
    externalId: invariant(payment.externalId, 'What the gateway calls a payment'),
    refundId: refund.id,
    amount: toUnits(decimal(refund.amount), payment.decimals),
    whole: decimal(refund.amount) === decimal(payment.paid ?? 0),
    currency: payment.currency,
    reason: refund.reason,
  }
  const options = { operation: 'refund', deadlineMs: CALL_MS, schema: RefundedSchema }
  return callAdapter(context, connection, (adapter, own) => invariant(adapter.refund, 'The member refund')(own, asked), options)
}

/**
 * Refused for good, or whether it was done nobody knows; what may be asked again is, for a day. Who takes our keys no more did nothing now, and
 * may have before.
 */
function afterFailure(failure: AdapterFailure, mayAskAgain: boolean, refund: Claimed): Answer {
  const isFirst = refund.before === null
  const isRefused = failure.reason === 'refused' || failure.reason === 'not_found' || (isFirst && failure.reason === 'unauthorized')
  if (isRefused) return { status: 'failed', message: failure.message }
  if (!mayAskAgain || isOld(refund)) return { status: 'unknown', message: failure.message }
  throw failure
}

const conclude = ({ sql }: Context, refund: RefundRow, answer: Answer) =>
  transaction(sql, async (tx) => {
    const payment = invariant(await findPayment(tx, refund.paymentId), 'The payment of a refund')
    await holdDeletedToo(tx, payment)
    await lockPayment(tx, payment.id)
    const now = invariant(await findRefund(tx, refund.id), 'A refund')
    if (now.status === 'pending') await concludeRefund(tx, now, answer)
    await settleOrder(tx, await holdDeletedToo(tx, payment))
  })

/** A person found out what became of a refund that nobody knew of, or that failed at last. Throws `invalid_transition` where that is known. */
export async function sayRefund(tx: Tx, named: PaymentRow, refundId: string, status: 'done' | 'failed'): Promise<void> {
  await holdDeletedToo(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'The payment of a refund')
  const refund = invariant(await findRefund(tx, refundId), 'A refund')
  const isDoubted = payment.concern === 'refund_failed' && isAtGateway(refund)
  if (refund.status !== 'unknown' && !isDoubted)
    throw new ApiError('invalid_transition', `What became of the refund is known: it is ${refund.status}.`)
  if (!isDoubted) await concludeRefund(tx, refund, { status })
  else if (status === 'failed') await takeRefundBack(tx, payment, refund)
  else await updatePayment(tx, payment.id, { concern: null, concernSince: null })
  await settleOrder(tx, await holdDeletedToo(tx, named))
}

const isAtGateway = ({ status, byHand }: RefundRow) => status === 'done' && !byHand

/** What a gateway tells may have been read before it gave something back: only then it is sure to count that. */
export const COUNTED_MS = 60_000

/** What a gateway that gave back so much in all has no longer given back, though it said that it did. What was given elsewhere it does not know. */
export function missingOf(refunds: readonly RefundRow[], told: Decimal): Decimal {
  const isCounted = (refund: RefundRow) => isAtGateway(refund) && Date.parse(refund.updatedAt) <= Date.now() - COUNTED_MS
  return refunds.filter(isCounted).reduce((sum, { amount }) => sum + decimal(amount), 0n) - told
}

/**
 * It failed after it was done: the money is there again, and the ledger has the opposite. What never counted for the order waits as before, and
 * so does a payment that more is missing of.
 */
async function takeRefundBack(tx: Tx, payment: PaymentRow, { id, amount: given }: RefundRow): Promise<void> {
  const [amount, at] = [decimal(given), new Date().toISOString()]
  const refunded = decimal(payment.refunded) - amount
  const missing = decimal(payment.missing) - amount
  await updateRefund(tx, id, { status: 'failed' })
  await updatePayment(tx, payment.id, {
    refunded: decimalText(refunded),
    status: refunded > 0n ? 'partially_refunded' : 'paid',
    missing: decimalText(missing > 0n ? missing : 0n),
    ...(payment.accepted && missing <= 0n && { concern: null, concernSince: null }),
  })
  await postRefund(tx, { ...payment, paymentId: payment.id, refundId: `${id}:failed`, at, amount: -amount })
}

/** What became of a refund, in the transaction that holds its payment. The order is settled by the caller. */
export async function concludeRefund(tx: Tx, refund: RefundRow, { status, externalId, message }: Answer): Promise<PaymentRow> {
  const payment = invariant(await findPayment(tx, refund.paymentId), 'The payment of a refund')
  const at = new Date().toISOString()
  await updateRefund(tx, refund.id, { status, externalId: externalId ?? null, message: message ?? null })
  if (status === 'unknown') return worry(tx, payment, 'refund_unknown')
  if (status !== 'done') return calm(tx, payment)
  const refunded = decimal(payment.refunded) + decimal(refund.amount)
  const isWhole = refunded >= decimal(payment.paid ?? 0)
  await updatePayment(tx, payment.id, { refunded: decimalText(refunded), status: isWhole ? 'refunded' : 'partially_refunded' })
  await postRefund(tx, { ...payment, paymentId: payment.id, refundId: refund.id, at, amount: decimal(refund.amount) })
  const calmed = await calm(tx, payment, isWhole)
  await tell(tx, 'payment.refunded', calmed)
  return calmed
}

/** Nobody has to look at it any more: all of it was given back, or what became of the refund is known. One that failed is still looked at. */
const calm = (tx: Tx, payment: PaymentRow, isOver = false): Promise<PaymentRow> =>
  (isOver && payment.concern !== 'refund_failed') || payment.concern === 'refund_unknown'
    ? updatePayment(tx, payment.id, { concern: null, concernSince: null })
    : updatePayment(tx, payment.id, {})
