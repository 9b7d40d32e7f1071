import { AdapterError, isRow, present, type RefundAsked, type Refunded, type Row, rows, text, unreadable } from 'serai/payment'
import { call } from './api.ts'
import { sessionAt } from './checkouts.ts'
import { type Context, LABEL } from './fields.ts'
import { currencyIn, idIn } from './news.ts'

const statuses: Readonly<Record<string, Refunded['status']>> = {
  succeeded: 'done',
  pending: 'pending',
  requires_action: 'pending',
  failed: 'failed',
  canceled: 'failed',
}
const LISTED_MAX = 100

/** Refunds a session. Stripe keeps an idempotency key for a day and repeats its first answer, so an existing refund is looked up first. */
export async function refund(context: Context, asked: RefundAsked): Promise<Refunded> {
  const { externalId, refundId, amount, currency, reason } = asked
  const session = await sessionAt(context, externalId)
  const intent = idIn(session.payment_intent)
  if (intent === undefined) throw new AdapterError('refused', `Nobody has paid ${externalId} at ${LABEL}.`, { code: 'not_paid' })
  if (currencyIn(session.currency) !== currency)
    throw new AdapterError('refused', `${LABEL} was paid in another currency than ${currency}.`, { code: 'other_currency' })
  const form = {
    payment_intent: intent,
    amount,
    'metadata[refundId]': refundId,
    ...(reason.trim() && { 'metadata[reason]': reason }),
  }
  return refundedOf(
    (await findRefund(context, intent, refundId)) ?? (await call(context, 'POST', 'refunds', { form, key: `refund-${refundId}` })),
  )
}

async function findRefund(context: Context, intent: string, refundId: string): Promise<Row | undefined> {
  const list = await call(context, 'GET', 'refunds', { query: { payment_intent: intent, limit: LISTED_MAX } })
  if (!Array.isArray(list.data)) throw unreadable(LABEL, 'no list of refunds')
  const ours = rows(list.data).find(({ metadata }) => isRow(metadata) && metadata.refundId === refundId)
  if (!ours && list.has_more === true) throw unreadable(LABEL, `more refunds of ${intent} than can be looked through`)
  return ours
}

function refundedOf(row: Row): Refunded {
  const externalId = idIn(row)
  const status = typeof row.status === 'string' && Object.hasOwn(statuses, row.status) ? statuses[row.status] : undefined
  if (externalId === undefined || status === undefined) throw unreadable(LABEL, 'no refund that is known')
  return { externalId, status, ...present({ message: text(row.failure_reason)?.slice(0, 500) }) }
}
