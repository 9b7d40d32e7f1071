import { type Static, Type as T } from '@sinclair/typebox'
import { headerLanguages, SpreadsheetId, TabId } from '../../../../plugins/spreadsheet/model.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { rowFields } from './row-fields.ts'

/** Column of a sheet: its header and its field. */
export const RowColumn = named('RowColumn', exact({ header: Text(200, 1), field: oneOf(rowFields) }))
/** Type of {@link RowColumn}. */
export type RowColumn = Static<typeof RowColumn>
/** Columns of a sheet. */
export const RowColumns = T.Array(RowColumn, { minItems: 1, maxItems: rowFields.length })
const Language = oneOf(headerLanguages, { description: 'language of the texts in the sheet; Arabic if left out' })

/** Request to create a spreadsheet for orders. */
export const NewRowFile = named(
  'NewRowSpreadsheet',
  exact({ title: Maybe(Text(200, 1)), tab: Maybe(Text(80, 1)), language: Maybe(Language) }),
)
/** Type of {@link NewRowFile}. */
export type NewRowFile = Static<typeof NewRowFile>

/** Request that sets the tab whose rows become orders. */
export const NewRowSource = named(
  'NewRowSource',
  exact({
    spreadsheetId: SpreadsheetId,
    tabId: Maybe({ ...TabId, description: 'or `sheetName`' }),
    sheetName: Maybe(Text(500, 1)),
    language: Maybe(Language),
    columns: Maybe({ ...RowColumns, description: 'the field of each column; recognized from the headers if left out' }),
    existing: Maybe(T.Boolean({ description: 'whether existing rows become orders as well; false by default' })),
  }),
)
/** Type of {@link NewRowSource}. */
export type NewRowSource = Static<typeof NewRowSource>

/** Tab whose rows become orders. */
export const RowSource = named(
  'RowSource',
  T.Object({
    connectorId: Id,
    storeId: Id,
    spreadsheetId: Nullable(T.String()),
    tabId: Nullable(T.String()),
    language: oneOf(headerLanguages),
    nameHeader: T.String({ description: 'header of the column with the id of each row; only the server writes in it' }),
    stateHeader: T.String({ description: 'header of the column with the state of each order' }),
    columns: T.Array(RowColumn),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link RowSource}. */
export type RowSource = Static<typeof RowSource>

/** Headers of a tab, and the columns that were recognized. */
export const RowHeaders = T.Object({
  headers: T.Array(T.String()),
  recognised: T.Array(RowColumn, { description: 'the columns whose headers were recognized' }),
})
