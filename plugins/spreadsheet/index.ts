import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { SpreadsheetAdapter } from './members.ts'

/** What the adapter of a spreadsheet imports as `serai/spreadsheet`: the contract, and tools for what many APIs have in common. */
export { type AdapterContext, AdapterError, type Fields, type RateWindow } from '../adapter.ts'
export * from '../toolkit/ask.ts'
export * from '../toolkit/values.ts'
export * from './headers.ts'
export type { SpreadsheetAdapter } from './members.ts'
export type {
  Cell,
  FoundRow,
  NewNames,
  NewSpreadsheet,
  Part,
  ReadRow,
  Rows,
  Sheet,
  SheetTab,
  Spreadsheet,
  SpreadsheetFile,
  Wanted,
} from './model.ts'
export { printed, written } from './texts.ts'

/** The same function, whose context has the fields of one spreadsheet. */
type Knowing<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type All<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: Knowing<V[K], C, S> }

/** A spreadsheet as its author writes it, with its own fields known by name. */
export type Tables<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  All<Omit<SpreadsheetAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a spreadsheet: fills in what is constant, keeps the field types. Export the result as default. */
export const spreadsheet = <const C extends Fields, const S extends Fields>(definition: Tables<C, S>): SpreadsheetAdapter =>
  // The fields of its contexts are those that it declares, which the type of all spreadsheets cannot say.
  ({ kind: 'spreadsheet', contract: 1, ...definition }) as SpreadsheetAdapter
