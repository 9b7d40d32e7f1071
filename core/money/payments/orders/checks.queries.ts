import type { Queryable } from '../../../data/sql.ts'
import type { PaymentDifference } from '../checks.queries.ts'

/** Lists payments of orders whose paid or refunded amount differs from the ledger. */
export const listLedgerMismatches = (sql: Queryable, most: number) =>
  sql<PaymentDifference[]>`
    select 'payment' as what, id, 'paid ' || paid || ', given back ' || refunded || ', the ledger has ' || booked || ' and ' || returned as says
    from (select p.id, coalesce(p.paid, 0) as paid, p.refunded,
        coalesce(sum(-e.sales) filter (where e.kind = 'payment'), 0) as booked, coalesce(sum(e.sales) filter (where e.kind = 'refund'), 0) as returned
      from payments p left join ledger_entries e on e.project_id = p.project_id and e.payment_id = p.id
      where p.payable_kind = 'order' group by p.project_id, p.id) sums
    where paid <> booked or refunded <> returned limit ${most}`

/** Lists orders whose paid amount differs from what their accepted payments bring. */
export const listOrderMismatches = (sql: Queryable, most: number) =>
  sql<PaymentDifference[]>`
    select 'order' as what, o.id, 'counts ' || o.paid || ', its payments bring ' || coalesce(p.sum, 0) as says
    from orders o left join (select project_id, order_id, sum(paid - refunded) filter (where accepted) from payments where payable_kind = 'order' group by 1, 2) p
      on p.project_id = o.project_id and p.order_id = o.id
    where (o.payment_status <> 'unpaid' or p.sum is not null) and o.paid <> coalesce(p.sum, 0) limit ${most}`
