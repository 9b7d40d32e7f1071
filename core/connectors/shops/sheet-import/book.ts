import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { ExternalOrder, Pulled } from '../../../../plugins/connector/index.ts'
import { placeOf } from '../../../../plugins/spreadsheet/headers.ts'
import type { SpreadsheetAdapter } from '../../../../plugins/spreadsheet/kind.ts'
import { CELL_MAX, type ReadRow, type Sheet } from '../../../../plugins/spreadsheet/model.ts'
import { beginning } from '../../../../plugins/toolkit/values.ts'
import type { Sql } from '../../../data/sql.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { inTurn } from '../../sheet-export/slot.ts'
import type { RowField } from './fields.ts'
import { problemWords } from './header-words.ts'
import { type Cells, UnreadableRow } from './read-goods.ts'
import { readRow } from './read-row.ts'
import { listTaken, markOldNamed, type SourceRow } from './sources.queries.ts'

/** Rows in one reading. So many empty ones end the sheet. */
export const AT_ONCE = 100
/** A row that becomes an order is called so; its name is nobody else's, in whatever sheet. */
export const NAMED = 'row'
/** What stood there before it was connected is no order, whenever it is read. */
const OLD = 'old'

/** A tab whose rows are orders. */
export interface Book {
  readonly sql: Sql
  /** Of the adapter. */
  readonly key: string
  readonly adapter: SpreadsheetAdapter
  readonly source: SourceRow
  readonly sheet: Sheet
  /** The columns that only the server writes in, as they are called there. */
  readonly headers: { readonly name: string; readonly state: string }
  /** What amounts in it are in. */
  readonly currency: string
}

/** Where the columns stand now; people move them. */
interface Head {
  readonly name: number
  readonly state: number
  readonly fields: readonly (readonly [RowField, number])[]
}

interface Line {
  readonly row: number
  readonly name: string
  readonly state: string
  readonly cells: Cells
}

/** A page of the rows as orders. One that is as it was when its orders were taken gives none. */
export async function readPage(book: Book, own: AdapterContext, cursor: string | null): Promise<Pulled> {
  const { adapter, sheet, source } = book
  const at = positionIn(cursor, source.generation)
  // Whoever asks for the next page has taken the orders of this one.
  if (at.taken) await own.memory.set(noteOf(at.from - AT_ONCE), at.taken)
  const head = await headOf(book, own)
  const lines = linesIn(head, await adapter.read(own, sheet, { from: at.from, count: AT_ONCE }))
  if (lines.length === 0) {
    if (source.oldRows > 0) await markOldNamed(book.sql, source)
    return { orders: [], cursor: null }
  }
  const next = (taken: string | null) => JSON.stringify({ of: source.generation, from: at.from + AT_ONCE, ...(taken && { taken }) })
  const before = digestOf(source, lines)
  if ((await own.memory.get(noteOf(at.from))) === before) return { orders: [], cursor: next(null) }
  const named = await withNames(book, own, head, at.from, lines)
  const isWhole = named.every(({ name, cells }) => name !== '' || isEmpty(cells))
  const orders = await ordersIn(book, own, named)
  return { orders, cursor: next(isWhole ? digestOf(source, named) : null) }
}

const noteOf = (from: number) => `rows/${from}`

interface Position {
  readonly from: number
  /** What the page before came to. */
  readonly taken?: string
}

/** A reading of another tab that is under way ends here. */
function positionIn(cursor: string | null, generation: string): Position {
  const { of, from, taken } = (cursor === null ? {} : JSON.parse(cursor)) as Partial<Position> & { readonly of?: string }
  return of === generation && from !== undefined ? { from, ...(taken && { taken }) } : { from: 2 }
}

async function headOf({ adapter, sheet, source, headers }: Book, own: AdapterContext): Promise<Head> {
  const standing = await adapter.headers(own, sheet)
  const [name, state] = [placeOf(standing, headers.name), placeOf(standing, headers.state)]
  // A new column in its place would have all rows come again.
  if (name < 0)
    throw new AdapterFailure(
      'refused',
      false,
      `The tab has no column "${headers.name}" any more, by which rows are known. Put its header back.`,
    )
  return {
    name,
    state,
    fields: source.columns.map(({ header, field }) => [field, placeOf(standing, header)] as const).filter(([, place]) => place >= 0),
  }
}

const linesIn = ({ name, state, fields }: Head, rows: readonly ReadRow[]): Line[] =>
  rows.map(({ row, values }) => ({
    row,
    name: (values[name] ?? '').trim(),
    state: state < 0 ? '' : (values[state] ?? ''),
    cells: Object.fromEntries(
      fields.flatMap(([field, place]) => ((values[place] ?? '').trim() === '' ? [] : [[field, (values[place] ?? '').trim()]])),
    ),
  }))

const isEmpty = (cells: Cells) => Object.keys(cells).length === 0

/** All that orders are read from, and nothing that we wrote ourselves. */
const digestOf = ({ generation }: SourceRow, lines: readonly Line[]) =>
  sha256(JSON.stringify([generation, lines.map(({ name, cells }) => [name, cells])]))

/**
 * The rows, each with a name. What was written without one gets one, and is read again: somebody may have moved rows just then, and a name
 * counts where it stands now.
 */
async function withNames(book: Book, own: AdapterContext, head: Head, from: number, lines: readonly Line[]): Promise<readonly Line[]> {
  const { adapter, sheet, source, headers } = book
  const without = lines.filter(({ name, cells }) => name === '' && !isEmpty(cells))
  if (without.length === 0) return lines
  const key = headers.name
  const rows = without.map(({ row }) => ({ row, key: newId(row <= source.oldRows ? OLD : NAMED) }))
  return inTurn(book, book.key, sheet.spreadsheetId, async (): Promise<readonly Line[]> => {
    await adapter.nameRows?.(own, sheet, { key, rows })
    const read = async () => linesIn(head, await adapter.read(own, sheet, { from, count: AT_ONCE }))
    const now = await read()
    const lost = overwritten(lines, now, new Set(rows.map((one) => one.key)))
    if (lost.length === 0) return now
    await adapter.updateRows(own, sheet, { key, columns: [key], rows: lost })
    return read()
  })
}

/** Rows that were moved in the moment of naming, and have a new name now in place of their own: they get that back. */
function overwritten(before: readonly Line[], now: readonly Line[], fresh: ReadonlySet<string>): { key: string; values: [string] }[] {
  const standing = new Set(now.map(({ name }) => name))
  const gone = before.filter(({ name }) => name !== '' && !standing.has(name))
  const back = new Set<string>()
  return gone.flatMap(({ name, cells }) => {
    const there = now.find((line) => fresh.has(line.name) && !back.has(line.name) && Bun.deepEquals(line.cells, cells))
    if (!there) return []
    back.add(there.name)
    return [{ key: there.name, values: [name] as [string] }]
  })
}

/** What can be read as orders; of what cannot, the row says why. */
async function ordersIn(book: Book, own: AdapterContext, lines: readonly Line[]): Promise<ExternalOrder[]> {
  const { currency, source } = book
  const where = { currency, now: new Date().toISOString() }
  const ours = await oursAmong(
    book,
    lines.filter(({ name, cells }) => name.startsWith(`${NAMED}_`) && !isEmpty(cells)),
  )
  const copies = await copiesAmong(book, own, ours)
  const words = new Map<string, string>()
  const orders = ours.flatMap((line): ExternalOrder[] => {
    // It says nothing: whatever is written under a name stands in the first row of that name.
    if (copies.has(line.row)) return []
    const read = readRow(line, where)
    if (!(read instanceof UnreadableRow)) return [read]
    const problem = problemWords(read.problem, read.cell, source.language)
    if (line.state !== problem) words.set(line.name, problem)
    return []
  })
  if (words.size > 0) await writeStates(book, own, words)
  return orders
}

/** Without those that were named before this tab was set up, and that this store never took. */
async function oursAmong({ sql, source }: Book, lines: readonly Line[]): Promise<readonly Line[]> {
  const { connectionId, namesFrom } = source
  const isOlder = ({ name }: Line) => namesFrom !== null && name < namesFrom
  const older = lines.filter(isOlder).map(({ name }) => name)
  if (older.length === 0) return lines
  const taken = new Set(await listTaken(sql, connectionId, older))
  return lines.filter((line) => !isOlder(line) || taken.has(line.name))
}

/** A row that was copied has the name of another, which stands before it, maybe on another page. */
async function copiesAmong({ adapter, sheet, headers }: Book, own: AdapterContext, lines: readonly Line[]): Promise<ReadonlySet<number>> {
  if (lines.length === 0) return new Set()
  const keys = [...new Set(lines.map(({ name }) => name))]
  const found = await adapter.findRows(own, sheet, { key: headers.name, keys })
  const first = new Map(found.map(({ key, row }) => [key, row]))
  return new Set(lines.filter(({ name, row }) => (first.get(name) ?? row) < row).map(({ row }) => row))
}

/** Says in their rows what became of orders. A row that is gone is not made again. */
export async function writeStates(book: Book, own: AdapterContext, words: ReadonlyMap<string, string>): Promise<void> {
  const { adapter, sheet, headers } = book
  const rows = [...words].map(([key, said]) => ({ key, values: [beginning(said, CELL_MAX)] }))
  await inTurn(book, book.key, sheet.spreadsheetId, async () =>
    adapter.updateRows(own, sheet, { key: headers.name, columns: [headers.state], rows }),
  )
}
