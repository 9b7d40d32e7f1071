import type { Queryable } from '../../data/sql.ts'
import { payingOutcomes } from './posting.ts'

/** Inconsistency found by a check: the kind and id of the thing, and a description. */
export interface CashDifference {
  /** `parcel`, `payout` (a remittance) or `entry`. */
  readonly what: string
  readonly id: string
  readonly says: string
}

// Each query reads its tables once, without nested loops, because it covers the whole history.

/** Lists entries that do not sum to zero, are not undone by their exact opposite, or are cancelled by a deduction while in force. */
export const listUnbalancedEntries = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'entry' as what, id::text as id, kind || ' comes to ' || (carrier + sales + fees + bank + difference) as says
    from cash_entries where carrier + sales + fees + bank + difference <> 0
    union all
    select 'entry', of::text, min(kind) || case
      when bool_or(takes) and (bool_or(stands) or count(*) > 2) then ' stands or is undone, and was taken back'
      when count(*) = 1 then ' is undone by nothing' when bool_or(stands) then ' stands and is undone' else ' is not undone by its opposite' end
    from (
      select project_id, coalesce(undoes_id, id) as of, case when undoes_id is null then kind end as kind, stands, carrier, sales, fees, bank, difference, false as takes
      from cash_entries
      union all select project_id, takes_back_id, null, false, 0, 0, 0, 0, 0, true from cash_entries where stands and takes_back_id is not null
    ) e group by project_id, of
    having (bool_or(stands) or bool_or(takes)) <> (count(*) filter (where not takes) = 1) or (bool_or(stands) and bool_or(takes))
      or (count(*) filter (where not takes) > 1 and (sum(carrier), sum(sales), sum(fees), sum(bank), sum(difference)) <> (0, 0, 0, 0, 0))
    limit ${most}`

/** Lists delivered parcels whose cash on delivery or connection differs from the claim in the ledger. */
export const listClaimMismatches = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'parcel' as what, id, case when p.cod is null then 'not delivered' else 'delivered with ' || p.cod || ' to collect' end
      || ', the ledger ' || coalesce(d.cod::text, 'nothing') || case when p.connection <> d.connection then ' at another connection' else '' end as says
    from (select project_id, id, cod_amount as cod, carrier_account_id as connection from parcels
      where status = 'delivered' and carrier_account_id is not null) p
    full join (select project_id, parcel_id as id, -sales as cod, connection_id as connection from cash_entries
      where kind = 'delivered' and stands) d using (project_id, id)
    where coalesce(p.cod, 0) <> coalesce(d.cod, 0) or p.connection <> d.connection limit ${most}`

/** Lists delivered and paid parcels whose claim is not cleared, or whose fees or difference do not match the remittance's line. */
export const listUnclearedClaims = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    with paid as (
      select project_id, connection_id, remittance_id, parcel_id, carrier, fees, difference from cash_entries
      where kind = 'remittance' and stands and parcel_id is not null
    ), stated as (
      select project_id, connection_id, remittance_id, parcel_id, amount, fee from cash_remittance_lines
      where parcel_id is not null and outcome in ${sql(payingOutcomes)}
    ), owed as (
      select project_id, parcel_id, carrier, sales, fees, difference from cash_entries where kind = 'delivered' and stands
    )
    select 'parcel' as what, parcel_id as id, 'paid, and the carrier still owes ' || (d.carrier + r.carrier)
      || case when d.carrier + r.carrier = 0 then '; fees or difference are not as stated' else '' end as says
    from paid r full join stated l using (project_id, connection_id, remittance_id, parcel_id) full join owed d using (project_id, parcel_id)
    where coalesce(d.carrier + r.carrier, 0) <> 0 or coalesce(d.fees + r.fees - l.fee, 0) <> 0
      or coalesce(d.difference + r.difference + d.sales + l.amount, 0) <> 0 limit ${most}`

/** Lists deductions that do not cancel exactly the payment of the same parcel. */
export const listDeductionMismatches = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'entry' as what, d.id::text as id, 'takes back ' || d.carrier || ' of a payment of ' || -p.carrier as says
    from cash_entries d join cash_entries p on p.project_id = d.project_id and p.id = d.takes_back_id
    where d.carrier + p.carrier <> 0 or d.parcel_id is distinct from p.parcel_id or p.kind <> 'remittance' limit ${most}`

/** Lists parcels with more than one payment in force. */
export const listParcelsPaidTwice = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    select 'parcel' as what, parcel_id as id, 'paid by ' || count(*) || ' payouts' as says from cash_entries
    where kind = 'remittance' and stands and parcel_id is not null group by project_id, parcel_id having count(*) > 1 limit ${most}`

/** Lists remittances whose entries do not match their lines. A remittance that is not confirmed must have no net entries. */
export const listRemittanceMismatches = (sql: Queryable, most: number) =>
  sql<CashDifference[]>`
    with stated as (
      select m.project_id, m.connection_id, m.id, coalesce(l.parcel_id, '') as parcel, sum(l.net) as received, bool_or(l.net <> l.amount - l.fee) as is_off
      from cash_remittances m join cash_remittance_lines l on l.project_id = m.project_id and l.connection_id = m.connection_id and l.remittance_id = m.id
      where m.state = 'confirmed' and l.outcome is distinct from 'paid_already' group by 1, 2, 3, 4
    ), posted as (
      select project_id, connection_id, remittance_id as id, coalesce(parcel_id, '') as parcel, sum(bank) as received
      from cash_entries where remittance_id is not null group by 1, 2, 3, 4
    )
    select 'payout' as what, id, m.state || ' with ' || coalesce(s.received, 0) || ' received for ' || coalesce(nullif(parcel, ''), 'no parcel')
      || ', the ledger ' || coalesce(p.received, 0) || case when s.is_off then '; a line does not add up' else '' end as says
    from stated s full join posted p using (project_id, connection_id, id, parcel) join cash_remittances m using (project_id, connection_id, id)
    where coalesce(p.received, 0) <> coalesce(s.received, 0) or s.is_off limit ${most}`
