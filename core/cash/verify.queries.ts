import type { Queryable } from '../data/sql.ts'

export interface CashDifference {
  /** A parcel, a payout or an entry. */
  readonly what: string
  readonly id: string
  readonly says: string
}

// Each reads its tables once and joins none row by row: it runs over all that ever happened.

/** Entries that do not come to zero, or are undone by something else than their opposite. */
export const entriesOutOfBalance = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'entry' as what, id::text as id, kind || ' comes to ' || (carrier + sales + fees + bank + difference) as says
    from cash_entries where carrier + sales + fees + bank + difference <> 0
    union all
    select 'entry', coalesce(undoes_id, id)::text, min(kind) filter (where undoes_id is null) || case
      when count(*) = 1 then ' is undone by nothing' when bool_or(stands) then ' stands and is undone' else ' is not undone by its opposite' end
    from cash_entries group by project_id, coalesce(undoes_id, id)
    having bool_or(stands) <> (count(*) = 1) or (not bool_or(stands) and (sum(carrier), sum(sales), sum(fees), sum(bank), sum(difference)) <> (0, 0, 0, 0, 0))
    limit ${most}`

/** Delivered parcels that nobody owes for, debts for what is not delivered, and debts of another amount than was collected. */
export const parcelsAgainstDebts = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'parcel' as what, id, case when p.cod is null then 'not delivered' else 'delivered with ' || p.cod || ' to collect' end
      || ', the ledger ' || coalesce(d.cod::text, 'nothing') as says
    from (select project_id, id, cod_amount as cod from parcels where status = 'delivered' and carrier_account_id is not null) p
    full join (select project_id, parcel_id as id, -sales as cod from cash_entries where kind = 'delivered' and stands) d using (project_id, id)
    where coalesce(p.cod, 0) <> coalesce(d.cod, 0) limit ${most}`

/** What is delivered and paid is settled: nothing of it is owed either way. */
export const paidParcelsStillOwed = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'parcel' as what, parcel_id as id, 'paid, and the carrier still owes ' || sum(carrier) as says from cash_entries
    where stands and parcel_id is not null group by project_id, parcel_id having count(distinct kind) = 2 and sum(carrier) <> 0 limit ${most}`

export const parcelsPaidTwice = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'parcel' as what, parcel_id as id, 'paid by ' || count(*) || ' payouts' as says from cash_entries
    where kind = 'remittance' and stands and parcel_id is not null group by project_id, parcel_id having count(*) > 1 limit ${most}`

/** Payouts that posted something else than what their lines came to; one that is not confirmed posts nothing. */
export const payoutsAgainstEntries = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    with stated as (
      select m.project_id, m.connection_id, m.id, m.state,
        coalesce(sum(l.net) filter (where m.state = 'confirmed' and l.outcome is distinct from 'paid_already'), 0) as received
      from cash_remittances m left join cash_remittance_lines l on l.project_id = m.project_id and l.connection_id = m.connection_id and l.remittance_id = m.id
      group by 1, 2, 3, 4
    ), posted as (
      select project_id, connection_id, remittance_id as id, sum(bank) as received from cash_entries where remittance_id is not null group by 1, 2, 3
    )
    select 'payout' as what, s.id, s.state || ' with ' || s.received || ' received, the ledger ' || coalesce(p.received, 0) as says
    from stated s left join posted p using (project_id, connection_id, id) where coalesce(p.received, 0) <> s.received limit ${most}`
