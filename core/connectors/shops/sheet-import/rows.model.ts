import { type Static, Type as T } from '@sinclair/typebox'
import { headerLanguages, SpreadsheetId, TabId } from '../../../../plugins/spreadsheet/model.ts'
import { exact, Id, Maybe, Nullable, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'
import { rowFields } from './fields.ts'

export const RowColumn = named('RowColumn', exact({ header: Text(200, 1), field: oneOf(rowFields) }))
/** Type of {@link RowColumn}. */
export type RowColumn = Static<typeof RowColumn>
export const RowColumns = T.Array(RowColumn, { minItems: 1, maxItems: rowFields.length })
const Language = oneOf(headerLanguages, { description: 'of what is written into the sheet; Arabic if left out' })

export const NewRowFile = named(
  'NewRowSpreadsheet',
  exact({ title: Maybe(Text(200, 1)), tab: Maybe(Text(80, 1)), language: Maybe(Language) }),
)
/** Type of {@link NewRowFile}. */
export type NewRowFile = Static<typeof NewRowFile>

export const NewRowSource = named(
  'NewRowSource',
  exact({
    spreadsheetId: SpreadsheetId,
    tabId: Maybe({ ...TabId, description: 'or `sheetName`' }),
    sheetName: Maybe(Text(500, 1)),
    language: Maybe(Language),
    columns: Maybe({ ...RowColumns, description: 'what stands in which column; what the headers say, if left out' }),
    existing: Maybe(T.Boolean({ description: 'rows that stand there already become orders as well; false unless said' })),
  }),
)
/** Type of {@link NewRowSource}. */
export type NewRowSource = Static<typeof NewRowSource>

export const RowSource = named(
  'RowSource',
  T.Object({
    connectorId: Id,
    storeId: Id,
    spreadsheetId: Nullable(T.String()),
    tabId: Nullable(T.String()),
    language: oneOf(headerLanguages),
    nameHeader: T.String({ description: 'the header of the column by which rows are known; only the server writes in it' }),
    stateHeader: T.String({ description: 'that of the column that says what became of them' }),
    columns: T.Array(RowColumn),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link RowSource}. */
export type RowSource = Static<typeof RowSource>

export const RowHeaders = T.Object({
  headers: T.Array(T.String()),
  recognised: T.Array(RowColumn, { description: 'those whose words say what they hold' }),
})
