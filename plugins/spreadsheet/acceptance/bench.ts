import { assertEqual } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { SpreadsheetAdapter } from '../kind.ts'
import type { Cell, Rows, Sheet } from '../model.ts'
import type { Rig } from './rig.ts'

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly adapter: SpreadsheetAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

/** A case before it is bound to an adapter and a rig. */
export interface Draft {
  readonly name: string
  run(bench: Bench): Promise<void>
}

/** Header of the column with the keys. */
export const KEY = 'Order'
/** Headers of the tabs in the cases. */
export const HEADERS = [KEY, 'Customer', 'Phone', 'Status', 'Total'] as const
const COLUMNS = HEADERS.slice(1)

/** Builds rows for the headers of the cases. */
export const rowsOf = (...rows: readonly (readonly [key: string, ...values: Cell[]])[]): Rows => ({
  key: KEY,
  columns: COLUMNS,
  rows: rows.map(([key, ...values]) => ({ key, values })),
})

/** Creates a tab with the headers and these rows, as if a user had written them. */
export const tabWith = ({ rig }: Pick<Bench, 'rig'>, ...rows: readonly (readonly string[])[]): Promise<Sheet> =>
  rig.make([HEADERS, ...rows])

/** Returns the cells of a tab as users see them, without empty cells at the ends of rows. */
export async function readTable({ rig }: Pick<Bench, 'rig'>, sheet: Sheet): Promise<(string | number)[][]> {
  const rows = (await rig.cells(sheet)).map((row) => row.map((cell) => cell?.value ?? ''))
  return rows.map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1))
}

/** Checks that a tab holds the headers and exactly these rows. */
export const assertRows = async (bench: Pick<Bench, 'rig'>, sheet: Sheet, rows: readonly (readonly (string | number)[])[]) =>
  assertEqual(await readTable(bench, sheet), [HEADERS, ...rows], 'content of the tab')
