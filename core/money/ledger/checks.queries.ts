import type { Queryable } from '../../data/sql.ts'

/** Inconsistency found by a check: the kind and id of the thing, and a description. */
export interface LedgerDifference {
  /** `parcel` or `entry`. */
  readonly what: string
  readonly id: string
  readonly says: string
}

// Each query reads its tables once, without nested loops, because it covers the whole history.

/** Lists entries that do not sum to zero, are not undone by their exact opposite, or are cancelled by a deduction while in force. */
export const listUnbalancedEntries = (sql: Queryable, most: number) =>
  sql<LedgerDifference[]>`
    select 'entry' as what, id::text as id, kind || ' comes to ' || (carrier + sales + fees + bank + difference) as says
    from ledger_entries where carrier + sales + fees + bank + difference <> 0
    union all
    select 'entry', of::text, min(kind) || case
      when bool_or(takes) and (bool_or(stands) or count(*) > 2) then ' stands or is undone, and was taken back'
      when count(*) = 1 then ' is undone by nothing' when bool_or(stands) then ' stands and is undone' else ' is not undone by its opposite' end
    from (
      select project_id, coalesce(undoes_id, id) as of, case when undoes_id is null then kind end as kind, stands, carrier, sales, fees, bank, difference, false as takes
      from ledger_entries
      union all select project_id, takes_back_id, null, false, 0, 0, 0, 0, 0, true from ledger_entries where stands and takes_back_id is not null
    ) e group by project_id, of
    having (bool_or(stands) or bool_or(takes)) <> (count(*) filter (where not takes) = 1) or (bool_or(stands) and bool_or(takes))
      or (count(*) filter (where not takes) > 1 and (sum(carrier), sum(sales), sum(fees), sum(bank), sum(difference)) <> (0, 0, 0, 0, 0))
    limit ${most}`

/** Lists delivered parcels whose cash on delivery or connection differs from the claim in the ledger. */
export const listClaimMismatches = (sql: Queryable, most: number) =>
  sql<LedgerDifference[]>`
    select 'parcel' as what, id, case when p.cod is null then 'not delivered' else 'delivered with ' || p.cod || ' to collect' end
      || ', the ledger ' || coalesce(d.cod::text, 'nothing') || case when p.connection <> d.connection then ' at another connection' else '' end as says
    from (select project_id, id, cod_amount as cod, carrier_account_id as connection from parcels
      where status = 'delivered' and carrier_account_id is not null) p
    full join (select project_id, parcel_id as id, -sales as cod, connection_id as connection from ledger_entries
      where kind = 'delivered' and stands) d using (project_id, id)
    where coalesce(p.cod, 0) <> coalesce(d.cod, 0) or p.connection <> d.connection limit ${most}`

/** Lists deductions that do not cancel exactly the payment of the same parcel. */
export const listDeductionMismatches = (sql: Queryable, most: number) =>
  sql<LedgerDifference[]>`
    select 'entry' as what, d.id::text as id, 'takes back ' || d.carrier || ' of a payment of ' || -p.carrier as says
    from ledger_entries d join ledger_entries p on p.project_id = d.project_id and p.id = d.takes_back_id
    where d.carrier + p.carrier <> 0 or d.parcel_id is distinct from p.parcel_id or p.kind <> 'remittance' limit ${most}`

/** Lists parcels with more than one payment in force. */
export const listParcelsPaidTwice = (sql: Queryable, most: number) =>
  sql<LedgerDifference[]>`
    select 'parcel' as what, parcel_id as id, 'paid by ' || count(*) || ' payouts' as says from ledger_entries
    where kind = 'remittance' and stands and parcel_id is not null group by project_id, parcel_id having count(*) > 1 limit ${most}`
