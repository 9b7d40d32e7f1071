import { type Cell, ROWS_MAX, type Rows } from '../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../context.ts'
import { connectionIfOn } from '../../integrations/connections/connection.ts'
import { AdapterFailure, isHeldBack } from '../../integrations/egress/failure.ts'
import { findParcelOfStore } from '../../logistics/parcels/parcels.queries.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { present } from '../../orders/present.ts'
import { ask } from './ask.ts'
import { allCells, deletedCells, movedCells, renewedCells, type Subject, saidBy } from './columns/cells.ts'
import { inHalves } from './halves.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'
import {
  findTarget,
  forgetRows,
  listDueRows,
  markGone,
  markStanding,
  markTelling,
  markWritten,
  putOff,
  recover,
  rest,
  type SheetRow,
  type TargetRow,
} from './sheets.queries.ts'
import { type Turn, TurnLost, turnAt } from './slot.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'sheets.write': { readonly connectionId: string }
  }
}

/** What is left over is written by the next run. */
const RUN_MS = 40_000
const REST_SECONDS = 60
const REST_MAX_SECONDS = 3_600
const HALVED_MAX = 5

/** Writes what waits for a sheet: by one writer at a time, each row once. */
export async function writeSheet(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const [connection, target] = await Promise.all([
    connectionIfOn(context, 'spreadsheet', connectionId),
    findTarget(context.sql, connectionId),
  ])
  if (!connection || !target || isResting(target)) return
  const turn = await turnAt(context, connection.row.key, target)
  if (!turn) return
  const writer = { context, connection, target, turn, signal }
  try {
    for (const until = Date.now() + RUN_MS; Date.now() < until && !signal.aborted; ) if (!(await writeBatch(writer))) break
    await recover(context.sql, connectionId)
  } catch (error) {
    if (!(error instanceof TurnLost)) await restAfter(writer, error)
  } finally {
    await turn.end()
  }
}

const isResting = ({ restsUntil }: TargetRow) => restsUntil !== null && Date.parse(restsUntil) > Date.now()

interface Writer {
  readonly context: Context
  readonly connection: SpreadsheetConnection
  readonly target: TargetRow
  readonly turn: Turn
  readonly signal: AbortSignal
}

/** A row that waits, with the order as it is now; undefined where that was deleted. */
interface Waiting {
  readonly row: SheetRow
  readonly subject: Subject | undefined
}

/** Whether there was anything to write. */
async function writeBatch(writer: Writer): Promise<boolean> {
  const { context, target } = writer
  const due = await listDueRows(context.sql, target.connectionId, rowsAtOnce(writer))
  if (due.length === 0) return false
  // What is wanted was read before the order is: what changes in between is written once more.
  const rows = await lookUp(writer, due)
  const waiting = await Promise.all(rows.map(async (row) => ({ row, subject: await subjectOf(context, target, row) })))
  for (const [stands, write] of [['no', append] as const, ['yes', update] as const])
    await writeEach(
      writer,
      waiting.filter(({ row }) => row.stands === stands),
      write,
    )
  return true
}

/** A row that the sheet does not take is put off, and keeps no other from being written. */
async function writeEach(writer: Writer, waiting: readonly Waiting[], write: typeof append): Promise<void> {
  if (waiting.length === 0) return
  const { refused, left, why } = await inHalves(waiting, (part) => write(writer, part))
  if (why && refused.length > 0) {
    const ids = refused.map(({ row }) => row.orderId)
    await writer.turn.note((tx) => putOff(tx, writer.target, ids, why.message))
  }
  if (left.length > 0) throw why
}

/** As many as the adapter takes, and ever fewer where that came to nothing: what was too much for one call may pass in parts. */
const rowsAtOnce = ({ connection, target }: Writer): number =>
  Math.ceil((connection.mounted.adapter.rowsAtOnce ?? ROWS_MAX) / 2 ** Math.min(target.failures, HALVED_MAX))

/** Whether rows stand that were under way when the answer was lost, or the process that wrote them died. */
async function lookUp({ context, connection, target, turn, signal }: Writer, rows: readonly SheetRow[]): Promise<SheetRow[]> {
  const keys = rows.filter(({ stands }) => stands === 'maybe').map(({ orderId }) => orderId)
  if (keys.length === 0) return [...rows]
  const wanted = { key: target.keyHeader, keys }
  const answer = await ask(
    context,
    connection,
    'findRows',
    (adapter, own) => adapter.findRows(own, sheetOf(target), wanted),
    background(signal),
  )
  const found = new Set(answer.map(({ key }) => key))
  const [standing, missing] = [keys.filter((key) => found.has(key)), keys.filter((key) => !found.has(key))]
  await turn.note(async (tx) => {
    await markStanding(tx, target.connectionId, standing, 'yes')
    await markStanding(tx, target.connectionId, missing, 'no')
  })
  return rows.map((row) => (row.stands === 'maybe' ? { ...row, stands: found.has(row.orderId) ? 'yes' : 'no' } : row))
}

/** Noted before it is asked for, and after: whoever takes over in between looks it up first. */
async function append(writer: Writer, waiting: readonly Waiting[]): Promise<void> {
  const { context, connection, target, turn, signal } = writer
  const { connectionId, columns } = target
  const known = waiting.flatMap(({ row, subject }) => (subject ? [toldOf(target, row, subject, allCells(columns, subject))] : []))
  const ids = known.map(({ row }) => row.orderId)
  await turn.note(async (tx) => {
    const over = waiting.filter(({ subject }) => !subject).map(({ row }) => row.orderId)
    if (over.length > 0) await forgetRows(tx, connectionId, over)
    if (ids.length === 0) return
    await markStanding(tx, connectionId, ids, 'maybe')
    await markTelling(tx, connectionId, known)
  })
  if (ids.length === 0) return
  const rows = rowsOf(target, known)
  try {
    await ask(context, connection, 'append', (adapter, own) => adapter.append(own, sheetOf(target), rows), background(signal))
  } catch (error) {
    if (wasNotDone(error)) await turn.note((tx) => markStanding(tx, connectionId, ids, 'no'))
    throw error
  }
  await turn.note((tx) => markWritten(tx, connectionId, known.map(doneOf)))
}

/** What an order takes over by itself is written; all of it where somebody changed the order, or nobody knows what the row says. */
async function update({ context, connection, target, turn, signal }: Writer, waiting: readonly Waiting[]): Promise<void> {
  const { connectionId } = target
  const told = waiting.map(({ row, subject }) => toldOf(target, row, subject, changedCells(target, row, subject)))
  // A call may be given up and arrive all the same: nobody else writes until then.
  await turn.note((tx) => markTelling(tx, connectionId, told))
  const rows = rowsOf(target, told)
  const answer = await ask(
    context,
    connection,
    'updateRows',
    (adapter, own) => adapter.updateRows(own, sheetOf(target), rows),
    background(signal),
  )
  const there = new Set(answer)
  const gone = told.filter(({ row }) => !there.has(row.orderId)).map(({ row }) => row)
  await turn.note(async (tx) => {
    await markWritten(tx, connectionId, told.filter(({ row }) => there.has(row.orderId)).map(doneOf))
    if (gone.length > 0) await markGone(tx, connectionId, gone)
  })
}

const changedCells = ({ columns }: TargetRow, { orderVersion, said }: SheetRow, subject: Subject | undefined) => {
  if (!subject) return deletedCells(columns)
  return orderVersion === subject.version ? movedCells(columns, subject, said) : renewedCells(columns, subject, said)
}

interface Told extends Waiting, Pick<SheetRow, 'orderId' | 'said'> {
  readonly values: Cell[]
}

const toldOf = ({ columns }: TargetRow, row: SheetRow, subject: Subject | undefined, values: Cell[]): Told => ({
  row,
  subject,
  values,
  orderId: row.orderId,
  said: saidBy(columns, values),
})

const doneOf = ({ row, subject, said }: Told): SheetRow => ({ ...row, orderVersion: subject?.version ?? null, said })

const sheetOf = ({ spreadsheetId, tabId }: TargetRow) => ({ spreadsheetId, tabId })
const background = (signal: AbortSignal) => ({ signal, inBackground: true })

const rowsOf = ({ keyHeader, columns }: TargetRow, rows: readonly { row: SheetRow; values: Rows['rows'][number]['values'] }[]): Rows => ({
  key: keyHeader,
  columns: columns.map(({ header }) => header),
  rows: rows.map(({ row, values }) => ({ key: row.orderId, values })),
})

async function subjectOf({ sql }: Context, { storeId }: TargetRow, { orderId }: SheetRow): Promise<Subject | undefined> {
  const found = await findOrder(sql, { storeId, id: orderId })
  if (!found) return undefined
  const parcel = found.parcelId === null ? undefined : await findParcelOfStore(sql, storeId, found.parcelId)
  return { order: present(found), version: found.version, parcel }
}

/** By the contract, whatever fails otherwise than unanswered has written nothing. */
const wasNotDone = (error: unknown) =>
  error instanceof AdapterFailure && (!error.sent || (error.reason !== 'unavailable' && error.reason !== 'timeout'))

/** Over quota there is only waiting; everything else is told, and tried ever more rarely. */
async function restAfter({ context, target }: Writer, error: unknown): Promise<void> {
  if (!(error instanceof AdapterFailure)) throw error
  const isBusy = error.reason === 'rate_limited' || isHeldBack(error)
  const seconds = isBusy
    ? (error.upstream.retryAfterSeconds ?? REST_SECONDS)
    : Math.min(REST_MAX_SECONDS, REST_SECONDS * 2 ** Math.min(target.failures, 10))
  await rest(context.sql, target, seconds, isBusy ? null : error.message)
}
