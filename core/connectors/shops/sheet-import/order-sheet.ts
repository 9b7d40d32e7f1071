import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { ExternalOrder, Pulled } from '../../../../plugins/connector/index.ts'
import { placeOf } from '../../../../plugins/spreadsheet/headers.ts'
import type { SpreadsheetAdapter } from '../../../../plugins/spreadsheet/kind.ts'
import { CELL_MAX, type ReadRow, type Sheet } from '../../../../plugins/spreadsheet/model.ts'
import { beginning } from '../../../../plugins/toolkit/values.ts'
import type { Sql } from '../../../data/sql.ts'
import { stripTextMark } from '../../../http/table/formula-guard.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { withFileLease } from '../../sheet-export/file-lease.ts'
import { type RowCells, UnreadableRow } from './read-goods.ts'
import { readRowOrder } from './read-row.ts'
import { numericFields, type RowField } from './row-fields.ts'
import { listImportedRows, markOldRowsNamed, type RowSourceRow } from './row-sources.queries.ts'
import { describeRowProblem } from './sheet-texts.ts'

/** Rows in one reading. That many empty rows end the sheet. */
export const ROWS_PER_READ = 100
/** Prefix of the id of a row that becomes an order. The id is unique across all sheets. */
export const ROW_ID_PREFIX = 'row'
/** Prefix of the id of a row that existed before the tab was connected, which never becomes an order. */
const OLD_ROW_ID_PREFIX = 'old'

/** Tab whose rows are orders. */
export interface OrderSheet {
  readonly sql: Sql
  /** Slug of the adapter. */
  readonly key: string
  readonly adapter: SpreadsheetAdapter
  readonly source: RowSourceRow
  readonly sheet: Sheet
  /** Headers of the columns that only the server writes. */
  readonly headers: { readonly name: string; readonly state: string }
  /** Currency of the amounts. */
  readonly currency: string
}

/** Present positions of the columns, which users may move. */
interface ColumnPositions {
  readonly name: number
  readonly state: number
  readonly fields: readonly (readonly [RowField, number])[]
}

interface Line {
  readonly row: number
  readonly name: string
  readonly state: string
  readonly cells: RowCells
}

/** Reads a page of rows as orders. Returns none for rows that are unchanged since their orders were stored. Writes ids into new rows. */
export async function readOrderPage(book: OrderSheet, own: AdapterContext, cursor: string | null): Promise<Pulled> {
  const { adapter, sheet, source } = book
  const at = positionIn(cursor, source.generation)
  // A request for the next page means that the orders of this one are stored.
  if (at.taken) await own.storage.set(storageKeyOf(at.from - ROWS_PER_READ), at.taken)
  const head = await locateColumns(book, own)
  const lines = linesIn(head, await adapter.read(own, sheet, { from: at.from, count: ROWS_PER_READ }))
  if (lines.length === 0) {
    if (source.oldRows > 0) await markOldRowsNamed(book.sql, source)
    return { orders: [], cursor: null }
  }
  const next = (taken: string | null) => JSON.stringify({ of: source.generation, from: at.from + ROWS_PER_READ, ...(taken && { taken }) })
  const before = digestOf(source, lines)
  if ((await own.storage.get(storageKeyOf(at.from))) === before) return { orders: [], cursor: next(null) }
  const named = await ensureRowIds(book, own, head, at.from, lines)
  const isWhole = named.every(({ name, cells }) => name !== '' || isEmpty(cells))
  const orders = await ordersIn(book, own, named)
  return { orders, cursor: next(isWhole ? digestOf(source, named) : null) }
}

const storageKeyOf = (from: number) => `rows/${from}`

interface Position {
  readonly from: number
  /** Digest of the previous page. */
  readonly taken?: string
}

/** Parses a cursor. One of another tab's reading starts from the first row. */
function positionIn(cursor: string | null, generation: string): Position {
  const { of, from, taken } = (cursor === null ? {} : JSON.parse(cursor)) as Partial<Position> & { readonly of?: string }
  return of === generation && from !== undefined ? { from, ...(taken && { taken }) } : { from: 2 }
}

async function locateColumns({ adapter, sheet, source, headers }: OrderSheet, own: AdapterContext): Promise<ColumnPositions> {
  const present = await adapter.headers(own, sheet)
  const [name, state] = [placeOf(present, headers.name), placeOf(present, headers.state)]
  // A new column instead would import all rows again.
  if (name < 0)
    throw new AdapterFailure('refused', `The tab has no column "${headers.name}" any more, by which rows are known. Put its header back.`, {
      wasSent: false,
    })
  return {
    name,
    state,
    fields: source.columns.map(({ header, field }) => [field, placeOf(present, header)] as const).filter(([, place]) => place >= 0),
  }
}

const linesIn = ({ name, state, fields }: ColumnPositions, rows: readonly ReadRow[]): Line[] =>
  rows.map(({ row, values }) => ({
    row,
    name: (values[name] ?? '').trim(),
    state: state < 0 ? '' : (values[state] ?? ''),
    cells: Object.fromEntries(
      fields.flatMap(([field, place]) => {
        const cell = (values[place] ?? '').trim()
        return cell === '' ? [] : [[field, numericFields.includes(field) ? stripTextMark(cell) : cell]]
      }),
    ),
  }))

const isEmpty = (cells: RowCells) => Object.keys(cells).length === 0

/** Returns a digest of everything that orders are read from, and of nothing that the server writes. */
const digestOf = ({ generation }: RowSourceRow, lines: readonly Line[]) =>
  sha256(JSON.stringify([generation, lines.map(({ name, cells }) => [name, cells])]))

/** Returns the rows with an id each. Writes missing ids and reads the rows again, since users may move rows at the same time. */
async function ensureRowIds(
  book: OrderSheet,
  own: AdapterContext,
  head: ColumnPositions,
  from: number,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const { adapter, sheet, source, headers } = book
  const unnamed = lines.filter(({ name, cells }) => name === '' && !isEmpty(cells))
  if (unnamed.length === 0) return lines
  const key = headers.name
  const rows = unnamed.map(({ row }) => ({ row, key: newId(row <= source.oldRows ? OLD_ROW_ID_PREFIX : ROW_ID_PREFIX) }))
  return withFileLease(book, book.key, sheet.spreadsheetId, async (): Promise<readonly Line[]> => {
    await adapter.nameRows?.(own, sheet, { key, rows })
    const read = async () => linesIn(head, await adapter.read(own, sheet, { from, count: ROWS_PER_READ }))
    const now = await read()
    const lost = lostIdsOf(lines, now, new Set(rows.map((one) => one.key)))
    if (lost.length === 0) return now
    await adapter.updateRows(own, sheet, { key, columns: [key], rows: lost })
    return read()
  })
}

/** Finds rows that were moved during the writing and lost their id to a new one, and returns their own ids. */
function lostIdsOf(before: readonly Line[], now: readonly Line[], fresh: ReadonlySet<string>): { key: string; values: [string] }[] {
  const present = new Set(now.map(({ name }) => name))
  const gone = before.filter(({ name }) => name !== '' && !present.has(name))
  const back = new Set<string>()
  return gone.flatMap(({ name, cells }) => {
    const there = now.find((line) => fresh.has(line.name) && !back.has(line.name) && Bun.deepEquals(line.cells, cells))
    if (!there) return []
    back.add(there.name)
    return [{ key: there.name, values: [name] as [string] }]
  })
}

/** Returns the rows that can be read as orders. Writes the problem into those that cannot. */
async function ordersIn(book: OrderSheet, own: AdapterContext, lines: readonly Line[]): Promise<ExternalOrder[]> {
  const { currency, source } = book
  const where = { currency, now: new Date().toISOString() }
  const ownRows = await ownRowsAmong(
    book,
    lines.filter(({ name, cells }) => name.startsWith(`${ROW_ID_PREFIX}_`) && !isEmpty(cells)),
  )
  const copies = await copiesAmong(book, own, ownRows)
  const words = new Map<string, string>()
  const orders = ownRows.flatMap((line): ExternalOrder[] => {
    // Copies get no message: messages go to the first row with an id.
    if (copies.has(line.row)) return []
    const read = readRowOrder(line, where)
    if (!(read instanceof UnreadableRow)) return [read]
    const problem = describeRowProblem(read.problem, read.cell, source.language)
    if (line.state !== problem) words.set(line.name, problem)
    return []
  })
  if (words.size > 0) await writeRowStates(book, own, words)
  return orders
}

/** Removes rows with ids from before this tab was set up, unless this store imported them. */
async function ownRowsAmong({ sql, source }: OrderSheet, lines: readonly Line[]): Promise<readonly Line[]> {
  const { projectId, connectionId: id, namesFrom } = source
  const isOlder = ({ name }: Line) => namesFrom !== null && name < namesFrom
  const older = lines.filter(isOlder).map(({ name }) => name)
  if (older.length === 0) return lines
  const imported = new Set(await listImportedRows(sql, { projectId, id }, older))
  return lines.filter((line) => !isOlder(line) || imported.has(line.name))
}

/** Returns copied rows: they have the id of another row, which stands before them, possibly on another page. */
async function copiesAmong(
  { adapter, sheet, headers }: OrderSheet,
  own: AdapterContext,
  lines: readonly Line[],
): Promise<ReadonlySet<number>> {
  if (lines.length === 0) return new Set()
  const keys = [...new Set(lines.map(({ name }) => name))]
  const found = await adapter.findRows(own, sheet, { key: headers.name, keys })
  const first = new Map(found.map(({ key, row }) => [key, row]))
  return new Set(lines.filter(({ name, row }) => (first.get(name) ?? row) < row).map(({ row }) => row))
}

/** Writes the states of orders into their rows. Does not recreate deleted rows. */
export async function writeRowStates(book: OrderSheet, own: AdapterContext, words: ReadonlyMap<string, string>): Promise<void> {
  const { adapter, sheet, headers } = book
  const rows = [...words].map(([key, said]) => ({ key, values: [beginning(said, CELL_MAX)] }))
  await withFileLease(book, book.key, sheet.spreadsheetId, async () =>
    adapter.updateRows(own, sheet, { key: headers.name, columns: [headers.state], rows }),
  )
}
