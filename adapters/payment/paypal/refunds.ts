import { AdapterError, isRow, present, type RefundAsked, type Refunded, type Row, text, unreadable } from 'serai/payment'
import { call } from './api.ts'
import { orderAt } from './checkouts.ts'
import { type Context, LABEL } from './fields.ts'
import { amountIn, moneyFor } from './money.ts'
import { captureOf, nameIn, refundsOf, statusOf } from './news.ts'

const statuses: Readonly<Record<string, Refunded['status']>> = {
  COMPLETED: 'done',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

/**
 * Refunds a captured order. PayPal keeps a request id for hours only, while retries may come later, so an existing refund is looked up
 * first.
 */
export async function refund(context: Context, asked: RefundAsked): Promise<Refunded> {
  const { externalId, refundId, amount, currency } = asked
  const order = await orderAt(context, externalId)
  const capture = statusOf(order) === 'paid' ? captureOf(order) : undefined
  const captureId = nameIn(capture?.id)
  if (!capture || captureId === undefined)
    throw new AdapterError('refused', `Nobody has paid ${externalId} at ${LABEL}.`, { code: 'not_paid' })
  if (amountIn(capture.amount).currency !== currency)
    throw new AdapterError('refused', `${LABEL} was paid in another currency than ${currency}.`, { code: 'other_currency' })
  const ours = refundsOf(order).find(({ invoice_id }) => invoice_id === refundId)
  if (ours) return refundedOf(ours)
  const body = JSON.stringify({ amount: moneyFor(amount, currency), invoice_id: refundId })
  const path = `v2/payments/captures/${encodeURIComponent(captureId)}/refund`
  return refundedOf(await call(context, 'POST', path, { body, id: `refund-${refundId}` }))
}

function refundedOf(row: Row): Refunded {
  const externalId = nameIn(row.id)
  const status = typeof row.status === 'string' && Object.hasOwn(statuses, row.status) ? statuses[row.status] : undefined
  if (externalId === undefined || status === undefined) throw unreadable(LABEL, 'no refund that is known')
  const why = isRow(row.status_details) ? text(row.status_details.reason) : undefined
  return { externalId, status, ...present({ message: why?.slice(0, 500) }) }
}
