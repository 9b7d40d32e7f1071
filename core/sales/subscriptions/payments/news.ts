import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Tx } from '../../../data/sql.ts'
import { decimal, decimalText, min } from '../../../lib/decimal.ts'
import { newId } from '../../../lib/ids.ts'
import { fromUnits } from '../../payments/amounts.ts'
import { nextRead } from '../../payments/schedule.ts'
import { twinOf } from '../../payments/twin.ts'
import { settle } from '../settle.ts'
import { insertCredit, lockSubscription } from '../subscriptions.queries.ts'
import { insertPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'
import { holdsMoney, moves } from './statuses.ts'

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
  if (isOther && holdsMoney.includes(payment.status))
    return take(tx, await insertPayment(tx, { ...twinOf(payment, news), id: newId('spy') }), news)
  if (news.status === 'paid' && holdsMoney.includes(payment.status)) return countRefunds(tx, payment, news)
  return take(tx, payment, news)
}

/** We wait no longer. What the payer did his part of the gateway alone ends. */
export async function lapse(tx: Tx, payment: Pick<PaymentRow, 'storeId' | 'id'>): Promise<void> {
  await lockSubscription(tx, payment.storeId)
  const { status } = await lockPayment(tx, payment.id)
  if (status !== 'processing') await applyNews(tx, payment, { status: 'expired' })
}

async function take(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const { status } = news
  if (!moves[payment.status].includes(status)) return status === payment.status ? 'same' : 'stale'
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
  await countRefunds(tx, counted, news)
  await settle(tx, await lockSubscription(tx, storeId), Date.now())
}

/** What was given back in the gateway's own dashboard is no longer to the store's credit; what it paid for stays paid, and is owed. */
async function countRefunds(tx: Tx, payment: PaymentRow, { refunded = 0 }: PaymentNews): Promise<NewsOutcome> {
  const { id, storeId, currency } = payment
  const paid = decimal(payment.paid ?? 0)
  const given = min(fromUnits(refunded, payment.decimals), paid)
  const fresh = given - decimal(payment.refunded)
  if (fresh <= 0n) return 'same'
  await updatePayment(tx, id, { refunded: decimalText(given), status: given === paid ? 'refunded' : 'partially_refunded' })
  await insertCredit(tx, { storeId, id: newId('scr'), kind: 'refund', amount: decimalText(-fresh), currency, about: id })
  return 'applied'
}
