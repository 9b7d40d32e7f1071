import type { CashStatus } from '../../../plugins/carrier/model.ts'
import { equalsCondition } from '../../data/keyset-page.ts'
import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import { type Decimal, decimalText } from '../../lib/money/decimal.ts'

/** Key of a remittance. The id is the carrier's own and is unique only within its connection. */
export interface RemittanceKey {
  readonly projectId: string
  readonly connectionId: string
  readonly id: string
}

/** Row of `remittances`. `numeric` columns come as text. */
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

/** Totals that a remittance states about itself. */
export interface RemittanceHeading {
  readonly amount: Decimal
  readonly parcels: number
  /** ISO 8601; null if not stated. The time of the first insert applies then. */
  readonly paidAt: string | null
}

/** Heading of a remittance as the carrier reports it, with its id and status. */
export type CarrierHeading = RemittanceHeading & { readonly id: string; readonly carrierStatus: CashStatus }

/** Uploaded file of a remittance: SHA-256 hash and name. */
export interface RemittanceFile {
  readonly fileHash: string
  readonly fileName: string | null
}

/** Line of a remittance as stated. Has a tracking number or a reference, and an amount or a net. */
export interface NewRemittanceLine {
  readonly tracking: string | null
  readonly reference: string | null
  readonly amount: Decimal | null
  readonly fee: Decimal | null
  readonly net: Decimal | null
}

const columns = (sql: Queryable) =>
  sql`project_id, connection_id, id, source, state, file_name, carrier_status, amount, parcels, paid_at, confirmed_at, reversed_at`

const whereKey = (sql: Queryable, { projectId, connectionId, id }: RemittanceKey) =>
  sql`project_id = ${projectId} and connection_id = ${connectionId} and id = ${id}`

/** Finds a remittance by its key. */
export const findRemittance = async (sql: Queryable, key: RemittanceKey) =>
  (await sql<RemittanceRow[]>`select ${columns(sql)} from remittances where ${whereKey(sql, key)}`)[0]

/** Locks a remittance until the transaction ends, so that confirming, reversing and replacing its lines run one at a time. */
export const lockRemittance = async (tx: Tx, key: RemittanceKey) =>
  (await tx<RemittanceRow[]>`select ${columns(tx)} from remittances where ${whereKey(tx, key)} for update`)[0]

/** Finds the remittance that was imported from a file, by the SHA-256 hash of the file. */
export const findRemittanceByFile = async (sql: Queryable, projectId: string, connectionId: string, fileHash: string) =>
  (
    await sql<
      RemittanceRow[]
    >`select ${columns(sql)} from remittances where project_id = ${projectId} and connection_id = ${connectionId} and file_hash = ${fileHash}`
  )[0]

/** Lists remittances of a connection, newest first, starting after the remittance `after`. */
export const listRemittances = (sql: Queryable, projectId: string, connectionId: string, after: string | null, take: number) =>
  sql<RemittanceRow[]>`
    select ${columns(sql)} from remittances where project_id = ${projectId} and connection_id = ${connectionId}
    ${
      after === null
        ? sql``
        : sql`and (paid_at, id) < (select a.paid_at, a.id from remittances a where a.project_id = ${projectId} and a.connection_id = ${connectionId} and a.id = ${after})`
    }
    order by paid_at desc, id desc limit ${take}`

/** Inserts a remittance imported from a file. Returns false if the same file was imported before. */
export const insertFileRemittance = async (
  tx: Tx,
  key: RemittanceKey,
  { amount, parcels, paidAt }: RemittanceHeading,
  file: RemittanceFile,
): Promise<boolean> =>
  (
    await tx`
    insert into remittances (project_id, connection_id, id, source, amount, parcels, paid_at, file_hash, file_name)
    values (${key.projectId}, ${key.connectionId}, ${key.id}, 'file', ${decimalText(amount)}, ${parcels}, coalesce(${paidAt}::timestamptz, now()), ${file.fileHash}, ${file.fileName})
    on conflict do nothing`
  ).count > 0

/** Updates the totals of a remittance whose sheet was parsed again. */
export const updateFileRemittance = (tx: Tx, key: RemittanceKey, { amount, parcels, paidAt }: RemittanceHeading) => tx`
  update remittances set amount = ${decimalText(amount)}, parcels = ${parcels}, paid_at = coalesce(${paidAt}::timestamptz, paid_at) where ${whereKey(tx, key)}`

/** Inserts or updates remittances from the carrier's list. A confirmed remittance changes only its carrier status. */
export const upsertCarrierHeadings = (
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
    insert into remittances as r (project_id, connection_id, id, source, carrier_status, amount, parcels, paid_at)
    select ${projectId}, ${connectionId}, h.id, 'carrier', h.carrier_status, coalesce(k.amount, h.amount), coalesce(k.parcels, h.parcels),
      coalesce(k.paid_at, h.paid_at, o.paid_at, now())
    from jsonb_to_recordset(${json(tx, rows)}) as h (id text, carrier_status text, amount numeric, parcels integer, paid_at timestamptz)
    left join remittances o on o.project_id = ${projectId} and o.connection_id = ${connectionId} and o.id = h.id
    left join remittances k on k.project_id = o.project_id and k.connection_id = o.connection_id and k.id = o.id and k.state = 'confirmed'
    order by h.id
    on conflict (project_id, connection_id, id) do update set
      carrier_status = excluded.carrier_status, amount = excluded.amount, parcels = excluded.parcels, paid_at = excluded.paid_at
    where r.source = 'carrier' and (r.carrier_status, r.amount, r.parcels, r.paid_at)
      is distinct from (excluded.carrier_status, excluded.amount, excluded.parcels, excluded.paid_at)`
}

const ANALYZE_FROM = 500

/** Replaces all lines of a remittance, numbered from 1. */
export const replaceRemittanceLines = async (
  tx: Tx,
  { projectId, connectionId, id }: RemittanceKey,
  lines: readonly NewRemittanceLine[],
  { isTrial = false }: { readonly isTrial?: boolean } = {},
) => {
  const text = (value: Decimal | null) => (value === null ? null : decimalText(value))
  const rows = lines.map(({ tracking, reference, amount, fee, net }, at) => ({
    line: at + 1,
    tracking,
    reference,
    amount: text(amount),
    fee: text(fee),
    net: text(net),
  }))
  await tx`delete from remittance_lines where project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id}`
  await tx`
    insert into remittance_lines (project_id, connection_id, remittance_id, line, tracking, reference, amount, fee, net)
    select ${projectId}, ${connectionId}, ${id}, line, tracking, reference, amount, fee, net
    from jsonb_to_recordset(${json(tx, rows)}) as l (line integer, tracking text, reference text, amount numeric, fee numeric, net numeric)`
  // Refreshes statistics for large remittances, because outdated ones lead to a full scan per line. It locks the tables against others that
  // do the same, so that what is rolled back does without.
  if (rows.length >= ANALYZE_FROM && !isTrial) await tx`analyze remittance_lines, ledger_entries, parcels`
}

/** Marks a remittance as confirmed at `at` and returns it. */
export const markConfirmed = async (tx: Tx, key: RemittanceKey, at: string) =>
  expectOne(
    await tx<
      RemittanceRow[]
    >`update remittances set state = 'confirmed', confirmed_at = ${at}::timestamptz, reversed_at = null where ${whereKey(tx, key)} returning ${columns(tx)}`,
  )

/** Marks a remittance as reversed at `at` and returns it. */
export const markReversed = async (tx: Tx, key: RemittanceKey, at: string) =>
  expectOne(
    await tx<
      RemittanceRow[]
    >`update remittances set state = 'reversed', reversed_at = ${at}::timestamptz where ${whereKey(tx, key)} returning ${columns(tx)}`,
  )

type SheetColumnsKey = Pick<RemittanceKey, 'projectId' | 'connectionId'>

/** Finds the saved columns of a connection's sheets. Returns undefined if none are saved. */
export const findSheetColumns = async (sql: Queryable, { projectId, connectionId }: SheetColumnsKey) =>
  (
    await sql<{ columns: Record<string, string> }[]>`select columns from remittance_sheet_columns
      where project_id = ${projectId} and connection_id = ${connectionId}`
  )[0]?.columns

/** Saves the columns of a connection's sheets for the next import. */
export const upsertSheetColumns = (
  sql: Queryable,
  { projectId, connectionId }: SheetColumnsKey,
  given: Readonly<Record<string, string>>,
) => sql`
  insert into remittance_sheet_columns (project_id, connection_id, columns) values (${projectId}, ${connectionId}, ${sql.json(given)})
  on conflict (project_id, connection_id) do update set columns = excluded.columns`

/** Counts the draft remittances of each connection of a project, and finds when the last one was confirmed. */
export const sumRemittancesByConnection = (sql: Queryable, projectId: string) =>
  sql<{ connectionId: string; waiting: number; lastAt: string | null }[]>`
    select connection_id, count(*) filter (where state = 'draft')::int as waiting, max(confirmed_at) filter (where state = 'confirmed') as last_at
    from remittances where project_id = ${projectId} group by 1`

/** Lists remittances of all connections of a project, newest first, starting after the remittance `after`. */
export const listRemittancesOfProject = (
  sql: Queryable,
  projectId: string,
  { state, connectionId }: { readonly state?: RemittanceRow['state']; readonly connectionId?: string },
  after: Pick<RemittanceKey, 'connectionId' | 'id'> | null,
  take: number,
) =>
  sql<(RemittanceRow & { readonly carrier: string })[]>`
    select r.*, (select key from integrations i where i.project_id = r.project_id and i.id = r.connection_id) as carrier
    from (select ${columns(sql)} from remittances where project_id = ${projectId} ${equalsCondition(sql, { state, connection_id: connectionId })}
      ${
        after === null
          ? sql``
          : sql`and (paid_at, connection_id, id) < (select a.paid_at, a.connection_id, a.id from remittances a
              where a.project_id = ${projectId} and a.connection_id = ${after.connectionId} and a.id = ${after.id})`
      }
      order by paid_at desc, connection_id desc, id desc limit ${take}) r
    order by r.paid_at desc, r.connection_id desc, r.id desc`
