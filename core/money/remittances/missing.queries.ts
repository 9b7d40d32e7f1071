import { expectOne, type Queryable } from '../../data/sql.ts'
import { type OwedRow, owedColumns, owedParcels } from '../ledger/owed.queries.ts'
import type { RemittanceRow } from './remittances.queries.ts'

/** SQL: owed parcels that were delivered before the remittance and that neither it nor any draft names. */
const missingFrom = (sql: Queryable, { projectId, connectionId, id, paidAt }: RemittanceRow) => {
  // One hashed list instead of a lookup per parcel, which outdated statistics would plan badly.
  const named = (column: 'folded' | 'reference') => sql`(
    select ${sql(column)} from cash_remittance_lines where project_id = ${projectId} and connection_id = ${connectionId} and ${sql(column)} is not null
      and remittance_id in (select m.id from cash_remittances m where m.project_id = ${projectId} and m.connection_id = ${connectionId} and (m.state = 'draft' or m.id = ${id})))`
  return sql`
    ${owedParcels(sql, projectId, connectionId)} and d.at < ${paidAt}::timestamptz
    and coalesce(cash_fold(p.tracking_id), '') not in ${named('folded')} and cash_fold(p.reference) not in ${named('folded')}
    and p.reference not in ${named('reference')}`
}

/** Lists owed parcels that a remittance should have named, oldest first. */
export const listMissingParcels = (sql: Queryable, payout: RemittanceRow, take: number) =>
  sql<OwedRow[]>`select ${owedColumns(sql)} ${missingFrom(sql, payout)} order by d.at, d.id limit ${take}`

/** Sums the owed parcels that a remittance should have named, in total and for those older than `agedDays` days. */
export const sumMissingParcels = async (sql: Queryable, payout: RemittanceRow, agedDays: number) => {
  const aged = sql`filter (where d.at < now() - ${agedDays} * interval '1 day')`
  const rows = await sql<{ parcels: number; amount: string; agedParcels: number; aged: string }[]>`
    select count(*)::int as parcels, coalesce(sum(-d.sales), 0) as amount,
      count(*) ${aged}::int as aged_parcels, coalesce(sum(-d.sales) ${aged}, 0) as aged ${missingFrom(sql, payout)}`
  return expectOne(rows)
}
