import type { Queryable } from '../../data/sql.ts'
import { settlingOutcomes } from './payouts.model.ts'

/** Inconsistency found by a check: the kind and id of the thing, and a description. */
export interface PayoutDifference {
  readonly what: string
  readonly id: string
  readonly says: string
}

/** Lists payout lines whose ledger entries do not match the amount that was posted for them. */
export const listLineMismatches = (sql: Queryable, most: number) =>
  sql<PayoutDifference[]>`
    select 'line' as what, id, case when stands then 'brought ' || posted else 'does not stand' end || ', the ledger has ' || booked || ' in '
      || standing || ' standing entries' as says
    from (
      select coalesce(l.id, e.payout_line_id) as id, coalesce(l.stands, false) as stands, coalesce(l.posted, 0) as posted, l.posted is not null as has,
        coalesce(e.bank, 0) as booked, coalesce(e.standing, 0) as standing
      from gateway_payout_lines l full join (
        select project_id, payout_id, payout_line_id, sum(bank) as bank, count(*) filter (where stands) as standing from ledger_entries
        where payout_id is not null group by 1, 2, 3
      ) e on e.project_id = l.project_id and e.payout_id = l.payout_id and e.payout_line_id = l.id
    ) sums where posted <> booked or standing <> case when has then 1 else 0 end limit ${most}`

/** Lists settled payments and refunds of which the gateway still owes something in the ledger. */
export const listUnclearedLines = (sql: Queryable, most: number) =>
  sql<PayoutDifference[]>`
    select 'line' as what, l.id, 'settled ' || l.kind || ', and ' || coalesce(c.carrier + e.carrier, 0) || ' is still owed' as says
    from gateway_payout_lines l
    left join ledger_entries e on e.project_id = l.project_id and e.payout_id = l.payout_id and e.payout_line_id = l.id and e.stands
    left join lateral (
      select sum(carrier) as carrier from ledger_entries where project_id = l.project_id and stands and payment_id in (l.payment_id, l.payment_id || ':fee')
        and kind = l.kind and (kind = 'payment' or refund_id = l.refund_id)) c on true
    where l.stands and l.kind in ('payment', 'refund') and l.outcome in ${sql(settlingOutcomes)} and coalesce(c.carrier + e.carrier, 1) <> 0
    limit ${most}`

/** Lists payouts whose state or count of waiting lines does not match their lines. */
export const listPayoutStateMismatches = (sql: Queryable, most: number) =>
  sql<PayoutDifference[]>`
    select 'payout' as what, p.id, p.state || ' with ' || p.waiting || ' that wait, its lines: ' || count(l.id) filter (where l.settled_at is null)
      || ' that wait, ' || count(l.id) filter (where l.stands) || ' that stand' as says
    from gateway_payouts p left join gateway_payout_lines l on l.project_id = p.project_id and l.payout_id = p.id group by p.project_id, p.id
    having case when p.state = 'posted' then p.waiting <> count(l.id) filter (where l.settled_at is null)
      else p.waiting <> 0 or count(l.id) filter (where l.stands) > 0 end limit ${most}`

/** Lists payouts whose amount differs from the sum of their lines in the payout's currency. */
export const listPayoutSumMismatches = (sql: Queryable, most: number) =>
  sql<PayoutDifference[]>`
    select 'payout' as what, p.id, 'comes to ' || p.amount || ', its lines to ' || coalesce(sum(l.net), 0) as says
    from gateway_payouts p left join gateway_payout_lines l on l.project_id = p.project_id and l.payout_id = p.id and l.currency = p.currency
    where p.complete group by p.project_id, p.id having p.amount <> coalesce(sum(l.net), 0) limit ${most}`
