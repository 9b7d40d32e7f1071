import type { CashStatus } from '../../../plugins/carrier/model.ts'
import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import { type Decimal, decimalText } from '../../lib/money/decimal.ts'

/** What names a payout: a carrier's ids are its own, and mean nothing at another. */
export interface RemittanceKey {
  readonly projectId: string
  readonly connectionId: string
  readonly id: string
}

/** `numeric` columns come as text. */
export interface RemittanceRow extends RemittanceKey {
  readonly source: 'carrier' | 'file' | 'opening'
  readonly state: 'draft' | 'confirmed' | 'reversed'
  readonly fileName: string | null
  readonly carrierStatus: CashStatus | null
  readonly amount: string
  readonly parcels: number
  readonly paidAt: string
  readonly confirmedAt: string | null
  readonly reversedAt: string | null
}

/** What a payout states of itself. */
export interface Heading {
  readonly amount: Decimal
  readonly parcels: number
  /** ISO 8601; null where it is not told: then the first time that it was seen. */
  readonly paidAt: string | null
}

export type CarrierHeading = Heading & { readonly id: string; readonly carrierStatus: CashStatus }

export interface NewFile {
  readonly fileHash: string
  readonly fileName: string | null
}

/** A line as it is stated: at least one of tracking and reference, of amount and net. */
export interface NewLine {
  readonly tracking: string | null
  readonly reference: string | null
  readonly amount: Decimal | null
  readonly fee: Decimal | null
  readonly net: Decimal | null
}

const columns = (sql: Queryable) =>
  sql`project_id, connection_id, id, source, state, file_name, carrier_status, amount, parcels, paid_at, confirmed_at, reversed_at`

const named = (sql: Queryable, { projectId, connectionId, id }: RemittanceKey) =>
  sql`project_id = ${projectId} and connection_id = ${connectionId} and id = ${id}`

export const findRemittance = async (sql: Queryable, key: RemittanceKey) =>
  (await sql<RemittanceRow[]>`select ${columns(sql)} from cash_remittances where ${named(sql, key)}`)[0]

/** Holds the payout until the transaction ends: it is confirmed, reversed and read anew by one at a time. */
export const lockRemittance = async (tx: Tx, key: RemittanceKey) =>
  (await tx<RemittanceRow[]>`select ${columns(tx)} from cash_remittances where ${named(tx, key)} for update`)[0]

export const findRemittanceOfFile = async (sql: Queryable, projectId: string, connectionId: string, fileHash: string) =>
  (
    await sql<
      RemittanceRow[]
    >`select ${columns(sql)} from cash_remittances where project_id = ${projectId} and connection_id = ${connectionId} and file_hash = ${fileHash}`
  )[0]

/** Newest first, from after the payout `after`. */
export const listRemittances = (sql: Queryable, projectId: string, connectionId: string, after: string | null, take: number) =>
  sql<RemittanceRow[]>`
    select ${columns(sql)} from cash_remittances where project_id = ${projectId} and connection_id = ${connectionId}
    ${
      after === null
        ? sql``
        : sql`and (paid_at, id) < (select a.paid_at, a.id from cash_remittances a where a.project_id = ${projectId} and a.connection_id = ${connectionId} and a.id = ${after})`
    }
    order by paid_at desc, id desc limit ${take}`

/** A payout of a sheet that is not there yet; false where it was there already. */
export const insertFile = async (tx: Tx, key: RemittanceKey, { amount, parcels, paidAt }: Heading, file: NewFile): Promise<boolean> =>
  (
    await tx`
    insert into cash_remittances (project_id, connection_id, id, source, amount, parcels, paid_at, file_hash, file_name)
    values (${key.projectId}, ${key.connectionId}, ${key.id}, 'file', ${decimalText(amount)}, ${parcels}, coalesce(${paidAt}::timestamptz, now()), ${file.fileHash}, ${file.fileName})
    on conflict do nothing`
  ).count > 0

/** A sheet that is read anew. */
export const updateFile = (tx: Tx, key: RemittanceKey, { amount, parcels, paidAt }: Heading) => tx`
  update cash_remittances set amount = ${decimalText(amount)}, parcels = ${parcels}, paid_at = coalesce(${paidAt}::timestamptz, paid_at) where ${named(tx, key)}`

/** The carrier's word on its payouts, of which each is there once; of one that is confirmed only what the carrier calls it still changes. */
export const saveCarrierHeadings = (
  tx: Queryable,
  { projectId, connectionId }: Omit<RemittanceKey, 'id'>,
  headings: readonly CarrierHeading[],
) => {
  const rows = headings.map(({ id, carrierStatus, amount, parcels, paidAt }) => ({
    id,
    carrier_status: carrierStatus,
    amount: decimalText(amount),
    parcels,
    paid_at: paidAt,
  }))
  return tx`
    insert into cash_remittances as r (project_id, connection_id, id, source, carrier_status, amount, parcels, paid_at)
    select ${projectId}, ${connectionId}, h.id, 'carrier', h.carrier_status, coalesce(k.amount, h.amount), coalesce(k.parcels, h.parcels),
      coalesce(k.paid_at, h.paid_at, o.paid_at, now())
    from jsonb_to_recordset(${json(tx, rows)}) as h (id text, carrier_status text, amount numeric, parcels integer, paid_at timestamptz)
    left join cash_remittances o on o.project_id = ${projectId} and o.connection_id = ${connectionId} and o.id = h.id
    left join cash_remittances k on k.project_id = o.project_id and k.connection_id = o.connection_id and k.id = o.id and k.state = 'confirmed'
    order by h.id
    on conflict (project_id, connection_id, id) do update set
      carrier_status = excluded.carrier_status, amount = excluded.amount, parcels = excluded.parcels, paid_at = excluded.paid_at
    where r.source = 'carrier' and (r.carrier_status, r.amount, r.parcels, r.paid_at)
      is distinct from (excluded.carrier_status, excluded.amount, excluded.parcels, excluded.paid_at)`
}

const MANY = 500

export const replaceLines = async (tx: Tx, { projectId, connectionId, id }: RemittanceKey, lines: readonly NewLine[]) => {
  const text = (value: Decimal | null) => (value === null ? null : decimalText(value))
  const rows = lines.map(({ tracking, reference, amount, fee, net }, at) => ({
    line: at + 1,
    tracking,
    reference,
    amount: text(amount),
    fee: text(fee),
    net: text(net),
  }))
  await tx`delete from cash_remittance_lines where project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id}`
  await tx`
    insert into cash_remittance_lines (project_id, connection_id, remittance_id, line, tracking, reference, amount, fee, net)
    select ${projectId}, ${connectionId}, ${id}, line, tracking, reference, amount, fee, net
    from jsonb_to_recordset(${json(tx, rows)}) as l (line integer, tracking text, reference text, amount numeric, fee numeric, net numeric)`
  // Each line is looked up in these. What the database believes of a shop that was small an hour ago would have it read all, for each.
  if (rows.length >= MANY) await tx`analyze cash_remittance_lines, cash_entries, parcels`
}

export const markConfirmed = async (tx: Tx, key: RemittanceKey, at: string) =>
  expectOne(
    await tx<
      RemittanceRow[]
    >`update cash_remittances set state = 'confirmed', confirmed_at = ${at}::timestamptz, reversed_at = null where ${named(tx, key)} returning ${columns(tx)}`,
  )

export const markReversed = async (tx: Tx, key: RemittanceKey, at: string) =>
  expectOne(
    await tx<
      RemittanceRow[]
    >`update cash_remittances set state = 'reversed', reversed_at = ${at}::timestamptz where ${named(tx, key)} returning ${columns(tx)}`,
  )

export const findSheetColumns = async (sql: Queryable, connectionId: string) =>
  (await sql<{ columns: Record<string, string> }[]>`select columns from cash_sheet_columns where connection_id = ${connectionId}`)[0]
    ?.columns

export const keepSheetColumns = (sql: Queryable, connectionId: string, given: Readonly<Record<string, string>>) => sql`
  insert into cash_sheet_columns (connection_id, columns) values (${connectionId}, ${sql.json(given)})
  on conflict (connection_id) do update set columns = excluded.columns`
