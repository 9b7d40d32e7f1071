import { json, type Queryable, type Tx } from '../../../data/sql.ts'
import { decimalText } from '../../../lib/money/decimal.ts'
import type { EntryAmounts, NewEntry, RemittanceRef, UndoneEntry } from './entries.model.ts'
import { claimOfEntry, paymentOfEntry } from './entry-amounts.ts'
import { type CarrierClaim, type ParcelPayment, payingOutcomes } from './posting.ts'

const toRow = ({ projectId, connectionId, kind, parcelId, remittanceId, takesBackId, at, posting, ...of }: NewEntry) => ({
  project_id: projectId,
  connection_id: connectionId,
  kind,
  parcel_id: parcelId,
  remittance_id: remittanceId,
  takes_back_id: takesBackId ?? null,
  payment_id: of.paymentId ?? null,
  refund_id: of.refundId ?? null,
  payout_id: of.payoutId ?? null,
  payout_line_id: of.payoutLineId ?? null,
  at,
  carrier: decimalText(posting.carrier),
  sales: decimalText(posting.sales),
  fees: decimalText(posting.fees),
  bank: decimalText(posting.bank),
  difference: decimalText(posting.difference),
})

/**
 * Inserts ledger entries that are in force. The database rejects an entry whose amounts do not sum to zero, and a second one of its kind
 * for a parcel.
 */
export const insertEntries = (tx: Tx, entries: readonly NewEntry[]) => tx`
  insert into ledger_entries (project_id, connection_id, kind, parcel_id, remittance_id, takes_back_id, payment_id, refund_id, payout_id, payout_line_id, carrier, sales, fees, bank, difference, stands, at)
  select project_id, connection_id, kind, parcel_id, remittance_id, takes_back_id, payment_id, refund_id, payout_id, payout_line_id, carrier, sales, fees, bank, difference, true, at
  from jsonb_to_recordset(${json(tx, entries.map(toRow))}) as e (project_id text, connection_id text, kind text, parcel_id text,
    remittance_id text, takes_back_id bigint, payment_id text, refund_id text, payout_id text, payout_line_id text, carrier numeric, sales numeric, fees numeric, bank numeric, difference numeric, at timestamptz)`

const undoEntries = (tx: Tx, kind: 'undelivered' | 'reversal', at: string, undone: ReturnType<Queryable>) => tx<UndoneEntry[]>`
  with undone as (update ledger_entries set stands = false where stands and ${undone} returning *), opposite as (
    insert into ledger_entries (project_id, connection_id, kind, parcel_id, remittance_id, payout_id, payout_line_id, undoes_id, carrier, sales, fees, bank, difference, stands, at)
    select project_id, connection_id, ${kind}, parcel_id, remittance_id, payout_id, payout_line_id, id, -carrier, -sales, -fees, -bank, -difference, false, ${at}::timestamptz
    from undone)
  select kind, parcel_id, takes_back_id from undone`

/** Undoes the delivery entry in force of a parcel, if there is one. */
export const undoDelivery = (tx: Tx, parcel: { projectId: string; parcelId: string }, kind: 'undelivered' | 'reversal', at: string) =>
  undoEntries(tx, kind, at, tx`project_id = ${parcel.projectId} and parcel_id = ${parcel.parcelId} and kind = 'delivered'`)

/** Undoes all entries that a remittance posted. */
export const undoRemittance = (tx: Tx, { projectId, connectionId, id }: RemittanceRef, at: string) =>
  undoEntries(tx, 'reversal', at, tx`project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id}`)

/** Undoes all entries that a gateway payout posted. */
export const undoGatewayPayout = (tx: Tx, { projectId, payoutId }: { projectId: string; payoutId: string }, at: string) =>
  undoEntries(tx, 'reversal', at, tx`project_id = ${projectId} and payout_id = ${payoutId}`)

/** Sets whether entries are in force. A payment that a deduction cancels is not in force until the deduction is undone. */
export const setEntriesInForce = async (tx: Tx, projectId: string, ids: readonly number[], { stands }: { readonly stands: boolean }) => {
  await tx`update ledger_entries set stands = ${stands} where project_id = ${projectId} and id = any (${ids as number[]}::bigint[])`
}

/**
 * Lists later remittances that depend on this one, with their number of parcels. They deducted what it paid, or paid again what it
 * deducted. The database would reject reversing this one, with a less helpful error.
 */
export const listDependentRemittances = (tx: Tx, { projectId, connectionId, id }: RemittanceRef) => tx<{ id: string; parcels: number }[]>`
  with ours as (
    select id, parcel_id, takes_back_id, stands from ledger_entries
    where project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id} and undoes_id is null)
  select remittance_id as id, count(*)::int as parcels from (
    select d.remittance_id from ours join ledger_entries d on d.project_id = ${projectId} and d.takes_back_id = ours.id and d.stands
    union all
    select p.remittance_id from ours join ledger_entries p on p.project_id = ${projectId} and p.parcel_id = ours.parcel_id and p.kind = 'remittance' and p.stands
    where ours.takes_back_id is not null and ours.stands) dependent
  group by 1 order by 1`

/**
 * SQL expression: fee that a remittance stated for the payment entry `e`. Starts from the parcel id, so that it never scans all lines of
 * the remittance.
 */
export const statedFeeExpression = (sql: Queryable) => sql`(
  select s.fee::text from (select * from remittance_lines where parcel_id = e.parcel_id offset 0) s where s.project_id = e.project_id
    and s.connection_id = e.connection_id and s.remittance_id = e.remittance_id and s.outcome in ${sql(payingOutcomes)} limit 1)`

/** Delivery and payment of a parcel that are in force. */
export interface ParcelEntries {
  readonly delivered?: CarrierClaim & { readonly at: string }
  readonly paid?: ParcelPayment
}

/** Finds the delivery and the payment of a parcel that are in force in the ledger. */
export async function findParcelEntries(sql: Queryable, projectId: string, parcelId: string): Promise<ParcelEntries> {
  const rows = await sql<(EntryAmounts & { kind: NewEntry['kind']; at: string; statedFee: string | null })[]>`
    select e.kind, e.at, e.carrier, e.sales, e.fees, e.bank, case when e.kind = 'remittance' then ${statedFeeExpression(sql)} end as stated_fee
    from ledger_entries e where e.project_id = ${projectId} and e.parcel_id = ${parcelId} and e.stands`
  const delivered = rows.find(({ kind }) => kind === 'delivered')
  const paid = rows.find(({ kind }) => kind === 'remittance')
  return {
    ...(delivered && { delivered: { ...claimOfEntry(delivered), at: delivered.at } }),
    ...(paid && { paid: paymentOfEntry(paid) }),
  }
}

/** Lists which of these parcels have a delivery entry with a difference to the remittance that paid them in advance. */
export const listAdjustedParcels = async (tx: Tx, projectId: string, parcelIds: readonly string[]) =>
  (
    await tx<{ id: string }[]>`
    select named.id from unnest(${parcelIds as string[]}::text[]) as named (id) cross join lateral (
      select 1 from ledger_entries where project_id = ${projectId} and parcel_id = named.id and kind = 'delivered' and stands and difference <> 0 limit 1) adjusted`
  ).map(({ id }) => id)
