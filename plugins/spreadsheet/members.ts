import { Type as T } from '@sinclair/typebox'
import type { DerivedAdapter } from '../kind.ts'
import { KIB, list, nothing, one, requiredMember } from '../member.ts'
import { PrintableText } from '../schema.ts'
import {
  COLUMNS_MAX,
  FoundRow,
  Header,
  NamedHeader,
  NewNames,
  NewSpreadsheet,
  Part,
  ReadRow,
  ROWS_MAX,
  Rows,
  Sheet,
  SheetTab,
  Spreadsheet,
  SpreadsheetFile,
  SpreadsheetId,
  Wanted,
  WrittenKey,
} from './model.ts'

/** Version of this contract. An adapter names the version that it implements. */
export const CONTRACT = 1

/** Constants of a spreadsheet's adapter. */
export const definition = {
  /** Name of the sign-in provider in `/v1/oauth2/{provider}/sheets`. */
  provider: T.String({ pattern: '^[a-z][a-z0-9]{1,39}$' }),
  /** Maximum number of rows that it writes or finds in one call, if less than `ROWS_MAX`. A call has 20 seconds. */
  rowsAtOnce: T.Optional(T.Integer({ minimum: 1, maximum: ROWS_MAX })),
}

/** Functions of a spreadsheet, with the schemas of their arguments and results. */
export const members = {
  testConnection: requiredMember(one([], T.Object({ account: T.Optional(PrintableText(500)) }), { bytes: 4 * KIB })),
  list: requiredMember(list([], SpreadsheetFile, 1000)),
  create: requiredMember(one([NewSpreadsheet], Spreadsheet)),
  tabs: requiredMember(list([SpreadsheetId], SheetTab, 500)),
  headers: requiredMember(list([Sheet], Header, COLUMNS_MAX)),
  /** Appends the missing headers after the existing ones, and returns all. */
  writeHeaders: requiredMember(list([Sheet, T.Array(NamedHeader, { minItems: 1, maxItems: COLUMNS_MAX })], Header, COLUMNS_MAX)),
  /** Appends all rows or none. Throws `unavailable` if the outcome is unknown, and any other reason if no row was written. */
  append: requiredMember(nothing([Sheet, Rows])),
  findRows: requiredMember(list([Sheet, Wanted], FoundRow, ROWS_MAX)),
  /** Updates existing rows and returns their keys. It never adds a row. */
  updateRows: requiredMember(list([Sheet, Rows], WrittenKey, ROWS_MAX)),
  /** Writes keys into rows that have none, by their current position, and returns the keys that it wrote. An existing key stays. */
  nameRows: list([Sheet, NewNames], WrittenKey, ROWS_MAX),
  read: requiredMember(list([Sheet, Part], ReadRow, ROWS_MAX)),
}

/** Adapter of a spreadsheet. */
export type SpreadsheetAdapter = DerivedAdapter<typeof definition, typeof members>
