import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText, parseDecimal } from '../../../lib/money/decimal.ts'
import { toUnits } from '../gateway/amounts.ts'
import { lockPaymentWithPayable } from '../lock-payment.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { NewRefund, PaymentRef, PaymentRow, RefundRow } from '../payments.model.ts'
import { paidStatuses } from '../statuses.ts'
import { concludeRefund } from './conclude-refund.ts'
import { insertRefund, listRefunds } from './refunds.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'payments.refund': { refundId: string }
  }
}

const FIRST_RETRY_MS = 70_000
/** Number of attempts, which take about two days. */
const TRIES = 20

/**
 * Creates a refund of a payment, fully or partially. Enqueues the request to the gateway in the same transaction; with `byHand` only
 * records a refund made elsewhere. Throws `refund_unsupported`, `invalid_transition`, `amount_not_payable`.
 */
export async function createRefund(context: Context, tx: Tx, ref: PaymentRef, asked: NewRefund): Promise<RefundRow> {
  const held = await lockPaymentWithPayable(context, tx, ref)
  const { payment } = held
  if (!paidStatuses.includes(payment.status) || payment.paid === null) throw paymentErrors.nothingToRefund({ status: payment.status })
  const given = await listRefunds(tx, payment.projectId, [payment.id])
  const committed = given.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + decimal(amount), 0n)
  const left = decimal(payment.paid) - committed
  const amount = asked.amount === undefined ? left : parseDecimal(asked.amount)
  if (amount === null || amount <= 0n || amount > left)
    throw paymentErrors.refundTooHigh({ left: decimalText(left), currency: payment.currency })
  if (!asked.byHand) assertRefundable(context, payment, { isPart: amount < decimal(payment.paid) })
  toUnits(amount, payment.decimals)
  const refund = await insertRefund(tx, {
    projectId: payment.projectId,
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
  const refunded = await concludeRefund(tx, held, refund, { status: 'done' })
  await held.locked.onChange?.(refunded, null)
  return { ...refund, status: 'done' }
}

function assertRefundable({ plugins }: Context, { gateway }: PaymentRow, { isPart }: { readonly isPart: boolean }) {
  const adapter = plugins.find('payment', gateway)?.adapter
  if (adapter?.refund && (adapter.refunds?.partial || !isPart)) return
  const why = adapter?.refund ? 'refunds only whole payments' : 'has no refunds in its API'
  throw paymentErrors.refundUnsupported({ label: adapter?.label ?? gateway, why })
}
