import { decimal, decimalText } from '../../../lib/money/decimal.ts'
import type { HeldOrder } from '../../../orders/change/hold.ts'
import { ended } from '../../../orders/statuses.ts'
import { sumOf, worthOf } from '../orders/settle.ts'
import type { PaymentRow } from '../payments.queries.ts'

export interface Oddity {
  readonly concern: 'order_ended' | 'paid_more'
  /** What a person who accepts it has accepted: more than that is another question. */
  readonly as: string
}

/** What is odd about money that counts, by what has become of its order; null where nothing is. */
export function oddityOf({ order }: Pick<HeldOrder, 'order'>, payments: readonly PaymentRow[], payment: PaymentRow): Oddity | null {
  if (worthOf(payment) <= 0n) return null
  if (ended.includes(order.status)) return { concern: 'order_ended', as: 'order_ended' }
  const last = payments.findLast((one) => worthOf(one) > 0n)
  const excess = sumOf(payments) - decimal(order.total)
  return payment === last && excess > 0n ? { concern: 'paid_more', as: `paid_more ${decimalText(excess)}` } : null
}
