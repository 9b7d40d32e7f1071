import { type RefundAsked, Refunded as RefundedSchema } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { findEnabledConnection, type PaymentConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { invariant } from '../../../lib/invariant.ts'
import { decimal } from '../../../lib/money/decimal.ts'
import { toUnits } from '../gateway/amounts.ts'
import { lockPaymentWithPayable } from '../lock-payment.ts'
import type { PaymentRow, RefundRow } from '../payments.model.ts'
import { findPayment } from '../payments.queries.ts'
import { concludeRefund, type RefundResult } from './conclude-refund.ts'
import { claimRefund, findRefund, findRefundById, updateRefund } from './refunds.queries.ts'

const CALL_MS = 20_000
/** Time after which a request to the gateway counts as lost. */
const REQUEST_SECONDS = 60

/**
 * Sends a refund to the gateway. Retries one without a response only if the adapter is idempotent; otherwise its outcome is unknown and
 * waits for review. Throws if the job must retry.
 */
export async function submitRefund(context: Context, refundId: string): Promise<void> {
  const refund = await claimRefund(context.sql, refundId, REQUEST_SECONDS)
  if (!refund) return assertNotPending(context, refundId)
  const payment = invariant(await findPayment(context.sql, paymentKeyOf(refund)), 'The payment of a refund')
  const connection = await findEnabledConnection(context, 'payment', payment.connectionId)
  if (!connection) {
    if (refund.before === null) await updateRefund(context.sql, refund, { askedAt: null })
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
    await updateRefund(context.sql, refund, { message: error.message, ...(isFresh && { askedAt: null }) })
    return resultOfFailure(error, { mayAskAgain: isSafe || !error.wasSent }, refund)
  })
  if (answer.status !== 'pending') return concludeLocked(context, refund, answer)
  const message = 'The gateway reports it as pending. Check there whether it was done.'
  if (!isSafe || isOverdue(refund)) return concludeLocked(context, refund, { status: 'unknown', message })
  throw new Error(`The refund ${refundId} is not done yet.`)
}

const paymentKeyOf = ({ projectId, paymentId }: RefundRow) => ({ projectId, id: paymentId })

/** Throws if the refund is still pending, so that the job retries after a concurrent request that may fail. */
async function assertNotPending({ sql }: Context, refundId: string): Promise<void> {
  if ((await findRefundById(sql, refundId))?.status === 'pending') throw new Error(`The refund ${refundId} is being asked for.`)
}

type ClaimedRefund = NonNullable<Awaited<ReturnType<typeof claimRefund>>>

/** Age after which an unresolved refund waits for review. */
const OVERDUE_MS = DAY_MS
const isOverdue = ({ createdAt }: RefundRow) => Date.parse(createdAt) < Date.now() - OVERDUE_MS

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

const concludeLocked = (context: Context, refund: RefundRow, answer: RefundResult) =>
  transaction(context.sql, async (tx) => {
    const payment = invariant(await findPayment(tx, paymentKeyOf(refund)), 'The payment of a refund')
    const held = await lockPaymentWithPayable(context, tx, payment)
    const now = invariant(await findRefund(tx, refund), 'A refund')
    const updated = now.status === 'pending' ? await concludeRefund(tx, held, now, answer) : held.payment
    await held.locked.onChange?.(updated, null)
  })
