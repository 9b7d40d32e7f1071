import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { members } from '../members.ts'
import type { Sheet } from '../model.ts'

export type Member = keyof typeof members

/**
 * How the other side can misbehave: it never answers and did nothing; it did it, and the answer is lost, half of one, or says nothing; it
 * answers 500 with nothing done; it takes no more now, for two seconds.
 */
export type Fault = 'ignored' | 'lost_answer' | 'malformed' | 'mumbled' | 'error_before' | 'rate_limited'

/** What a person does in a tab. Rows and columns count from 0, the headers standing in row 0. */
export type Hand =
  | { readonly does: 'rename'; readonly title: string }
  | { readonly does: 'deleteRow'; readonly row: number }
  | { readonly does: 'insertRow'; readonly row: number; readonly cells: readonly string[] }
  | { readonly does: 'insertColumn'; readonly column: number; readonly header: string }
  | { readonly does: 'write'; readonly row: number; readonly column: number; readonly text: string }
  | { readonly does: 'deleteTab' }
  /** The account may not go into the spreadsheet any more. */
  | { readonly does: 'lockOut' }
  /** The spreadsheet is gone. */
  | { readonly does: 'remove' }

/** What stands in a cell; `formula` where the other side runs one to show it. */
export interface SeenCell {
  readonly value: string | number
  readonly formula?: string
}

/** The other side of a spreadsheet. */
export interface Rig {
  /** Values that work, as a person would type them or the host fills them in. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly badCredentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** A spreadsheet of somebody's, with one tab that has these rows. */
  make(rows: readonly (readonly string[])[]): Promise<Sheet>
  by(sheet: Sheet, hand: Hand): Promise<void>
  /** What stands in the tab; a cell of nothing is null, and rows are as long as the longest. */
  cells(sheet: Sheet): Promise<(SeenCell | null)[][]>
  /** The last call of each member, as a pattern over `METHOD /path`. */
  readonly calling: Readonly<Record<Exclude<Member, 'testConnection' | 'nameRows'>, string>>
  /** Makes the calls that match the pattern misbehave. */
  fail(fault: Fault, calls: string): void
  calm(): void
  calls(): Promise<readonly SeenCall[]>
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  close?(): unknown
}
