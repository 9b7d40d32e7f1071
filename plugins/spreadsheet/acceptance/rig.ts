import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { members } from '../members.ts'
import type { Sheet } from '../model.ts'

/** Name of a member of the kind. */
export type Member = keyof typeof members

/**
 * Faults of the simulator:
 * - `ignored`: never answers and does nothing.
 * - `lost_answer`, `malformed`, `mumbled`: does it, but the answer is lost, cut in half, or empty of meaning.
 * - `error_before`: answers 500 and does nothing.
 * - `rate_limited`: refuses calls for two seconds.
 */
export type Fault = 'ignored' | 'lost_answer' | 'malformed' | 'mumbled' | 'error_before' | 'rate_limited'

/** Action of a user in a tab. Rows and columns count from 0; row 0 holds the headers. */
export type Hand =
  | { readonly does: 'rename'; readonly title: string }
  | { readonly does: 'deleteRow'; readonly row: number }
  | { readonly does: 'insertRow'; readonly row: number; readonly cells: readonly string[] }
  | { readonly does: 'insertColumn'; readonly column: number; readonly header: string }
  | { readonly does: 'write'; readonly row: number; readonly column: number; readonly text: string }
  | { readonly does: 'deleteTab' }
  /** Withdraws the account's access to the spreadsheet. */
  | { readonly does: 'lockOut' }
  /** Deletes the spreadsheet. */
  | { readonly does: 'remove' }

/** Content of a cell; `formula` if the platform computes the value from one. */
export interface SeenCell {
  readonly value: string | number
  readonly formula?: string
}

/** Simulator of a spreadsheet platform, and how to connect to it. */
export interface Rig {
  /** Valid credentials, as a user enters them or the host fills them in. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** Creates a user's spreadsheet with one tab that has these rows. */
  make(rows: readonly (readonly string[])[]): Promise<Sheet>
  /** Performs a user's action in the tab. */
  by(sheet: Sheet, hand: Hand): Promise<void>
  /** Returns the cells of the tab; an empty cell is null, and all rows have the length of the longest. */
  cells(sheet: Sheet): Promise<(SeenCell | null)[][]>
  /** Pattern over `METHOD /path` of the last call of each member. */
  readonly calling: Readonly<Record<Exclude<Member, 'testConnection' | 'nameRows'>, string>>
  /** Applies a fault to the calls that match the pattern. */
  fail(fault: Fault, calls: string): void
  calm(): void
  calls(): Promise<readonly SeenCall[]>
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  close?(): unknown
}
