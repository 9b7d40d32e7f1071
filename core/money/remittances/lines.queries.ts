import type { LineOutcome } from '../../../plugins/carrier/cash.model.ts'
import type { CashStatus, ParcelStatus } from '../../../plugins/carrier/model.ts'
import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import { type Decimal, decimalText } from '../../lib/money/decimal.ts'
import type { EntryAmounts } from '../ledger/entries/entries.model.ts'
import { statedFeeExpression } from '../ledger/entries/entries.queries.ts'
import { type OwedRow, owedColumns, owedParcels } from '../ledger/owed.queries.ts'
import type { RemittanceKey, RemittanceRow } from './remittances.queries.ts'

/** Line of a remittance with its parcel and the entries in force of the parcel. `numeric` columns come as text. */
export interface LineRow {
  readonly line: number
  readonly tracking: string | null
  readonly reference: string | null
  readonly amount: string | null
  readonly fee: string | null
  readonly net: string | null
  readonly outcome: LineOutcome | null
  readonly expected: string | null
  readonly parcelId: string | null
  readonly trackingId: string
  readonly status: ParcelStatus
  readonly cashStatus: CashStatus
  readonly owed: Pick<EntryAmounts, 'carrier' | 'sales' | 'fees'> | null
  readonly paid: (Omit<EntryAmounts, 'sales'> & { readonly id: number; readonly statedFee: string | null }) | null
  readonly isDeducted: boolean
  readonly isCharged: boolean
}

/**
 * SQL: finds the parcel of a line. Tries the recorded parcel, the exact tracking number, the tracking number without case and spaces, then
 * our reference. Some sheets have our reference in the tracking column. Each lookup uses an index, even with outdated table statistics.
 */
const parcelOfLine = (sql: Queryable, { projectId, connectionId }: RemittanceKey) => {
  const found = (rank: ReturnType<Queryable>, by: ReturnType<Queryable>) =>
    sql`select p.id, p.tracking_id, p.status, p.cash_status, ${rank} as rank from parcels p where ${by}`
  const ours = sql`p.project_id = ${projectId} and p.carrier_account_id = ${connectionId}`
  return sql`lateral (select * from (
    ${found(sql`0`, sql`p.project_id = ${projectId} and p.id = l.parcel_id`)}
    union all ${found(
      sql`case when p.tracking_id = l.tracking then 1 else 2 end`,
      sql`p.carrier_account_id = ${connectionId} and cash_fold(p.tracking_id) = l.folded`,
    )}
    union all ${found(sql`3`, sql`${ours} and p.reference = l.reference`)}
    union all ${found(sql`4`, sql`${ours} and p.reference = l.tracking`)}) named order by rank, id limit 1)`
}

const linesOf = (sql: Queryable, { projectId, connectionId, id }: RemittanceKey) =>
  sql`project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id}`

/** Locks the parcels of a remittance's lines, in order of their id. */
export const lockLineParcels = async (tx: Tx, key: RemittanceKey) => {
  await tx`
    select count(*) from (
      select 1 from parcels where project_id = ${key.projectId} and id in (
        select p.id from (select * from remittance_lines where ${linesOf(tx, key)}) l cross join ${parcelOfLine(tx, key)} p)
      order by id for update) held`
}

/** Lists at most `take` lines of a remittance after line `after`, each with its parcel and the parcel's entries in force. */
export const listLines = (sql: Queryable, key: RemittanceKey, { after, take }: { readonly after: number; readonly take: number }) => {
  const standing = (kind: string) => sql`project_id = ${key.projectId} and parcel_id = p.id and kind = ${kind} and stands`
  return sql<LineRow[]>`
    select l.line, l.tracking, l.reference, l.amount, l.fee, l.net, l.outcome, l.expected, p.id as parcel_id, p.tracking_id, p.status, p.cash_status,
      (select jsonb_build_object('carrier', carrier::text, 'sales', sales::text, 'fees', fees::text) from ledger_entries where ${standing('delivered')}) as owed,
      (select jsonb_build_object('id', e.id, 'carrier', e.carrier::text, 'fees', e.fees::text, 'bank', e.bank::text, 'statedFee', case when coalesce(l.amount, l.net) < 0 then ${statedFeeExpression(sql)} end) from ledger_entries e where ${standing('remittance')}) as paid,
      exists (select 1 from ledger_entries where ${standing('deduction')}) as is_deducted,
      exists (select 1 from ledger_entries where ${standing('charge')}) as is_charged
    from (select * from remittance_lines where ${linesOf(sql, key)} and line > ${after} order by line limit ${take}) l
    left join ${parcelOfLine(sql, key)} p on true order by l.line`
}

/** Outcome of a line, as recorded when its remittance is confirmed. */
export interface LineResult {
  readonly line: number
  readonly outcome: LineOutcome
  readonly parcelId: string | null
  readonly expected: Decimal
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
}

/** Records the outcome, parcel and amounts of each line when its remittance is confirmed. */
export const recordLineResults = (tx: Tx, { projectId, connectionId, id }: RemittanceKey, lines: readonly LineResult[]) => {
  const rows = lines.map(({ line, outcome, parcelId, expected, amount, fee, net }) => ({
    line,
    outcome,
    parcel_id: parcelId,
    expected: decimalText(expected),
    amount: decimalText(amount),
    fee: decimalText(fee),
    net: decimalText(net),
  }))
  return tx`
    update remittance_lines l set outcome = n.outcome, parcel_id = n.parcel_id, expected = n.expected, amount = n.amount, fee = n.fee, net = n.net
    from jsonb_to_recordset(${json(tx, rows)}) as n (line integer, outcome text, parcel_id text, expected numeric, amount numeric, fee numeric, net numeric)
    where l.project_id = ${projectId} and l.connection_id = ${connectionId} and l.remittance_id = ${id} and l.line = n.line`
}

/** Clears the recorded outcomes of a reversed remittance's lines. */
export const clearLineResults = (tx: Tx, { projectId, connectionId, id }: RemittanceKey) => tx`
  update remittance_lines set outcome = null, parcel_id = null, expected = null
  where project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id}`

/** SQL: owed parcels that were delivered before the remittance and that neither it nor any draft names. */
const missingFrom = (sql: Queryable, { projectId, connectionId, id, paidAt }: RemittanceRow) => {
  // One hashed list instead of a lookup per parcel, which outdated statistics would plan badly.
  const named = (column: 'folded' | 'reference') => sql`(
    select ${sql(column)} from remittance_lines where project_id = ${projectId} and connection_id = ${connectionId} and ${sql(column)} is not null
      and remittance_id in (select m.id from remittances m where m.project_id = ${projectId} and m.connection_id = ${connectionId} and (m.state = 'draft' or m.id = ${id})))`
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
