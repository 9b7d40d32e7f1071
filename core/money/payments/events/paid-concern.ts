import type { PaymentNews } from '../../../../plugins/payment/model.ts'
import type { Concern } from '../../../../plugins/payment/payments.model.ts'
import { type Decimal, decimal } from '../../../lib/money/decimal.ts'
import type { LockedOrder } from '../../../orders/change/lock-order.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import { sumNetPaid } from '../orders/update-order-payment.ts'
import type { PaymentRow } from '../payments.queries.ts'

/** State of the order that an incoming payment is checked against. */
export interface LockedOrderWithPayments extends LockedOrder {
  readonly isDeleted: boolean
  /** Other payments of the order. */
  readonly others: readonly PaymentRow[]
}

type Rule = (payment: PaymentRow, paid: Decimal, event: Pick<PaymentNews, 'currency'>, around: LockedOrderWithPayments) => boolean

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
