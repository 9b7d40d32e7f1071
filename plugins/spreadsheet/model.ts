import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, namedSchema, oneOf, PrintableText, StorableText } from '../schema.ts'

/** Maximum length of a cell's text. */
export const CELL_MAX = 5_000
/** Maximum length of a header. */
export const HEADER_MAX = 200
/** Maximum number of columns. */
export const COLUMNS_MAX = 200
/** Maximum number of rows written, found or read in one call. */
export const ROWS_MAX = 500

/** The platform's id of a spreadsheet. It is stable when users rename the file. */
export const SpreadsheetId = StorableText(200, 1)
/** The platform's id of a tab. It is stable when users rename the tab. */
export const TabId = StorableText(100, 1)
/** Address of a tab in a spreadsheet. */
export const Sheet = T.Object({ spreadsheetId: SpreadsheetId, tabId: TabId })
/** Type of {@link Sheet}. */
export type Sheet = Static<typeof Sheet>

/** Text of the first row in a column; empty if the column has no header. */
export const Header = StorableText(HEADER_MAX)
/** Header that is not empty. */
export const NamedHeader = StorableText(HEADER_MAX, 1)

/** Value of a cell, written literally: a text that looks like a formula stays a text. Null leaves the cell unchanged, '' clears it. */
export const Cell = T.Union([StorableText(CELL_MAX), T.Number(), T.Null()])
/** Type of {@link Cell}. */
export type Cell = Static<typeof Cell>

const Key = StorableText(64, 1)
/** Rows to write, each identified by its value in the column `key`. Values without a matching column are skipped. */
export const Rows = T.Object({
  key: NamedHeader,
  columns: T.Array(NamedHeader, { maxItems: COLUMNS_MAX }),
  /** `values` in the order of `columns`. */
  rows: T.Array(T.Object({ key: Key, values: T.Array(Cell, { maxItems: COLUMNS_MAX }) }), { minItems: 1, maxItems: ROWS_MAX }),
})
/** Type of {@link Rows}. */
export type Rows = Static<typeof Rows>

/** Request to find rows by their keys. */
export const Wanted = T.Object({ key: NamedHeader, keys: T.Array(Key, { minItems: 1, maxItems: ROWS_MAX }) })
/** Type of {@link Wanted}. */
export type Wanted = Static<typeof Wanted>
/** Current position of a row; row 1 holds the headers. Users move rows, so a position does not identify one. */
export const FoundRow = T.Object({ key: Key, row: T.Integer({ minimum: 2 }) })
/** Type of {@link FoundRow}. */
export type FoundRow = Static<typeof FoundRow>
/** Key of a row that was written. */
export const WrittenKey = Key

/** Keys for rows that have none, by position. */
export const NewNames = T.Object({
  key: NamedHeader,
  rows: T.Array(T.Object({ row: T.Integer({ minimum: 2 }), key: Key }), { minItems: 1, maxItems: ROWS_MAX }),
})
/** Type of {@link NewNames}. */
export type NewNames = Static<typeof NewNames>

/** Range of rows; 2 is the first row after the headers. */
export const Part = T.Object({ from: T.Integer({ minimum: 2 }), count: T.Integer({ minimum: 1, maximum: ROWS_MAX }) })
/** Type of {@link Part}. */
export type Part = Static<typeof Part>
/** A row with its cells as shown to users. Empty cells at the end may be missing. */
export const ReadRow = T.Object({ row: T.Integer({ minimum: 2 }), values: T.Array(StorableText(CELL_MAX), { maxItems: COLUMNS_MAX }) })
/** Type of {@link ReadRow}. */
export type ReadRow = Static<typeof ReadRow>

/** A spreadsheet in the list of files. */
export const SpreadsheetFile = namedSchema(
  'SpreadsheetFile',
  T.Object({
    id: SpreadsheetId,
    name: PrintableText(1000),
    url: Maybe(T.String({ pattern: '^https?://[^\\s]{1,2000}$' })),
    modifiedAt: Maybe(T.String({ maxLength: 40, description: 'ISO 8601' })),
  }),
)
/** Type of {@link SpreadsheetFile}. */
export type SpreadsheetFile = Static<typeof SpreadsheetFile>

/** A tab of a spreadsheet. */
export const SheetTab = namedSchema('SheetTab', T.Object({ id: TabId, title: PrintableText(500) }))
/** Type of {@link SheetTab}. */
export type SheetTab = Static<typeof SheetTab>

/** Spreadsheet to create, with one tab and its headers. */
export const NewSpreadsheet = T.Object({
  title: PrintableText(200, 1),
  tab: PrintableText(80, 1),
  headers: T.Array(NamedHeader, { maxItems: COLUMNS_MAX }),
})
/** Type of {@link NewSpreadsheet}. */
export type NewSpreadsheet = Static<typeof NewSpreadsheet>
/** A spreadsheet with its tabs. */
export const Spreadsheet = namedSchema(
  'Spreadsheet',
  T.Object({
    id: SpreadsheetId,
    name: PrintableText(1000),
    url: Maybe(T.String({ pattern: '^https?://[^\\s]{1,2000}$' })),
    tabs: T.Array(SheetTab, { minItems: 1, maxItems: 500 }),
  }),
)
/** Type of {@link Spreadsheet}. */
export type Spreadsheet = Static<typeof Spreadsheet>

/** Fields of an order that a column can show. */
export const sheetFields = [
  'reference',
  'createdAt',
  'status',
  'customerName',
  'phone',
  'phoneAlt',
  'email',
  'country',
  'state',
  'city',
  'address',
  'deliveryType',
  'products',
  'quantity',
  'subtotal',
  'delivery',
  'discount',
  'total',
  'paid',
  'note',
  'promoCode',
  'source',
  'carrier',
  'tracking',
  'updatedAt',
] as const
/** One of {@link sheetFields}. */
export type SheetField = (typeof sheetFields)[number]
/** Languages of default headers. */
export const headerLanguages = ['ar', 'fr', 'en'] as const
/** One of {@link headerLanguages}. */
export type HeaderLanguage = (typeof headerLanguages)[number]

const Heading = PrintableText(HEADER_MAX, 1)
/** A column's header and the order field that it shows. */
export const SheetColumn = namedSchema('SheetColumn', exact({ header: Heading, field: oneOf(sheetFields) }))
/** Type of {@link SheetColumn}. */
export type SheetColumn = Static<typeof SheetColumn>
/** Columns of a sheet. A field may be in several columns. */
export const SheetColumns = T.Array(SheetColumn, { minItems: 1, maxItems: sheetFields.length * 2 })

const Timestamp = T.String({ format: 'date-time' })
const Statuses = T.Array(PrintableText(40, 1), { minItems: 1, maxItems: 20, uniqueItems: true })

/** Configuration of a store's order export to a tab, with its state. */
export const SheetTarget = namedSchema(
  'SheetTarget',
  T.Object({
    storeId: T.String(),
    connectionId: T.String(),
    spreadsheetId: T.String(),
    tabId: T.String(),
    keyHeader: T.String({ description: 'header of the column with the order ids, which identify the rows' }),
    columns: T.Array(SheetColumn),
    statuses: Nullable(T.Array(T.String()), {
      description: 'an order gets a row when it first has one of these statuses; later changes are written too. Null: all statuses',
    }),
    since: { ...Timestamp, description: 'earlier orders have no row' },
    problem: Nullable(T.String(), { description: 'reason why rows cannot be written now' }),
    problemSince: Nullable(Timestamp),
    rows: T.Object({
      waiting: T.Integer({ description: 'orders with changes that are not yet written' }),
      written: T.Integer(),
      gone: T.Integer({ description: 'rows that a user deleted; they are written again only on request' }),
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link SheetTarget}. */
export type SheetTarget = Static<typeof SheetTarget>

const Target = {
  language: Maybe(oneOf(headerLanguages, { description: 'language of the default headers; Arabic by default' })),
  columns: Maybe(SheetColumns),
  statuses: Maybe(Nullable(Statuses)),
  since: Maybe({ ...Timestamp, description: 'now by default; at most 90 days ago' }),
}
/** Request to export a store's orders to an existing tab. */
export const NewTarget = namedSchema('NewSheetTarget', exact({ spreadsheetId: SpreadsheetId, tabId: TabId, ...Target }))
/** Type of {@link NewTarget}. */
export type NewTarget = Static<typeof NewTarget>

const Naming = {
  title: Maybe(PrintableText(200, 1)),
  tab: Maybe(PrintableText(80, 1)),
}
/** Request to create a spreadsheet for orders. */
export const NewFile = namedSchema('NewSpreadsheet', exact({ ...Naming, language: Target.language, columns: Target.columns }))
/** Type of {@link NewFile}. */
export type NewFile = Static<typeof NewFile>
/** Request to create a spreadsheet and to export a store's orders to it. */
export const NewFileTarget = namedSchema('NewSpreadsheetTarget', exact({ ...Naming, ...Target }))
/** Type of {@link NewFileTarget}. */
export type NewFileTarget = Static<typeof NewFileTarget>

/** State of an order's row. */
export const RowState = namedSchema('SheetRow', T.Object({ orderId: T.String(), state: oneOf(['waiting', 'written', 'gone']) }))
