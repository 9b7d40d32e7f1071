import type { CashStatus, ParcelStatus } from '../../plugins/carrier/model.ts'
import type { LineOutcome } from '../../plugins/carrier/segments.model.ts'
import type { Queryable } from '../data/sql.ts'
import { type Decimal, decimal, decimalText } from '../lib/decimal.ts'
import type { Claim } from './posting.ts'
import type { RemittanceKey } from './remittances.queries.ts'

/** A payout's line, and what it is about as things are now. */
export interface MatchedLine {
  readonly line: number
  readonly tracking: string | null
  readonly reference: string | null
  readonly amount: Decimal | null
  readonly fee: Decimal | null
  readonly net: Decimal | null
  readonly parcel: {
    readonly id: string
    readonly trackingId: string | null
    readonly status: ParcelStatus
    readonly cashStatus: CashStatus
  } | null
  /** What the carrier owes for it. */
  readonly claim: Claim | null
  /** By another payout, or by a line before this one. */
  readonly isPaid: boolean
  /** What was noted when the payout was confirmed. */
  readonly noted: { readonly outcome: LineOutcome; readonly expected: Decimal } | null
}

interface LineRow {
  readonly line: number
  readonly tracking: string | null
  readonly folded: string | null
  readonly reference: string | null
  readonly amount: string | null
  readonly fee: string | null
  readonly net: string | null
  readonly outcome: LineOutcome | null
  readonly parcelId: string | null
  readonly expected: string | null
}

type Parcel = NonNullable<MatchedLine['parcel']> & { readonly folded: string | null; readonly reference: string }

interface EntryRow {
  readonly parcelId: string
  readonly kind: 'delivered' | 'remittance'
  readonly carrier: string
  readonly sales: string
  readonly fees: string
}

/**
 * The lines of a payout, each with its parcel and what is owed for that. A table at a time: joined, they would be planned by how few
 * lines and parcels there were when the database last counted.
 */
export async function matchLines(sql: Queryable, { projectId, connectionId, id }: RemittanceKey): Promise<MatchedLine[]> {
  const lines = await sql<LineRow[]>`
    select line, tracking, folded, reference, amount, fee, net, outcome, parcel_id, expected from cash_remittance_lines
    where project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id} order by line`
  const parcelOf = parcelFinder(await findNamed(sql, projectId, connectionId, lines))
  const parcels = lines.map(parcelOf)
  const standing = Map.groupBy(
    await findStandingOf(
      sql,
      projectId,
      parcels.flatMap((parcel) => parcel?.id ?? []),
    ),
    ({ parcelId }) => parcelId,
  )
  const seen = new Set<string>()
  return lines.map((row, at) => {
    const parcel = parcels[at] ?? null
    const entries = (parcel && standing.get(parcel.id)) ?? []
    const isPaid = parcel !== null && (seen.has(parcel.id) || entries.some(({ kind }) => kind === 'remittance'))
    if (parcel) seen.add(parcel.id)
    return toLine(row, parcel, entries.find(({ kind }) => kind === 'delivered') ?? null, isPaid)
  })
}

/** All parcels of the connection that a line may mean. */
function findNamed(sql: Queryable, projectId: string, connectionId: string, lines: readonly LineRow[]) {
  const values = (of: (line: LineRow) => string | null) => [...new Set(lines.flatMap((line) => of(line) ?? []))]
  const names = [...new Set([...values(({ reference }) => reference), ...values(({ tracking }) => tracking)])]
  const columns = sql`id, tracking_id, cash_fold(tracking_id) as folded, reference, status, cash_status`
  return sql<Parcel[]>`
    select ${columns} from parcels where carrier_account_id = ${connectionId} and cash_fold(tracking_id) = any (${values(({ folded }) => folded)})
    union select ${columns} from parcels where project_id = ${projectId} and reference = any (${names}) and carrier_account_id = ${connectionId}
    union select ${columns} from parcels where project_id = ${projectId} and id = any (${values(({ parcelId }) => parcelId)})
    order by id`
}

/**
 * A line's parcel: as it was noted; else by tracking number, the same letter by letter before one that only differs in case and
 * spaces; else by our reference, which some carriers' sheets have in the place of the number.
 */
function parcelFinder(parcels: readonly Parcel[]) {
  const ids = new Map(parcels.map((parcel) => [parcel.id, parcel]))
  const trackings = new Map(parcels.map((parcel) => [parcel.trackingId, parcel]))
  const folds = new Map(parcels.toReversed().map((parcel) => [parcel.folded, parcel]))
  const references = new Map(parcels.map((parcel) => [parcel.reference, parcel]))
  const look = <K>(map: ReadonlyMap<K, Parcel>, name: K | null) => (name === null ? undefined : map.get(name))
  return ({ parcelId, tracking, folded, reference }: LineRow): Parcel | undefined =>
    look(ids, parcelId) ?? look(trackings, tracking) ?? look(folds, folded) ?? look(references, reference) ?? look(references, tracking)
}

const findStandingOf = (sql: Queryable, projectId: string, parcelIds: readonly string[]) =>
  sql<EntryRow[]>`
    select parcel_id, kind, carrier, sales, fees from cash_entries
    where project_id = ${projectId} and parcel_id = any (${parcelIds as string[]}) and stands`

const number = (value: string | null) => (value === null ? null : decimal(value))

const toLine = (row: LineRow, parcel: Parcel | null, owed: EntryRow | null, isPaid: boolean): MatchedLine => ({
  line: row.line,
  tracking: row.tracking,
  reference: row.reference,
  amount: number(row.amount),
  fee: number(row.fee),
  net: number(row.net),
  parcel,
  claim: owed && { carrier: decimal(owed.carrier), cod: -decimal(owed.sales), fees: decimal(owed.fees) },
  isPaid,
  noted: row.outcome === null ? null : { outcome: row.outcome, expected: decimal(row.expected ?? 0) },
})

/** Holds the parcels in the order that all keep. */
export const holdParcels = async (tx: Queryable, projectId: string, ids: readonly string[]) => {
  await tx`select 1 from parcels where project_id = ${projectId} and id = any (${ids as string[]}) order by id for update`
}

export interface Noted {
  readonly line: number
  readonly outcome: LineOutcome
  readonly parcelId: string | null
  readonly expected: Decimal
  readonly amount: Decimal
  readonly fee: Decimal
  readonly net: Decimal
}

/** Notes what each line came to when its payout was confirmed. */
export const noteLines = (tx: Queryable, { projectId, connectionId, id }: RemittanceKey, lines: readonly Noted[]) => {
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
    update cash_remittance_lines l set outcome = n.outcome, parcel_id = n.parcel_id, expected = n.expected, amount = n.amount, fee = n.fee, net = n.net
    from jsonb_to_recordset(${tx.json(rows as never)}) as n (line integer, outcome text, parcel_id text, expected numeric, amount numeric, fee numeric, net numeric)
    where l.project_id = ${projectId} and l.connection_id = ${connectionId} and l.remittance_id = ${id} and l.line = n.line`
}

/** A payout that was reversed settles nothing. */
export const forgetNotes = (tx: Queryable, { projectId, connectionId, id }: RemittanceKey) => tx`
  update cash_remittance_lines set outcome = null, parcel_id = null, expected = null
  where project_id = ${projectId} and connection_id = ${connectionId} and remittance_id = ${id}`
