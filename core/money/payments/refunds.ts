import type { RefundAsked, Refunded } from '../../../plugins/payment/model.ts'
import { Refunded as RefundedSchema } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection, type PaymentConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type Decimal, decimal, decimalText, parseDecimal } from '../../lib/money/decimal.ts'
import { lockOrderWithParcelsIncludingDeleted } from '../../orders/change/lock-order.ts'
import { postRefund } from '../ledger/entries/post-payments.ts'
import { flagConcern } from './events/concerns.ts'
import { toUnits } from './gateway/amounts.ts'
import { emitPaymentEvent, updateOrderPayment } from './orders/update-order-payment.ts'
import { paymentErrors } from './payments.errors.ts'
import type { NewRefund } from './payments.model.ts'
import {
  claimRefund,
  findPayment,
  findRefund,
  insertRefund,
  listRefunds,
  lockPayment,
  type PaymentRef,
  type PaymentRow,
  type RefundRow,
  updatePayment,
  updateRefund,
} from './payments.queries.ts'
import { paidStatuses } from './statuses.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'payments.refund': { refundId: string }
  }
}

const CALL_MS = 20_000
/** Time after which a request to the gateway counts as lost. */
const REQUEST_SECONDS = 60
const FIRST_RETRY_MS = 70_000
/** Number of attempts, which take about two days. */
const TRIES = 20

/**
 * Creates a refund of a payment, fully or partially. Enqueues the request to the gateway in the same transaction; with `byHand` only
 * records a refund made elsewhere. Throws `refund_unsupported`, `invalid_transition`, `amount_not_payable`.
 */
export async function createRefund(tx: Tx, context: Context, named: PaymentRef, asked: NewRefund): Promise<RefundRow> {
  await lockOrderWithParcelsIncludingDeleted(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'The payment of a refund')
  if (!paidStatuses.includes(payment.status) || payment.paid === null) throw paymentErrors.nothingToRefund({ status: payment.status })
  const given = await listRefunds(tx, [payment.id])
  const committed = given.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + decimal(amount), 0n)
  const left = decimal(payment.paid) - committed
  const amount = asked.amount === undefined ? left : parseDecimal(asked.amount)
  if (amount === null || amount <= 0n || amount > left)
    throw paymentErrors.refundTooHigh({ left: decimalText(left), currency: payment.currency })
  if (!asked.byHand) assertRefundable(context, payment, { isPart: amount < decimal(payment.paid) })
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
  await updateOrderPayment(tx, await lockOrderWithParcelsIncludingDeleted(tx, named))
  return { ...refund, status: 'done' }
}

function assertRefundable({ plugins }: Context, { gateway }: PaymentRow, { isPart }: { readonly isPart: boolean }) {
  const adapter = plugins.find('payment', gateway)?.adapter
  if (adapter?.refund && (adapter.refunds?.partial || !isPart)) return
  const why = adapter?.refund ? 'refunds only whole payments' : 'has no refunds in its API'
  throw paymentErrors.refundUnsupported({ label: adapter?.label ?? gateway, why })
}

/**
 * Sends a refund to the gateway. Retries one without a response only if the adapter is idempotent; otherwise its outcome is unknown and
 * waits for review. Throws if the job must retry.
 */
export async function submitRefund(context: Context, refundId: string): Promise<void> {
  const refund = await claimRefund(context.sql, refundId, REQUEST_SECONDS)
  if (!refund) return assertNotPending(context, refundId)
  const payment = invariant(await findPayment(context.sql, refund.paymentId), 'The payment of a refund')
  const connection = await findEnabledConnection(context, 'payment', payment.connectionId)
  if (!connection) {
    if (refund.before === null) await updateRefund(context.sql, refundId, { askedAt: null })
    if (isOverdue(refund))
      return concludeLocked(context, refund, { status: 'unknown', message: 'The gateway has not been connected for a day.' })
    throw new Error(`The gateway ${payment.gateway} is not connected now; the refund ${refundId} waits for it.`)
  }
  const isSafe = connection.mounted.adapter.refunds?.exactlyOnce === 'idempotencyKey'
  if (refund.before !== null && !isSafe)
    return concludeLocked(context, refund, { status: 'unknown', message: 'The gateway never responded.' })
  const answer = await refundAtGateway(context, connection, payment, refund).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure)) throw error
    // A request that was never sent counts as not made.
    const isFresh = !error.wasSent && refund.before === null
    await updateRefund(context.sql, refundId, { message: error.message, ...(isFresh && { askedAt: null }) })
    return resultOfFailure(error, { mayAskAgain: isSafe || !error.wasSent }, refund)
  })
  if (answer.status !== 'pending') return concludeLocked(context, refund, answer)
  const message = 'The gateway reports it as pending. Check there whether it was done.'
  if (!isSafe || isOverdue(refund)) return concludeLocked(context, refund, { status: 'unknown', message })
  throw new Error(`The refund ${refundId} is not done yet.`)
}

/** Throws if the refund is still pending, so that the job retries after a concurrent request that may fail. */
async function assertNotPending({ sql }: Context, refundId: string): Promise<void> {
  if ((await findRefund(sql, refundId))?.status === 'pending') throw new Error(`The refund ${refundId} is being asked for.`)
}

type ClaimedRefund = NonNullable<Awaited<ReturnType<typeof claimRefund>>>

/** Age after which an unresolved refund waits for review. */
const OVERDUE_MS = 24 * 60 * 60_000
const isOverdue = ({ createdAt }: RefundRow) => Date.parse(createdAt) < Date.now() - OVERDUE_MS

type RefundResult = Omit<Refunded, 'status' | 'externalId'> & {
  readonly status: Refunded['status'] | 'unknown'
  readonly externalId?: string
}

function refundAtGateway(context: Context, connection: PaymentConnection, payment: PaymentRow, refund: RefundRow): Promise<RefundResult> {
  const asked: RefundAsked = {
    externalId: invariant(payment.externalId, "The gateway's id of a payment"),
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
 * Converts a failure of the gateway to a result, or rethrows it for a retry. `unauthorized` is final only for the first request, because an
 * earlier one may have succeeded.
 */
function resultOfFailure(failure: AdapterFailure, { mayAskAgain }: { readonly mayAskAgain: boolean }, refund: ClaimedRefund): RefundResult {
  const isFirst = refund.before === null
  const isRefused = failure.reason === 'refused' || failure.reason === 'not_found' || (isFirst && failure.reason === 'unauthorized')
  if (isRefused) return { status: 'failed', message: failure.message }
  if (!mayAskAgain || isOverdue(refund)) return { status: 'unknown', message: failure.message }
  throw failure
}

const concludeLocked = ({ sql }: Context, refund: RefundRow, answer: RefundResult) =>
  transaction(sql, async (tx) => {
    const payment = invariant(await findPayment(tx, refund.paymentId), 'The payment of a refund')
    await lockOrderWithParcelsIncludingDeleted(tx, payment)
    await lockPayment(tx, payment.id)
    const now = invariant(await findRefund(tx, refund.id), 'A refund')
    if (now.status === 'pending') await concludeRefund(tx, now, answer)
    await updateOrderPayment(tx, await lockOrderWithParcelsIncludingDeleted(tx, payment))
  })

/**
 * Records a user's decision about a refund that is unknown, or that failed after it was done. Throws `invalid_transition` if its outcome is
 * known.
 */
export async function recordRefundOutcome(tx: Tx, named: PaymentRow, refundId: string, status: 'done' | 'failed'): Promise<void> {
  await lockOrderWithParcelsIncludingDeleted(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'The payment of a refund')
  const refund = invariant(await findRefund(tx, refundId), 'A refund')
  const isFlagged = payment.concern === 'refund_failed' && isAtGateway(refund)
  if (refund.status !== 'unknown' && !isFlagged) throw paymentErrors.refundDecided({ status: refund.status })
  if (!isFlagged) await concludeRefund(tx, refund, { status })
  else if (status === 'failed') await revertRefund(tx, payment, refund)
  else await updatePayment(tx, payment.id, { concern: null, concernSince: null })
  await updateOrderPayment(tx, await lockOrderWithParcelsIncludingDeleted(tx, named))
}

const isAtGateway = ({ status, byHand }: RefundRow) => status === 'done' && !byHand

/** Time after a refund during which a gateway's total may not include it yet. */
export const REFUND_LAG_MS = 60_000

/**
 * Returns how much of our completed refunds a gateway's total `reported` lacks; negative if it exceeds them. Ignores refunds made elsewhere
 * and those of the last minute.
 */
export function missingRefundAmount(refunds: readonly RefundRow[], reported: Decimal): Decimal {
  const isCounted = (refund: RefundRow) => isAtGateway(refund) && Date.parse(refund.updatedAt) <= Date.now() - REFUND_LAG_MS
  return refunds.filter(isCounted).reduce((sum, { amount }) => sum + decimal(amount), 0n) - reported
}

/**
 * Reverses a refund that failed after it was done, in the payment and in the ledger. Clears the concern of an accepted payment once no
 * refunded amount is missing.
 */
async function revertRefund(tx: Tx, payment: PaymentRow, { id, amount: given }: RefundRow): Promise<void> {
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

/** Applies the result of a refund to its payment and the ledger. Requires the lock of the payment; the caller updates the order. */
export async function concludeRefund(tx: Tx, refund: RefundRow, { status, externalId, message }: RefundResult): Promise<PaymentRow> {
  const payment = invariant(await findPayment(tx, refund.paymentId), 'The payment of a refund')
  const at = new Date().toISOString()
  await updateRefund(tx, refund.id, { status, externalId: externalId ?? null, message: message ?? null })
  if (status === 'unknown') return flagConcern(tx, payment, 'refund_unknown')
  if (status !== 'done') return clearConcern(tx, payment)
  const refunded = decimal(payment.refunded) + decimal(refund.amount)
  const isWhole = refunded >= decimal(payment.paid ?? 0)
  await updatePayment(tx, payment.id, { refunded: decimalText(refunded), status: isWhole ? 'refunded' : 'partially_refunded' })
  await postRefund(tx, { ...payment, paymentId: payment.id, refundId: refund.id, at, amount: decimal(refund.amount) })
  const cleared = await clearConcern(tx, payment, { isOver: isWhole })
  await emitPaymentEvent(tx, 'payment.refunded', cleared)
  return cleared
}

/** Clears a concern that the result of a refund resolves: `refund_unknown`, or any except `refund_failed` when all was refunded. */
const clearConcern = (tx: Tx, payment: PaymentRow, { isOver = false }: { readonly isOver?: boolean } = {}): Promise<PaymentRow> =>
  (isOver && payment.concern !== 'refund_failed') || payment.concern === 'refund_unknown'
    ? updatePayment(tx, payment.id, { concern: null, concernSince: null })
    : updatePayment(tx, payment.id, {})
