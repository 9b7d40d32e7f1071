import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { PaymentConnection } from '../../../integrations/connections/connection.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Decimal, decimal, decimalText, min } from '../../../lib/money/decimal.ts'
import { holdDeletedToo } from '../../../orders/change/hold.ts'
import { postPayment } from '../../remittances/payments.ts'
import { fromUnits } from '../gateway/amounts.ts'
import { settleOrder, tell } from '../orders/settle.ts'
import {
  findNamed,
  findTwin,
  insertNews,
  insertPayment,
  insertRefund,
  listOfOrder,
  listRefunds,
  lockPayment,
  type NamedPayment,
  type PaymentRow,
  type PaymentValues,
  updatePayment,
} from '../payments.queries.ts'
import { concludeRefund, missingOf } from '../refunds.ts'
import { nextRead } from '../schedule.ts'
import { isUnderWay, moves, wasPaid } from '../statuses.ts'
import { twinOf } from './duplicate-checkout.ts'
import { worry } from './flag-concern.ts'
import { concernOf } from './judge.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** What a gateway keeps of a payment became known after that stood in the ledger. */
    'payment.feeLearnt': {
      readonly payment: Pick<PaymentRow, 'projectId' | 'connectionId' | 'id'>
      readonly fee: Decimal
    }
  }
}

export type NewsOutcome = 'applied' | 'same' | 'stale' | 'early'

/** What a gateway told, once: however often, late or out of order it comes. */
export async function takeNews({ sql }: Context, { row }: PaymentConnection, news: PaymentNews): Promise<NewsOutcome> {
  const payment = await findNamed(sql, row.id, news)
  return transaction(sql, async (tx) => {
    const told = { connectionId: row.id, digest: sha256(JSON.stringify(news)), externalId: news.externalId ?? null, news }
    const outcome = payment ? 'applied' : 'early'
    const isNew = await insertNews(tx, { ...told, paymentId: payment?.id ?? null, outcome })
    // What was given back is counted whenever it is told: a refund that failed leaves as much as there was before it.
    if (!isNew && news.refunded === undefined) return 'same'
    return payment ? applyNews(tx, payment, news) : 'early'
  })
}

/** We wait no longer. What the payer did his part of the gateway alone ends, or a person. */
export async function lapse(tx: Tx, named: NamedPayment): Promise<void> {
  await holdDeletedToo(tx, named)
  const { status } = invariant(await lockPayment(tx, named.id), 'A payment whose end has come')
  if (status !== 'processing') await applyNews(tx, named, { status: 'expired' })
}

/** What is known of a payment by now, in a transaction: it, its order and its parcel are held, and looked at again. */
export async function applyNews(tx: Tx, named: NamedPayment, news: PaymentNews): Promise<NewsOutcome> {
  const held = await holdDeletedToo(tx, named)
  const payment = invariant(await lockPayment(tx, named.id), 'A payment that news are of')
  const isOther = news.externalId !== undefined && payment.externalId !== null && news.externalId !== payment.externalId
  // A checkout whose page nobody was given: it matters only if it was paid all the same.
  if (isOther && news.status !== 'paid') return 'stale'
  const isPaid = wasPaid.includes(payment.status)
  if (isOther && isPaid) return applyToTwin(tx, held, payment, news)
  if (news.status === 'paid' && isPaid) return learnMore(tx, held, payment, news)
  return take(tx, held, payment, news)
}

type Held = Awaited<ReturnType<typeof holdDeletedToo>>

/** The second checkout of a payment is one of its own from when it is first told of. */
async function applyToTwin(tx: Tx, held: Held, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const told = await findTwin(tx, payment, news)
  if (told) return applyNews(tx, told, news)
  const { projectId, orderId } = payment
  return take(tx, held, await insertPayment(tx, { ...twinOf(payment, news), id: newId('pay'), projectId, orderId }), news)
}

async function take(tx: Tx, held: Held, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const { status } = news
  if (!moves[payment.status].includes(status)) return status === payment.status ? 'same' : 'stale'
  const change: PaymentValues = {
    status,
    // What nobody could say is known now.
    ...(payment.concern === 'outcome_unknown' && !isUnderWay(status) && { concern: null, concernSince: null }),
    ...(news.externalId !== undefined && { externalId: news.externalId }),
    ...(news.method !== undefined && { method: news.method }),
    ...(news.message !== undefined && { message: news.message }),
  }
  const moved = status === 'paid' ? await takeMoney(tx, held, payment, news, change) : await updatePayment(tx, payment.id, change)
  const readAt = nextRead(moved, Date.now())
  const kept = readAt === moved.readAt ? moved : await updatePayment(tx, payment.id, { readAt })
  await settleOrder(tx, held)
  if (status === 'failed' || status === 'cancelled' || status === 'expired') await tell(tx, 'payment.failed', kept)
  return 'applied'
}

/** Money came in: it stands in the ledger whatever it was for, and counts for the order unless something about it is odd. */
async function takeMoney(tx: Tx, held: Held, payment: PaymentRow, news: PaymentNews, change: PaymentValues): Promise<PaymentRow> {
  const { decimals } = payment
  const isForeign = isOfOther(payment, news)
  const paid = news.amount === undefined ? decimal(payment.amount) : fromUnits(news.amount, decimals)
  const fee: Decimal = news.fee === undefined ? 0n : fromUnits(news.fee, decimals)
  const others = (await listOfOrder(tx, payment.orderId)).filter(({ id }) => id !== payment.id)
  const concern = concernOf(payment, paid, news, { ...held, others })
  const paidAt = timeOf(news.at)
  const moved = await updatePayment(tx, payment.id, {
    ...change,
    // What it is worth in the order's currency only a person can say.
    paid: isForeign ? null : decimalText(paid),
    ...(isForeign && { message: `The gateway says that it was paid in ${news.currency}.` }),
    fee: news.fee === undefined ? null : decimalText(fee),
    paidAt,
    accepted: concern === null,
    concern,
    concernSince: concern && new Date().toISOString(),
  })
  if (!isForeign) await postPayment(tx, { ...payment, paymentId: payment.id, at: paidAt, amount: paid, fee })
  await tell(tx, 'payment.paid', moved)
  if (concern) await tell(tx, 'payment.needs_attention', moved)
  return countTakenBack(tx, await countRefunds(tx, moved, news), news)
}

/** What is told of money that is there already: what the gateway keeps of it, and what it gave back. */
async function learnMore(tx: Tx, held: Held, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const learnt = await countTakenBack(tx, await countRefunds(tx, await learnFee(tx, payment, news), news), news)
  if (learnt === payment) return 'same'
  await settleOrder(tx, held)
  return 'applied'
}

/** What is told of it is in another currency: it is worth what a person said. */
const isOfOther = ({ currency }: PaymentRow, news: PaymentNews) => news.currency !== undefined && news.currency !== currency

/** Some gateways know their fee only a while after they were paid. */
async function learnFee(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<PaymentRow> {
  const { fee: told } = news
  if (told === undefined || payment.fee !== null || payment.paid === null || isOfOther(payment, news)) return payment
  const fee = fromUnits(told, payment.decimals)
  const learnt = await updatePayment(tx, payment.id, { fee: decimalText(fee) })
  if (fee > 0n) await publish(tx, 'payment.feeLearnt', { payment, fee })
  return learnt
}

/** What was given back in the gateway's own dashboard is written down here as well; what was given back, and is there again, is doubted once. */
async function countRefunds(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<PaymentRow> {
  const { refunded } = news
  if (refunded === undefined || isOfOther(payment, news)) return payment
  const told = min(fromUnits(refunded, payment.decimals), decimal(payment.paid ?? 0))
  const ours = await listRefunds(tx, [payment.id])
  const counted = ours.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + decimal(amount), 0n)
  const strange = told - counted
  const missing = missingOf(ours, told)
  const isDoubtful = payment.concern === null && missing > decimal(payment.missing)
  if (strange <= 0n) return isDoubtful ? worry(tx, payment, 'refund_failed', { missing: decimalText(missing) }) : payment
  const refund = await insertRefund(tx, {
    paymentId: payment.id,
    id: newId('rfd'),
    amount: decimalText(strange),
    status: 'pending',
    reason: '',
    byHand: true,
  })
  return concludeRefund(tx, refund, { status: 'done' })
}

/**
 * A bank took it from the shop again, and no refund says how much of it, or in which money: a person is asked once, whatever else about it was
 * odd, unless that is a refund.
 */
async function countTakenBack(tx: Tx, payment: PaymentRow, news: PaymentNews): Promise<PaymentRow> {
  const { concern, takenBack, paid, refunded } = payment
  const isTold = news.takenBack || (isOfOther(payment, news) && (news.refunded ?? 0) > 0)
  const isThere = paid === null || decimal(paid) > decimal(refunded)
  if (!isTold || takenBack || !isThere || concern === 'refund_unknown' || concern === 'refund_failed') return payment
  return worry(tx, payment, 'taken_back', { takenBack: true })
}

/** A gateway's clock may be wrong: nothing was paid in the future. */
function timeOf(at: string | undefined): string {
  const ms = at === undefined ? Number.NaN : Date.parse(at)
  return new Date(Number.isFinite(ms) && ms > 0 ? Math.min(ms, Date.now()) : Date.now()).toISOString()
}
