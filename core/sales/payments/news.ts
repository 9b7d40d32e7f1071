import type { PaymentNews } from '../../../plugins/payment/model.ts'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { sha256 } from '../../lib/crypto.ts'
import { type Decimal, decimal, decimalText, min } from '../../lib/decimal.ts'
import { newId } from '../../lib/ids.ts'
import { known } from '../../lib/known.ts'
import { postPayment } from '../../logistics/cash/payments.ts'
import type { PaymentConnection } from '../../shop/connections/connection.ts'
import { holdDeletedToo } from '../orders/hold.ts'
import { fromUnits } from './amounts.ts'
import { concernOf } from './judge.ts'
import {
  findNamed,
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
} from './payments.queries.ts'
import { concludeRefund } from './refunds.ts'
import { nextRead } from './schedule.ts'
import { settleOrder, tell } from './settle.ts'
import { holdsMoney, moves } from './statuses.ts'
import { twinOf } from './twin.ts'

export type NewsOutcome = 'applied' | 'same' | 'stale' | 'early'

/** What a gateway told, once: however often, late or out of order it comes. */
export async function takeNews({ sql }: Context, { row }: PaymentConnection, news: PaymentNews): Promise<NewsOutcome> {
  const payment = await findNamed(sql, row.id, news)
  return transaction(sql, async (tx) => {
    const told = { connectionId: row.id, digest: sha256(JSON.stringify(news)), externalId: news.externalId ?? null, news }
    const outcome = payment ? 'applied' : 'early'
    if (!(await insertNews(tx, { ...told, paymentId: payment?.id ?? null, outcome }))) return 'same'
    return payment ? applyNews(tx, payment, news) : 'early'
  })
}

/** What is known of a payment by now, in a transaction: it, its order and its parcel are held, and looked at again. */
export async function applyNews(tx: Tx, named: NamedPayment, news: PaymentNews): Promise<NewsOutcome> {
  const held = await holdDeletedToo(tx, named)
  const payment = known(await lockPayment(tx, named.id), 'A payment that news are of')
  const isOther = news.externalId !== undefined && payment.externalId !== null && news.externalId !== payment.externalId
  // A checkout whose page nobody was given: it matters only if it was paid all the same.
  if (isOther && news.status !== 'paid') return 'stale'
  if (isOther && holdsMoney.includes(payment.status)) {
    const { projectId, orderId } = payment
    return take(tx, held, await insertPayment(tx, { ...twinOf(payment, news), id: newId('pay'), projectId, orderId }), news)
  }
  if (news.status === 'paid' && holdsMoney.includes(payment.status)) return countRefunds(tx, held, payment, news)
  return take(tx, held, payment, news)
}

type Held = Awaited<ReturnType<typeof holdDeletedToo>>

async function take(tx: Tx, held: Held, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  const { status } = news
  if (!moves[payment.status].includes(status)) return status === payment.status ? 'same' : 'stale'
  const change: PaymentValues = {
    status,
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
  const isForeign = news.currency !== undefined && news.currency !== payment.currency
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
  return countRefundsOf(tx, moved, news)
}

async function countRefunds(tx: Tx, held: Held, payment: PaymentRow, news: PaymentNews): Promise<NewsOutcome> {
  if ((await countRefundsOf(tx, payment, news)) === payment) return 'same'
  await settleOrder(tx, held)
  return 'applied'
}

/** What was given back in the gateway's own dashboard is written down here as well. */
async function countRefundsOf(tx: Tx, payment: PaymentRow, { refunded }: PaymentNews): Promise<PaymentRow> {
  if (!refunded) return payment
  const ours = await listRefunds(tx, [payment.id])
  const counted = ours.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + decimal(amount), 0n)
  const strange = min(fromUnits(refunded, payment.decimals), decimal(payment.paid ?? 0)) - counted
  if (strange <= 0n) return payment
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

/** A gateway's clock may be wrong: nothing was paid in the future. */
function timeOf(at: string | undefined): string {
  const ms = at === undefined ? Number.NaN : Date.parse(at)
  return new Date(Number.isFinite(ms) && ms > 0 ? Math.min(ms, Date.now()) : Date.now()).toISOString()
}
