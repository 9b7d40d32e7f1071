import { Type as T } from '@sinclair/typebox'
import type { Derived } from '../kind.ts'
import { KIB, list, nothing, one, required } from '../member.ts'
import { Printed } from '../schema.ts'
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

/** The version of this contract. An adapter names the one that it was written for. */
export const CONTRACT = 1

/** The constants of a spreadsheet's adapter. */
export const definition = {
  /** Who people sign in at, as `/v1/oauth2/{provider}/sheets` names it. */
  provider: T.String({ pattern: '^[a-z][a-z0-9]{1,39}$' }),
  /** Rows that it writes or looks for in one call, where they are fewer than `ROWS_MAX`: a call has twenty seconds. */
  rowsAtOnce: T.Optional(T.Integer({ minimum: 1, maximum: ROWS_MAX })),
}

/** What a spreadsheet can be asked, and what it may answer. */
export const members = {
  testConnection: required(one([], T.Object({ account: T.Optional(Printed(500)) }), { bytes: 4 * KIB })),
  list: required(list([], SpreadsheetFile, 1000)),
  create: required(one([NewSpreadsheet], Spreadsheet)),
  tabs: required(list([SpreadsheetId], SheetTab, 500)),
  headers: required(list([Sheet], Header, COLUMNS_MAX)),
  /** Adds those that are not there behind those that are, and answers all. */
  writeHeaders: required(list([Sheet, T.Array(NamedHeader, { minItems: 1, maxItems: COLUMNS_MAX })], Header, COLUMNS_MAX)),
  /** All rows or none. Fails as `unavailable` where nobody knows, and with any other reason where none was written. */
  append: required(nothing([Sheet, Rows])),
  findRows: required(list([Sheet, Wanted], FoundRow, ROWS_MAX)),
  /** Writes the rows that are there, and answers their keys; it makes none. */
  updateRows: required(list([Sheet, Rows], WrittenKey, ROWS_MAX)),
  /** Writes names into rows that have none, where they stand now, and answers those that it wrote. A row that has one keeps it. */
  nameRows: list([Sheet, NewNames], WrittenKey, ROWS_MAX),
  read: required(list([Sheet, Part], ReadRow, ROWS_MAX)),
}

export type SpreadsheetAdapter = Derived<typeof definition, typeof members>
