import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { LockedOrder } from '../../../orders/change/lock-order.ts'
import { endedStatuses } from '../../../orders/statuses.ts'
import { netPaidOf, sumNetPaid } from '../orders/update-order-payment.ts'
import type { PaymentRow } from '../payments.queries.ts'

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
