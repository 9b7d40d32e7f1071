import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import type { Concern } from '../../../../plugins/payment/payments.model.ts'
import type { Tx } from '../../../data/sql.ts'
import { type Decimal, decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { LockedOrder } from '../../../orders/change/lock-order.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import type { PaymentChange, PaymentRow } from '../payments.model.ts'
import { updatePayment } from '../payments.queries.ts'
import { emitPaymentEvent, netPaidOf, sumNetPaid } from './update-order-payment.ts'

/** State of the order that an incoming payment is checked against. */
export interface LockedOrderWithPayments extends LockedOrder {
  readonly isDeleted: boolean
  /** Other payments of the order. */
  readonly others: readonly PaymentRow[]
}

type Rule = (payment: PaymentRow, paid: Decimal, event: Pick<GatewayEvent, 'currency'>, around: LockedOrderWithPayments) => boolean

/** Rules that make incoming money wait for review. The first matching rule decides. */
const rules: readonly (readonly [Concern, Rule])[] = [
  ['other_currency', ({ currency }, _, event) => event.currency !== undefined && event.currency !== currency],
  ['paid_late', ({ status }, _, __, { order, isDeleted }) => isDeleted || endedStatuses.includes(order.status) || hasEnded(status)],
  ['paid_twice', (_, paid, __, { order, others }) => sumNetPaid(others) > 0n && paid > decimal(order.total) - sumNetPaid(others)],
  ['paid_late', (_, __, ___, { parcels }) => parcels.some(({ status, codAmount }) => status !== 'created' && decimal(codAmount) > 0n)],
  ['paid_less', ({ amount }, paid) => paid < decimal(amount)],
  ['paid_more', ({ amount }, paid, _, { order }) => paid > decimal(amount) || paid > decimal(order.total)],
]

const hasEnded = (status: PaymentRow['status']) => status === 'cancelled' || status === 'expired'

/** Returns the concern that incoming money raises, or null. */
export const paidConcernOf: (...given: Parameters<Rule>) => Concern | null = (...given) =>
  rules.find(([, matches]) => matches(...given))?.[0] ?? null

/** Concern about an accepted payment that results from a change of its order. */
export interface OrderConcern {
  readonly concern: 'order_ended' | 'paid_more'
  /** Value stored when a user accepts the concern. A different value raises the concern again. */
  readonly acceptanceKey: string
}

/**
 * Returns the concern that the current state of the order raises about a payment that counts for it: the order ended, or it is overpaid.
 * Null if there is none. Only the last payment can be `paid_more`.
 */
export function orderConcernOf(
  { order }: Pick<LockedOrder, 'order'>,
  payments: readonly PaymentRow[],
  payment: PaymentRow,
): OrderConcern | null {
  if (netPaidOf(payment) <= 0n) return null
  if (endedStatuses.includes(order.status)) return { concern: 'order_ended', acceptanceKey: 'order_ended' }
  const last = payments.findLast((one) => netPaidOf(one) > 0n)
  const excess = sumNetPaid(payments) - decimal(order.total)
  return payment === last && excess > 0n ? { concern: 'paid_more', acceptanceKey: `paid_more ${decimalText(excess)}` } : null
}

/** Raises a concern about a payment, so that it waits for review, and emits `payment.needs_attention`. The caller updates the order. */
export async function flagConcern(tx: Tx, payment: PaymentRow, concern: Concern, change: PaymentChange = {}): Promise<PaymentRow> {
  const flagged = await updatePayment(tx, payment, { ...change, concern, concernSince: new Date().toISOString() })
  await emitPaymentEvent(tx, 'payment.needs_attention', flagged)
  return flagged
}
