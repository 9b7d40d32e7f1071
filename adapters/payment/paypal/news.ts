import { type CheckoutStatus, instant, isRow, type PaymentNews, present, type Row, rows, word } from 'serai/payment'
import { amountIn } from './money.ts'

/** An order's own words. `COMPLETED` only says that all was tried: what was captured says what came of it. */
const orders: Readonly<Record<string, CheckoutStatus | 'captured'>> = {
  CREATED: 'open',
  SAVED: 'open',
  PAYER_ACTION_REQUIRED: 'open',
  APPROVED: 'authorized',
  VOIDED: 'cancelled',
  COMPLETED: 'captured',
}

const captures: Readonly<Record<string, CheckoutStatus>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'processing',
  DECLINED: 'failed',
  FAILED: 'failed',
}
/** Of several captures the one that counts most. */
const rank: readonly CheckoutStatus[] = ['paid', 'processing', 'failed']

const of = <V>(table: Readonly<Record<string, V>>, said: unknown): V | undefined =>
  typeof said === 'string' && Object.hasOwn(table, said) ? table[said] : undefined

/** The one purchase of an order, and what was taken of it. */
export const unitOf = (order: Row): Row => rows(order.purchase_units)[0] ?? {}
const paymentsOf = (order: Row): Row => {
  const { payments } = unitOf(order)
  return isRow(payments) ? payments : {}
}
export const refundsOf = (order: Row): Row[] => rows(paymentsOf(order).refunds)

/** The capture that says what became of the order; undefined where nothing was tried. */
export function captureOf(order: Row): Row | undefined {
  const found = rows(paymentsOf(order).captures)
  return rank.map((status) => found.find((one) => of(captures, one.status) === status)).find(Boolean) ?? found[0]
}

/** What became of an order; undefined where it says something that is not in the tables. */
export function statusOf(order: Row): CheckoutStatus | undefined {
  const capture = captureOf(order)
  if (capture) return of(captures, capture.status)
  const status = of(orders, order.status)
  return status === 'captured' ? undefined : status
}

/** What is said of an order; undefined where it has no name, or is paid and nobody can read how much. */
export function newsOf(order: Row, status: CheckoutStatus): PaymentNews | undefined {
  const externalId = nameIn(order.id, ID_MAX)
  const capture = captureOf(order)
  const unit = unitOf(order)
  const money = status === 'paid' ? capture && paidBy(capture, refundsOf(order)) : {}
  if (externalId === undefined || money === undefined) return undefined
  const [method] = isRow(order.payment_source) ? Object.keys(order.payment_source) : []
  return {
    externalId,
    status,
    ...present({
      paymentId: nameIn(unit.custom_id, OURS_MAX) ?? nameIn(capture?.custom_id, OURS_MAX),
      currency: amountIn(capture?.amount ?? unit.amount).currency,
      at: instant(capture?.create_time ?? order.update_time, 'Z'),
      method: nameIn(method, METHOD_MAX),
    }),
    ...money,
  }
}

/** The same of a capture alone, as callbacks show it. */
export function newsOfCapture(capture: Row, status: CheckoutStatus): PaymentNews | undefined {
  const names = present({ externalId: orderIdIn(capture), paymentId: nameIn(capture.custom_id, OURS_MAX) })
  const money = status === 'paid' ? paidBy(capture) : {}
  if (!money || Object.keys(names).length === 0) return undefined
  const { currency } = amountIn(capture.amount)
  return { ...names, status, ...present({ currency, at: instant(capture.create_time, 'Z') }), ...money }
}

/** `refunds`: all of its order, where they are shown. */
function paidBy(capture: Row, refunds?: readonly Row[]): Pick<PaymentNews, 'amount' | 'fee' | 'refunded' | 'takenBack'> | undefined {
  const { amount, currency } = amountIn(capture.amount)
  if (amount === undefined) return undefined
  const breakdown = isRow(capture.seller_receivable_breakdown) ? capture.seller_receivable_breakdown : {}
  const fee = amountIn(breakdown.paypal_fee)
  const given = amountsOf(refunds, ['COMPLETED'])
  return {
    amount,
    ...present({ fee: fee.currency === currency ? fee.amount : undefined }),
    ...(refunds && { refunded: 0 }),
    ...(given.length > 0 && { refunded: given.reduce((sum, each) => sum + each, 0) }),
    ...(refunds && isTakenBack(capture, amount, amountsOf(refunds, ['COMPLETED', 'PENDING'])) && { takenBack: true }),
  }
}

const amountsOf = (refunds: readonly Row[] | undefined, statuses: readonly unknown[]): number[] =>
  (refunds ?? []).filter(({ status }) => statuses.includes(status)).map((refund) => amountIn(refund.amount).amount ?? 0)

/** What a bank reversed looks as if it had been given back, and no refund says so. */
function isTakenBack({ status }: Row, amount: number, given: readonly number[]): boolean {
  if (status === 'REFUNDED') return given.reduce((sum, each) => sum + each, 0) < amount
  return status === 'PARTIALLY_REFUNDED' && given.length === 0
}

/** The order that a capture is of, where it says so. */
export function orderIdIn(capture: Row): string | undefined {
  const { supplementary_data: more } = capture
  const named = isRow(more) && isRow(more.related_ids) ? nameIn(more.related_ids.order_id, ID_MAX) : undefined
  return named ?? linkedId(capture, /\/v2\/checkout\/orders\/([A-Z0-9]{1,40})$/)
}

/** The capture that was given back, or is meant itself. */
export const captureIdIn = (resource: Row): string | undefined => linkedId(resource, /\/v2\/payments\/captures\/([A-Z0-9]{1,40})$/)

const linkedId = ({ links }: Row, pattern: RegExp): string | undefined =>
  rows(links)
    .map(({ href }) => pattern.exec(String(href))?.[1])
    .find((id) => id !== undefined)

const ID_MAX = 200
const OURS_MAX = 64
const METHOD_MAX = 60

/** A name that can be kept. Whoever makes orders by hand writes what they like into them: it may not hide other news. */
export function nameIn(value: unknown, max = ID_MAX): string | undefined {
  const name = word(value)
  return name !== undefined && name.length <= max && /^[\x20-\x7e]+$/.test(name) ? name : undefined
}
