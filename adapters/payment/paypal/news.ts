import { type CheckoutStatus, type GatewayEvent, instant, isRow, present, type Row, rows, word } from 'serai/payment'
import { amountIn } from './money.ts'

/** Statuses of an order. `COMPLETED` only means that it was processed; its captures hold the result. */
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
/** Statuses by rank: of several captures the best one counts. */
const rank: readonly CheckoutStatus[] = ['paid', 'processing', 'failed']

const entryOf = <V>(table: Readonly<Record<string, V>>, said: unknown): V | undefined =>
  typeof said === 'string' && Object.hasOwn(table, said) ? table[said] : undefined

/** Returns the only purchase unit of an order, with its payments. */
const unitOf = (order: Row): Row => rows(order.purchase_units)[0] ?? {}
const paymentsOf = (order: Row): Row => {
  const { payments } = unitOf(order)
  return isRow(payments) ? payments : {}
}
export const refundsOf = (order: Row): Row[] => rows(paymentsOf(order).refunds)

/** Returns the capture that decides the order's status; undefined without captures. */
export function captureOf(order: Row): Row | undefined {
  const found = rows(paymentsOf(order).captures)
  return rank.map((status) => found.find((one) => entryOf(captures, one.status) === status)).find(Boolean) ?? found[0]
}

/** Returns the status of an order; undefined when it is unknown. */
export function statusOf(order: Row): CheckoutStatus | undefined {
  const capture = captureOf(order)
  if (capture) return entryOf(captures, capture.status)
  const status = entryOf(orders, order.status)
  return status === 'captured' ? undefined : status
}

/** Builds the event of an order. Undefined without an id, or when it is paid with an unreadable amount. */
export function orderEvent(order: Row, status: CheckoutStatus): GatewayEvent | undefined {
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

/** Builds the event of a capture, as callbacks show it. */
export function captureEvent(capture: Row, status: CheckoutStatus): GatewayEvent | undefined {
  const names = present({ externalId: orderIdIn(capture), paymentId: nameIn(capture.custom_id, OURS_MAX) })
  const money = status === 'paid' ? paidBy(capture) : {}
  if (!money || Object.keys(names).length === 0) return undefined
  const { currency } = amountIn(capture.amount)
  return { ...names, status, ...present({ currency, at: instant(capture.create_time, 'Z') }), ...money }
}

/** Returns the amounts of a capture. `refunds`: all refunds of its order, if known. */
function paidBy(capture: Row, refunds?: readonly Row[]): Pick<GatewayEvent, 'amount' | 'fee' | 'refunded' | 'takenBack'> | undefined {
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
    ...(refunds && isReversed(capture, amount, amountsOf(refunds, ['COMPLETED', 'PENDING'])) && { takenBack: true }),
  }
}

const amountsOf = (refunds: readonly Row[] | undefined, statuses: readonly unknown[]): number[] =>
  (refunds ?? []).filter(({ status }) => statuses.includes(status)).map((refund) => amountIn(refund.amount).amount ?? 0)

/** Returns true for a bank reversal: the capture's status is "refunded", but the refunds do not add up to it. */
function isReversed({ status }: Row, amount: number, given: readonly number[]): boolean {
  if (status === 'REFUNDED') return given.reduce((sum, each) => sum + each, 0) < amount
  return status === 'PARTIALLY_REFUNDED' && given.length === 0
}

/** Returns the order id of a capture, if it names one. */
export function orderIdIn(capture: Row): string | undefined {
  const { supplementary_data: more } = capture
  const named = isRow(more) && isRow(more.related_ids) ? nameIn(more.related_ids.order_id, ID_MAX) : undefined
  return named ?? linkedId(capture, /\/v2\/checkout\/orders\/([A-Z0-9]{1,40})$/)
}

/** Returns the capture id of a refund or a capture. */
export const captureIdIn = (resource: Row): string | undefined => linkedId(resource, /\/v2\/payments\/captures\/([A-Z0-9]{1,40})$/)

const linkedId = ({ links }: Row, pattern: RegExp): string | undefined =>
  rows(links)
    .map(({ href }) => pattern.exec(String(href))?.[1])
    .find((id) => id !== undefined)

const ID_MAX = 200
const OURS_MAX = 64
const METHOD_MAX = 60

/**
 * Returns an id of printable ASCII, up to `max` characters; undefined otherwise. Merchants can create orders with any id, and an invalid
 * one must not block other events.
 */
export function nameIn(value: unknown, max = ID_MAX): string | undefined {
  const name = word(value)
  return name !== undefined && name.length <= max && /^[\x20-\x7e]+$/.test(name) ? name : undefined
}
