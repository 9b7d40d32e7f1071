import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, Nullable, named, oneOf, Printed, Written } from '../schema.ts'

export const CELL_MAX = 5_000
export const HEADER_MAX = 200
export const COLUMNS_MAX = 200
/** Rows that are written, looked for or read in one call. */
export const ROWS_MAX = 500

/** The other side's own name of a file, and of a tab in it, which stays when people rename them. */
export const SpreadsheetId = Written(200, 1)
export const TabId = Written(100, 1)
export const Sheet = T.Object({ spreadsheetId: SpreadsheetId, tabId: TabId })
export type Sheet = Static<typeof Sheet>

/** What stands in the first row above a column; empty where nothing does. */
export const Header = Written(HEADER_MAX)
export const NamedHeader = Written(HEADER_MAX, 1)

/** What is written into a cell, as it is: a text that looks like a formula is a text. Null leaves the cell as it stands, '' empties it. */
export const Cell = T.Union([Written(CELL_MAX), T.Number(), T.Null()])
export type Cell = Static<typeof Cell>

const Key = Written(64, 1)
/** Rows to be written, each known by what stands under the header `key`. What has no column of its header is left out. */
export const Rows = T.Object({
  key: NamedHeader,
  columns: T.Array(NamedHeader, { maxItems: COLUMNS_MAX }),
  /** `values` in the order of `columns`. */
  rows: T.Array(T.Object({ key: Key, values: T.Array(Cell, { maxItems: COLUMNS_MAX }) }), { minItems: 1, maxItems: ROWS_MAX }),
})
export type Rows = Static<typeof Rows>

export const Wanted = T.Object({ key: NamedHeader, keys: T.Array(Key, { minItems: 1, maxItems: ROWS_MAX }) })
export type Wanted = Static<typeof Wanted>
/** Where a row stands now, 1 being that of the headers. People move rows: this is no name of it. */
export const FoundRow = T.Object({ key: Key, row: T.Integer({ minimum: 2 }) })
export type FoundRow = Static<typeof FoundRow>
export const WrittenKey = Key

/** Names for rows that stand at a place and have none. */
export const NewNames = T.Object({
  key: NamedHeader,
  rows: T.Array(T.Object({ row: T.Integer({ minimum: 2 }), key: Key }), { minItems: 1, maxItems: ROWS_MAX }),
})
export type NewNames = Static<typeof NewNames>

/** Rows from a place on, 2 being the first behind the headers. */
export const Part = T.Object({ from: T.Integer({ minimum: 2 }), count: T.Integer({ minimum: 1, maximum: ROWS_MAX }) })
export type Part = Static<typeof Part>
/** What a person sees in its cells; empty ones at the end may be missing. */
export const ReadRow = T.Object({ row: T.Integer({ minimum: 2 }), values: T.Array(Written(CELL_MAX), { maxItems: COLUMNS_MAX }) })
export type ReadRow = Static<typeof ReadRow>

export const SpreadsheetFile = named(
  'SpreadsheetFile',
  T.Object({
    id: SpreadsheetId,
    name: Printed(1000),
    url: Maybe(T.String({ pattern: '^https?://[^\\s]{1,2000}$' })),
    modifiedAt: Maybe(T.String({ maxLength: 40, description: 'ISO 8601' })),
  }),
)
export type SpreadsheetFile = Static<typeof SpreadsheetFile>

export const SheetTab = named('SheetTab', T.Object({ id: TabId, title: Printed(500) }))
export type SheetTab = Static<typeof SheetTab>

export const NewSpreadsheet = T.Object({
  title: Printed(200, 1),
  tab: Printed(80, 1),
  headers: T.Array(NamedHeader, { maxItems: COLUMNS_MAX }),
})
export type NewSpreadsheet = Static<typeof NewSpreadsheet>
export const Spreadsheet = named(
  'Spreadsheet',
  T.Object({
    id: SpreadsheetId,
    name: Printed(1000),
    url: Maybe(T.String({ pattern: '^https?://[^\\s]{1,2000}$' })),
    tabs: T.Array(SheetTab, { minItems: 1, maxItems: 500 }),
  }),
)
export type Spreadsheet = Static<typeof Spreadsheet>

/** What of an order can stand in a column. */
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
export type SheetField = (typeof sheetFields)[number]
export const headerLanguages = ['ar', 'fr', 'en'] as const
export type HeaderLanguage = (typeof headerLanguages)[number]

const Heading = Printed(HEADER_MAX, 1)
export const SheetColumn = named('SheetColumn', exact({ header: Heading, field: oneOf(sheetFields) }))
export type SheetColumn = Static<typeof SheetColumn>
export const SheetColumns = T.Array(SheetColumn, { minItems: 1, maxItems: sheetFields.length * 2 })

const Timestamp = T.String({ format: 'date-time' })
const Statuses = T.Array(Printed(40, 1), { minItems: 1, maxItems: 20, uniqueItems: true })

/** Where the orders of a store go. */
export const SheetTarget = named(
  'SheetTarget',
  T.Object({
    storeId: T.String(),
    connectionId: T.String(),
    spreadsheetId: T.String(),
    tabId: T.String(),
    keyHeader: T.String({ description: "the header of the column with the orders' ids: rows are known by it" }),
    columns: T.Array(SheetColumn),
    statuses: Nullable(T.Array(T.String()), {
      description: 'an order gets its row with the first of these; whatever becomes of it then is written. Null: all',
    }),
    since: { ...Timestamp, description: 'orders taken before have no row' },
    problem: Nullable(T.String(), { description: 'why nothing can be written now' }),
    problemSince: Nullable(Timestamp),
    rows: T.Object({
      waiting: T.Integer({ description: 'orders of which the sheet does not show all yet' }),
      written: T.Integer(),
      gone: T.Integer({ description: 'rows that somebody deleted: they are not written again unless that is asked for' }),
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type SheetTarget = Static<typeof SheetTarget>

const Target = {
  language: Maybe(oneOf(headerLanguages, { description: 'of the headers that are not said; Arabic if left out' })),
  columns: Maybe(SheetColumns),
  statuses: Maybe(Nullable(Statuses)),
  since: Maybe({ ...Timestamp, description: 'now, if left out; at most 90 days ago' }),
}
export const NewTarget = named('NewSheetTarget', exact({ spreadsheetId: SpreadsheetId, tabId: TabId, ...Target }))
export type NewTarget = Static<typeof NewTarget>

const Naming = {
  title: Maybe(Printed(200, 1)),
  tab: Maybe(Printed(80, 1)),
}
export const NewFile = named('NewSpreadsheet', exact({ ...Naming, language: Target.language, columns: Target.columns }))
export type NewFile = Static<typeof NewFile>
export const NewFileTarget = named('NewSpreadsheetTarget', exact({ ...Naming, ...Target }))
export type NewFileTarget = Static<typeof NewFileTarget>

export const RowState = named('SheetRow', T.Object({ orderId: T.String(), state: oneOf(['waiting', 'written', 'gone']) }))
