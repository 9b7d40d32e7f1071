import type { Queryable } from '../data/sql.ts'
import { decimal, decimalText } from '../lib/decimal.ts'
import type { Advance, Claim, Posting } from './posting.ts'

export interface NewEntry {
  readonly projectId: string
  readonly connectionId: string
  readonly kind: 'delivered' | 'remittance'
  readonly parcelId: string | null
  readonly remittanceId: string | null
  readonly at: string
  readonly posting: Posting
}

const toRow = ({ projectId, connectionId, kind, parcelId, remittanceId, at, posting }: NewEntry) => ({
  project_id: projectId,
  connection_id: connectionId,
  kind,
  parcel_id: parcelId,
  remittance_id: remittanceId,
  at,
  carrier: decimalText(posting.carrier),
  sales: decimalText(posting.sales),
  fees: decimalText(posting.fees),
  bank: decimalText(posting.bank),
  difference: decimalText(posting.difference),
})

/** Writes entries that stand until they are undone. The database refuses one that does not come to zero, or that a parcel has already. */
export const insertEntries = (tx: Queryable, entries: readonly NewEntry[]) => tx`
  insert into cash_entries (project_id, connection_id, kind, parcel_id, remittance_id, carrier, sales, fees, bank, difference, stands, at)
  select project_id, connection_id, kind, parcel_id, remittance_id, carrier, sales, fees, bank, difference, true, at
  from jsonb_to_recordset(${tx.json(entries.map(toRow) as never)}) as e (project_id text, connection_id text, kind text, parcel_id text,
    remittance_id text, carrier numeric, sales numeric, fees numeric, bank numeric, difference numeric, at timestamptz)`

const undo = (tx: Queryable, kind: 'undelivered' | 'reversal', at: string, undone: ReturnType<Queryable>) => tx<
  { parcelId: string | null }[]
>`
  with undone as (update cash_entries set stands = false where stands and ${undone} returning *)
  insert into cash_entries (project_id, connection_id, kind, parcel_id, remittance_id, undoes_id, carrier, sales, fees, bank, difference, stands, at)
  select project_id, connection_id, ${kind}, parcel_id, remittance_id, id, -carrier, -sales, -fees, -bank, -difference, false, ${at}::timestamptz
  from undone returning parcel_id`

/** Takes back the standing delivery of a parcel, if there is one. */
export const undoDelivery = (
  tx: Queryable,
  parcel: { projectId: string; parcelId: string },
  kind: 'undelivered' | 'reversal',
  at: string,
) => undo(tx, kind, at, tx`project_id = ${parcel.projectId} and parcel_id = ${parcel.parcelId} and kind = 'delivered'`)

/** Takes back all that a payout posted. */
export const undoRemittance = (
  tx: Queryable,
  { projectId, connectionId, id }: { projectId: string; connectionId: string; id: string },
  at: string,
) =>
  undo(
    tx,
    'reversal',
    at,
    tx`project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id} and kind = 'remittance'`,
  )

interface StandingRow {
  readonly kind: 'delivered' | 'remittance'
  readonly at: string
  readonly carrier: string
  readonly sales: string
  readonly fees: string
  readonly statedFee: string | null
}

export interface Standing {
  readonly delivered?: Claim & { readonly at: string }
  readonly paid?: Advance
}

/** What holds of a parcel now: that it is delivered, that it is paid. */
export async function findStanding(sql: Queryable, projectId: string, parcelId: string): Promise<Standing> {
  const rows = await sql<StandingRow[]>`
    select e.kind, e.at, e.carrier, e.sales, e.fees, l.fee as stated_fee from cash_entries e
    left join cash_remittance_lines l on l.project_id = e.project_id and l.connection_id = e.connection_id and l.remittance_id = e.remittance_id
      and l.parcel_id = e.parcel_id and l.outcome <> 'paid_already'
    where e.project_id = ${projectId} and e.parcel_id = ${parcelId} and e.stands`
  const delivered = rows.find(({ kind }) => kind === 'delivered')
  const paid = rows.find(({ kind }) => kind === 'remittance')
  const money = ({ carrier, fees }: StandingRow) => ({ carrier: decimal(carrier), fees: decimal(fees) })
  return {
    ...(delivered && { delivered: { ...money(delivered), cod: -decimal(delivered.sales), at: delivered.at } }),
    ...(paid && { paid: { ...money(paid), statedFee: decimal(paid.statedFee ?? 0) } }),
  }
}

/** Delivered parcels whose entry made up a difference with the payout that had paid them before. */
export const listAdjusted = (tx: Queryable, projectId: string, parcelIds: readonly string[]) =>
  tx<{ parcelId: string; connectionId: string; at: string; sales: string; fees: string }[]>`
    select parcel_id, connection_id, at, sales, fees from cash_entries
    where project_id = ${projectId} and parcel_id = any (${parcelIds as string[]}) and kind = 'delivered' and stands and difference <> 0`
