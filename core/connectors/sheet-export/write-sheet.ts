import { type Cell, ROWS_MAX, type Rows } from '../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { findEnabledConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure, isThrottled } from '../../integrations/egress/adapter-failure.ts'
import { findParcelOfStore } from '../../logistics/parcels/parcels.queries.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { presentOrder } from '../../orders/present.ts'
import { callInHalves } from './call-in-halves.ts'
import { callSpreadsheet } from './call-spreadsheet.ts'
import { allCells, automaticCells, deletedCells, type ExportedOrder, rewrittenCells, writtenFieldsOf } from './columns/cells.ts'
import { acquireWriteLease, type FileLease, LeaseLost } from './file-lease.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'
import {
  delayRows,
  deleteUnwrittenRows,
  findTarget,
  listDueRows,
  markFieldsUnknown,
  markRowPresence,
  markRowsGone,
  markRowsWritten,
  pauseTarget,
  resumeTarget,
  type SheetRow,
  type SheetTargetRow,
} from './sheets.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'sheets.write': { readonly connectionId: string }
  }
}

/** Longest duration of a run, in milliseconds. The next run continues. */
const RUN_MS = 40_000
const PAUSE_SECONDS = 60
const PAUSE_MAX_SECONDS = 3_600
const HALVINGS_MAX = 5

/** Runs the job that writes the waiting rows of a sheet, under a lease and each row once. Pauses the sheet after a failure. */
export async function writeSheet(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await findEnabledConnection(context, 'spreadsheet', connectionId)
  const target = connection && (await findTarget(context.sql, { projectId: connection.row.projectId, connectionId }))
  if (!connection || !target || isPaused(target)) return
  const lease = await acquireWriteLease(context, connection.row.key, target)
  if (!lease) return
  const writer = { context, connection, target, lease, signal }
  try {
    for (const until = Date.now() + RUN_MS; Date.now() < until && !signal.aborted; ) if (!(await writeBatch(writer))) break
    await resumeTarget(context.sql, target)
  } catch (error) {
    if (!(error instanceof LeaseLost)) await pauseAfter(writer, error)
  } finally {
    await lease.release()
  }
}

const isPaused = ({ restsUntil }: SheetTargetRow) => restsUntil !== null && Date.parse(restsUntil) > Date.now()

interface Writer {
  readonly context: Context
  readonly connection: SpreadsheetConnection
  readonly target: SheetTargetRow
  readonly lease: FileLease
  readonly signal: AbortSignal
}

/** Row that waits, with the present order; undefined if that was deleted. */
interface WaitingRow {
  readonly row: SheetRow
  readonly subject: ExportedOrder | undefined
}

/** Writes one batch. Returns false if nothing was due. */
async function writeBatch(writer: Writer): Promise<boolean> {
  const { context, target } = writer
  const due = await listDueRows(context.sql, target, rowsAtOnce(writer))
  if (due.length === 0) return false
  // The requested change is read before the order: a change in between is written again.
  const rows = await resolvePresence(writer, due)
  const waiting = await Promise.all(rows.map(async (row) => ({ row, subject: await readSubject(context, target, row) })))
  for (const [stands, write] of [['no', appendRows] as const, ['yes', updateRows] as const])
    await writeOrDelay(
      writer,
      waiting.filter(({ row }) => row.stands === stands),
      write,
    )
  return true
}

/** Writes rows, and delays those that the sheet refuses, so that they do not block the others. */
async function writeOrDelay(writer: Writer, waiting: readonly WaitingRow[], write: typeof appendRows): Promise<void> {
  if (waiting.length === 0) return
  const { refused, untried: left, why } = await callInHalves(waiting, (part) => write(writer, part))
  if (why && refused.length > 0) {
    const ids = refused.map(({ row }) => row.orderId)
    await writer.lease.runFenced((tx) => delayRows(tx, writer.target, ids, why.message))
  }
  if (left.length > 0) throw why
}

/** Returns the batch size: what the adapter accepts, halved after each failure, since a smaller call may succeed. */
const rowsAtOnce = ({ connection, target }: Writer): number =>
  Math.ceil((connection.mounted.adapter.rowsAtOnce ?? ROWS_MAX) / 2 ** Math.min(target.failures, HALVINGS_MAX))

/** Looks up rows whose presence is unknown, after a lost answer or a crashed writer, and records the result. */
async function resolvePresence({ context, connection, target, lease, signal }: Writer, rows: readonly SheetRow[]): Promise<SheetRow[]> {
  const keys = rows.filter(({ stands }) => stands === 'maybe').map(({ orderId }) => orderId)
  if (keys.length === 0) return [...rows]
  const wanted = { key: target.keyHeader, keys }
  const answer = await callSpreadsheet(
    context,
    connection,
    'findRows',
    (adapter, own) => adapter.findRows(own, sheetOf(target), wanted),
    background(signal),
  )
  const found = new Set(answer.map(({ key }) => key))
  const [present, missing] = [keys.filter((key) => found.has(key)), keys.filter((key) => !found.has(key))]
  await lease.runFenced(async (tx) => {
    await markRowPresence(tx, target, present, 'yes')
    await markRowPresence(tx, target, missing, 'no')
  })
  return rows.map((row) => (row.stands === 'maybe' ? { ...row, stands: found.has(row.orderId) ? 'yes' : 'no' } : row))
}

/** Appends rows. Marks them as `maybe` before the call, so that another writer looks them up first after a crash. */
async function appendRows(writer: Writer, waiting: readonly WaitingRow[]): Promise<void> {
  const { context, connection, target, lease, signal } = writer
  const { columns } = target
  const known = waiting.flatMap(({ row, subject }) => (subject ? [pendingWriteOf(target, row, subject, allCells(columns, subject))] : []))
  const ids = known.map(({ row }) => row.orderId)
  await lease.runFenced(async (tx) => {
    const over = waiting.filter(({ subject }) => !subject).map(({ row }) => row.orderId)
    if (over.length > 0) await deleteUnwrittenRows(tx, target, over)
    if (ids.length === 0) return
    await markRowPresence(tx, target, ids, 'maybe')
    await markFieldsUnknown(tx, target, known)
  })
  if (ids.length === 0) return
  const rows = rowsOf(target, known)
  try {
    await callSpreadsheet(context, connection, 'append', (adapter, own) => adapter.append(own, sheetOf(target), rows), background(signal))
  } catch (error) {
    if (hasWrittenNothing(error)) await lease.runFenced((tx) => markRowPresence(tx, target, ids, 'no'))
    throw error
  }
  await lease.runFenced((tx) => markRowsWritten(tx, target, known.map(writtenRowOf)))
}

/** Updates rows: all cells after an edit or if the row's contents are unknown, else only the fields that changed by themselves. */
async function updateRows({ context, connection, target, lease, signal }: Writer, waiting: readonly WaitingRow[]): Promise<void> {
  const writes = waiting.map(({ row, subject }) => pendingWriteOf(target, row, subject, changedCells(target, row, subject)))
  // A timed-out call may still arrive. The lease keeps other writers away until then.
  await lease.runFenced((tx) => markFieldsUnknown(tx, target, writes))
  const rows = rowsOf(target, writes)
  const answer = await callSpreadsheet(
    context,
    connection,
    'updateRows',
    (adapter, own) => adapter.updateRows(own, sheetOf(target), rows),
    background(signal),
  )
  const there = new Set(answer)
  const gone = writes.filter(({ row }) => !there.has(row.orderId)).map(({ row }) => row)
  await lease.runFenced(async (tx) => {
    await markRowsWritten(tx, target, writes.filter(({ row }) => there.has(row.orderId)).map(writtenRowOf))
    if (gone.length > 0) await markRowsGone(tx, target, gone)
  })
}

const changedCells = ({ columns }: SheetTargetRow, { orderVersion, fields }: SheetRow, subject: ExportedOrder | undefined) => {
  if (!subject) return deletedCells(columns)
  return orderVersion === subject.version ? automaticCells(columns, subject, fields) : rewrittenCells(columns, subject, fields)
}

interface PendingWrite extends WaitingRow, Pick<SheetRow, 'orderId' | 'fields'> {
  readonly values: Cell[]
}

const pendingWriteOf = ({ columns }: SheetTargetRow, row: SheetRow, subject: ExportedOrder | undefined, values: Cell[]): PendingWrite => ({
  row,
  subject,
  values,
  orderId: row.orderId,
  fields: writtenFieldsOf(columns, values),
})

const writtenRowOf = ({ row, subject, fields }: PendingWrite): SheetRow => ({ ...row, orderVersion: subject?.version ?? null, fields })

const sheetOf = ({ spreadsheetId, tabId }: SheetTargetRow) => ({ spreadsheetId, tabId })
const background = (signal: AbortSignal) => ({ signal, inBackground: true })

const rowsOf = (
  { keyHeader, columns }: SheetTargetRow,
  rows: readonly { row: SheetRow; values: Rows['rows'][number]['values'] }[],
): Rows => ({
  key: keyHeader,
  columns: columns.map(({ header }) => header),
  rows: rows.map(({ row, values }) => ({ key: row.orderId, values })),
})

async function readSubject({ sql }: Context, { projectId }: SheetTargetRow, { orderId }: SheetRow): Promise<ExportedOrder | undefined> {
  const storeId = storeIdOf(projectId)
  const found = await findOrder(sql, { storeId, id: orderId })
  if (!found) return undefined
  const parcel = found.parcelId === null ? undefined : await findParcelOfStore(sql, storeId, found.parcelId)
  return { order: presentOrder(found), version: found.version, parcel }
}

/** Returns true if the failed call wrote nothing. By the contract this holds for every failure with an answer. */
const hasWrittenNothing = (error: unknown) =>
  error instanceof AdapterFailure && (!error.wasSent || (error.reason !== 'unavailable' && error.reason !== 'timeout'))

/** Pauses the sheet. Over the quota that is all; any other failure is recorded and doubles the pause. */
async function pauseAfter({ context, target }: Writer, error: unknown): Promise<void> {
  if (!(error instanceof AdapterFailure)) throw error
  const isBusy = error.reason === 'rate_limited' || isThrottled(error)
  const seconds = isBusy
    ? (error.upstream.retryAfterSeconds ?? PAUSE_SECONDS)
    : Math.min(PAUSE_MAX_SECONDS, PAUSE_SECONDS * 2 ** Math.min(target.failures, 10))
  await pauseTarget(context.sql, target, seconds, isBusy ? null : error.message)
}
