import type { Queryable } from '../../data/sql.ts'

/** Inconsistency found by a check: the kind and id of the thing, and a description. */
export interface PaymentDifference {
  readonly what: string
  readonly id: string
  readonly says: string
}

/** Lists payments whose refunded amount differs from the sum of their completed refunds. */
export const listRefundMismatches = (sql: Queryable, most: number) =>
  sql<PaymentDifference[]>`
    select 'payment' as what, p.id, 'given back ' || p.refunded || ', its refunds come to ' || coalesce(r.sum, 0) as says
    from payments p left join (select project_id, payment_id, sum(amount) from payment_refunds where status = 'done' group by 1, 2) r
      on r.project_id = p.project_id and r.payment_id = p.id
    where p.refunded <> coalesce(r.sum, 0) limit ${most}`
