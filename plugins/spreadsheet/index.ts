import type { Adapter, AdapterContext, Fields } from '../adapter.ts'
import type { SpreadsheetAdapter } from './members.ts'

/** Module `serai/spreadsheet` for adapters of spreadsheets: the contract, and tools for what many APIs have in common. */
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

/** Function type whose context has the declared fields of one spreadsheet. */
type WithFields<F, C extends Fields, S extends Fields> = F extends (...given: infer Given) => infer Answer
  ? (...given: { [At in keyof Given]: Given[At] extends AdapterContext ? AdapterContext<C, S> : Given[At] }) => Answer
  : F
type AllWithFields<V, C extends Fields, S extends Fields> = { readonly [K in keyof V]: WithFields<V[K], C, S> }

/** A spreadsheet's adapter as its author writes it, with typed fields. */
export type Tables<C extends Fields, S extends Fields> = Omit<Adapter<C, S>, 'kind' | 'contract' | 'testConnection'> &
  AllWithFields<Omit<SpreadsheetAdapter, Exclude<keyof Adapter, 'testConnection'>>, C, S>

/** Declares a spreadsheet: adds the constants and keeps the types of the fields. Export the result as default. */
export const spreadsheet = <const C extends Fields, const S extends Fields>(definition: Tables<C, S>): SpreadsheetAdapter =>
  // The type of all spreadsheets cannot express the fields of one, hence the cast.
  ({ kind: 'spreadsheet', contract: 1, ...definition }) as SpreadsheetAdapter
