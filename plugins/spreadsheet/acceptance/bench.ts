import { same } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { SpreadsheetAdapter } from '../kind.ts'
import type { Cell, Rows, Sheet } from '../model.ts'
import type { Rig } from './rig.ts'

/** What a case works with: the spreadsheet under watch, its other side, and connections. */
export interface Bench {
  readonly adapter: SpreadsheetAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

export interface Draft {
  readonly name: string
  run(bench: Bench): Promise<void>
}

export const KEY = 'Order'
export const HEADERS = [KEY, 'Customer', 'Phone', 'Status', 'Total'] as const
const COLUMNS = HEADERS.slice(1)

/** Rows under the headers of all cases. */
export const rowsOf = (...rows: readonly (readonly [key: string, ...values: Cell[]])[]): Rows => ({
  key: KEY,
  columns: COLUMNS,
  rows: rows.map(([key, ...values]) => ({ key, values })),
})

/** A tab with the headers, and these rows that somebody wrote. */
export const tabWith = ({ rig }: Pick<Bench, 'rig'>, ...rows: readonly (readonly string[])[]): Promise<Sheet> =>
  rig.make([HEADERS, ...rows])

/** What people see in the tab, without empty cells at the ends of rows. */
export async function table({ rig }: Pick<Bench, 'rig'>, sheet: Sheet): Promise<(string | number)[][]> {
  const rows = (await rig.cells(sheet)).map((row) => row.map((cell) => cell?.value ?? ''))
  return rows.map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1))
}

export const stands = async (bench: Pick<Bench, 'rig'>, sheet: Sheet, rows: readonly (readonly (string | number)[])[]) =>
  same(await table(bench, sheet), [HEADERS, ...rows], 'what stands in the tab')
