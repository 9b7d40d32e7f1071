/** What stands in a cell: what a person sees, and the formula that it comes from, where there is one. */
export interface Cell {
  readonly value: string | number
  readonly formula?: string
}

export interface Tab {
  readonly sheetId: number
  title: string
  /** Ragged: what nobody wrote is not there. */
  rows: (Cell | undefined)[][]
  /** How many rows and columns it has, whatever stands in them; as many as those at least. */
  grid: Grid
}

export interface Grid {
  readonly rows: number
  readonly columns: number
}

/** What a tab begins with of which nothing else is said. */
export const USUAL: Grid = { rows: 1000, columns: 26 }

export const gridOf = ({ grid, rows }: Tab): Grid => ({
  rows: Math.max(grid.rows, rows.length),
  columns: Math.max(grid.columns, ...rows.map(({ length }) => length)),
})

/** No part of a range that is said may lie outside; one that is open ends where the grid does. */
export function isWithin(tab: Tab, { from, to }: Area): boolean {
  const { rows, columns } = gridOf(tab)
  const last = (end: number, begin: number) => (Number.isFinite(end) ? end : begin)
  return last(to[0], from[0]) < rows && last(to[1], from[1]) < columns
}

export interface Book {
  readonly id: string
  readonly name: string
  readonly modifiedAt: string
  readonly tabs: Tab[]
  /** Whether this server was given it; and whether the account may still go into it. */
  granted: boolean
  shared: boolean
}

export type Input = 'RAW' | 'USER_ENTERED'

const seen = (cell: Cell | undefined) => (cell === undefined ? '' : String(cell.value))
const isEmpty = (cell: Cell | undefined) => seen(cell) === ''

/** A text as it is; or as if a person had typed it: then it may be run, or become a number. */
function cellOf(value: unknown, input: Input): Cell | undefined {
  if (typeof value === 'number') return { value }
  const text = String(value)
  if (input === 'RAW') return text === '' ? undefined : { value: text }
  if (text.startsWith('=') || /^[+-]\D/.test(text)) return { value: '#RUN!', formula: text }
  return text.trim() !== '' && Number.isFinite(Number(text)) ? { value: Number(text) } : { value: text }
}

export interface Area {
  readonly title: string
  readonly from: readonly [row: number, column: number]
  readonly to: readonly [row: number, column: number]
}

const columnIn = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
const CORNER = /^([A-Z]*)(\d*)$/

/** `'Bob''s'!B2:C`; undefined where it is none. Rows and columns from 0. */
export function areaIn(range: string): Area | undefined {
  const [, quoted, plain, first = '', last] = /^(?:'((?:[^']|'')*)'|([^'!]+))!([A-Z0-9]+)(?::([A-Z0-9]+))?$/.exec(range) ?? []
  const title = quoted?.replaceAll("''", "'") ?? plain
  const [one, other] = [CORNER.exec(first), CORNER.exec(last ?? first)]
  if (title === undefined || !one || !other) return undefined
  const corner = ([, letters = '', digits = '']: RegExpExecArray, rest: number) =>
    [digits === '' ? rest : Number(digits) - 1, letters === '' ? rest : columnIn(letters)] as const
  return { title, from: corner(one, 0), to: corner(other, Number.POSITIVE_INFINITY) }
}

/** Without the empty cells at the end of each row, and without the empty rows at the end; nothing at all where all is empty. */
export function shown({ rows }: Tab, { from, to }: Area): string[][] | undefined {
  const part = rows.slice(from[0], to[0] + 1).map((row) => trimmed(row.slice(from[1], to[1] + 1)).map(seen))
  while (part.at(-1)?.length === 0) part.pop()
  return part.length === 0 ? undefined : part
}

function trimmed(row: (Cell | undefined)[]) {
  const cells = Array.from(row)
  while (cells.length > 0 && isEmpty(cells.at(-1))) cells.pop()
  return cells
}

/** `null` leaves a cell as it stands. */
export function put(tab: Tab, [top, left]: Area['from'], values: readonly (readonly unknown[])[], input: Input) {
  for (const [down, line] of values.entries())
    for (const [right, value] of line.entries())
      if (value !== null && value !== undefined) {
        const row = tab.rows[top + down] ?? []
        row[left + right] = cellOf(value, input)
        tab.rows[top + down] = row
      }
  tab.rows = Array.from(tab.rows, (row) => row ?? [])
}

/** Behind the table that begins in the area: it ends with the first empty row. Gives where the rows stand now. */
export function append(
  tab: Tab,
  { from }: Area,
  values: readonly (readonly unknown[])[],
  input: Input,
  { insert }: { readonly insert: boolean },
): Area['from'] {
  const hasNothing = (row: Tab['rows'][number] | undefined) => !row || trimmed(row).length === 0
  let end = from[0]
  while (!hasNothing(tab.rows[end])) end += 1
  const left = Math.max(0, hasNothing(tab.rows[from[0]]) ? from[1] : (tab.rows[from[0]]?.findIndex((cell) => !isEmpty(cell)) ?? 0))
  const { rows, columns } = gridOf(tab)
  tab.grid = { rows: insert ? rows + values.length : Math.max(rows, end + values.length), columns }
  if (insert) tab.rows.splice(end, 0, ...values.map(() => []))
  put(tab, [end, left], values, input)
  return [end, left]
}
