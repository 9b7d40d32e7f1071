import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import { twinOf } from '../../payments/events/duplicate-checkout.ts'
import { fromUnits } from '../../payments/gateway/amounts.ts'
import { nextRead } from '../../payments/schedule.ts'
import { settle } from '../periods/settle.ts'
import { insertCredit, lockSubscription } from '../subscriptions.queries.ts'
import { countGiven } from './count-refunds.ts'
import { findTwin, insertPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'
import { everPaidStatuses, transitions } from './statuses.ts'

export type NewsOutcome = 'applied' | 'same' | 'stale'

/**
 * What is known of a payment by now, however often, late or out of order it is told. What was paid is put to the store's credit, once, and
 * pays what is due; whatever was paid twice, too much or too late stays there and pays what comes next.
 */
export async function applyNews(tx: Tx, { storeId, id }: Pick<PaymentRow, 'storeId' | 'id'>, news: PaymentNews): Promise<NewsOutcome> {
  await lockSubscription(tx, storeId)
  const payment = await lockPayment(tx, id)
  const isOther = news.externalId !== undefined && payment.externalId !== null && news.externalId !== payment.externalId
  // A checkout whose page nobody was given: it matters only if it was paid all the same.
  if (isOther && news.status !== 'paid') return 'stale'
  const isPaid = everPaidStatuses.includes(payment.status)
  if (isOther && isPaid) return applyToTwin(tx, payment, news)
  if (news.status === 'paid' && isPaid) return (await countGiven(tx, payment, news)) === payment ? 'same' : 'applied'
  return take(tx, payment, news)
}

/** The same of news that a gateway tells; whoever runs this server reads of money that was taken back. */
export async function takeNews({ sql, log }: Pick<Context, 'sql' | 'log'>, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const outcome = await transaction(sql, (tx) => applyNews(tx, payment, news))
  if (news.takenBack && outcome === 'applied')
    log.error({ paymentId: payment.id, gateway: payment.gateway }, 'money of a payment of a subscription was taken back')
  return outcome
}

/** The second checkout of a payment is one of its own from when it is first told of. */
async function applyToTwin(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const told = await findTwin(tx, payment, news)
  if (told) return applyNews(tx, told, news)
  return take(tx, await insertPayment(tx, { ...twinOf(payment, news), id: newId('spy') }), news)
}

/** We wait no longer. What the payer did his part of the gateway alone ends. */
export async function lapse(tx: Tx, payment: Pick<PaymentRow, 'storeId' | 'id'>): Promise<void> {
  await lockSubscription(tx, payment.storeId)
  const { status } = await lockPayment(tx, payment.id)
  if (status !== 'processing') await applyNews(tx, payment, { status: 'expired' })
}

async function take(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const { status } = news
  if (!transitions[payment.status].includes(status)) return status === payment.status ? 'same' : 'stale'
  const change = {
    status,
    ...(news.externalId !== undefined && { externalId: news.externalId }),
    ...(news.message !== undefined && { message: news.message }),
  }
  const moved = await updatePayment(tx, payment.id, change)
  await updatePayment(tx, payment.id, { readAt: nextRead(moved, Date.now()) })
  if (status === 'paid') await takeMoney(tx, moved, news)
  return 'applied'
}

async function takeMoney(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<void> {
  const { id, storeId, currency } = payment
  const paidAt = new Date().toISOString()
  if (news.currency !== undefined && news.currency !== currency) {
    // What it is worth only a person can say: an administrator puts it to the store's credit.
    await updatePayment(tx, id, { paidAt, message: `The gateway says that it was paid in ${news.currency}.` })
    return
  }
  const paid = news.amount === undefined ? decimal(payment.amount) : fromUnits(news.amount, payment.decimals)
  const counted = await updatePayment(tx, id, { paidAt, paid: decimalText(paid) })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'payment', amount: decimalText(paid), currency, about: id })
  await countGiven(tx, counted, news)
  // However long it took: what was offered as it was begun is what it pays.
  await settle(tx, await lockSubscription(tx, storeId), Date.now(), Date.parse(payment.createdAt))
}
