import type { LineOutcome } from '../../../plugins/carrier/cash.model.ts'
import type { Queryable } from '../../data/sql.ts'

/** Inconsistency between a remittance and the ledger: the kind and id of the thing, and a description. */
export interface RemittanceDifference {
  /** `parcel` or `payout` (a remittance). */
  readonly what: string
  readonly id: string
  readonly says: string
}

// Each query reads its tables once, without nested loops, because it covers the whole history.

/** Lists delivered and paid parcels whose claim is not cleared, or whose fees or difference do not match the remittance's line. */
export const listUnclearedClaims = (sql: Queryable, most: number, payingOutcomes: readonly LineOutcome[]) =>
  sql<RemittanceDifference[]>`
    with paid as (
      select project_id, connection_id, remittance_id, parcel_id, carrier, fees, difference from ledger_entries
      where kind = 'remittance' and stands and parcel_id is not null
    ), stated as (
      select project_id, connection_id, remittance_id, parcel_id, amount, fee from remittance_lines
      where parcel_id is not null and outcome in ${sql(payingOutcomes as LineOutcome[])}
    ), owed as (
      select project_id, parcel_id, carrier, sales, fees, difference from ledger_entries where kind = 'delivered' and stands
    )
    select 'parcel' as what, parcel_id as id, 'paid, and the carrier still owes ' || (d.carrier + r.carrier)
      || case when d.carrier + r.carrier = 0 then '; fees or difference are not as stated' else '' end as says
    from paid r full join stated l using (project_id, connection_id, remittance_id, parcel_id) full join owed d using (project_id, parcel_id)
    where coalesce(d.carrier + r.carrier, 0) <> 0 or coalesce(d.fees + r.fees - l.fee, 0) <> 0
      or coalesce(d.difference + r.difference + d.sales + l.amount, 0) <> 0 limit ${most}`

/** Lists remittances whose entries do not match their lines. A remittance that is not confirmed must have no net entries. */
export const listRemittanceMismatches = (sql: Queryable, most: number) =>
  sql<RemittanceDifference[]>`
    with stated as (
      select m.project_id, m.connection_id, m.id, coalesce(l.parcel_id, '') as parcel, sum(l.net) as received, bool_or(l.net <> l.amount - l.fee) as is_off
      from remittances m join remittance_lines l on l.project_id = m.project_id and l.connection_id = m.connection_id and l.remittance_id = m.id
      where m.state = 'confirmed' and l.outcome is distinct from 'paid_already' group by 1, 2, 3, 4
    ), posted as (
      select project_id, connection_id, remittance_id as id, coalesce(parcel_id, '') as parcel, sum(bank) as received
      from ledger_entries where remittance_id is not null group by 1, 2, 3, 4
    )
    select 'payout' as what, id, m.state || ' with ' || coalesce(s.received, 0) || ' received for ' || coalesce(nullif(parcel, ''), 'no parcel')
      || ', the ledger ' || coalesce(p.received, 0) || case when s.is_off then '; a line does not add up' else '' end as says
    from stated s full join posted p using (project_id, connection_id, id, parcel) join remittances m using (project_id, connection_id, id)
    where coalesce(p.received, 0) <> coalesce(s.received, 0) or s.is_off limit ${most}`
