import { placeOf } from '../../../../plugins/spreadsheet/headers.ts'
import type { Sheet, SheetTab } from '../../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import { lockConnectionForChange } from '../../../integrations/connections/update-connection.ts'
import { type FieldPath, notFound } from '../../../lib/errors/domain-error.ts'
import { lowestIdAt, newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { callSpreadsheet } from '../../sheet-export/call-spreadsheet.ts'
import type { SpreadsheetConnection } from '../../sheet-export/sheets.model.ts'
import { transferOrders } from '../inbox/transfer-orders.ts'
import { requestPull } from '../orders/pull-orders.ts'
import { connectorShopErrors } from '../shops.errors.ts'
import { ROW_ID_PREFIX, ROWS_PER_READ } from './order-sheet.ts'
import { type RowColumn, recognizeRowHeaders } from './row-fields.ts'
import { findRowSource, insertRowSource, listDeletedSheetConnections, type RowSourceRow, upsertRowSource } from './row-sources.queries.ts'
import type { NewRowSource, RowSource } from './rows.model.ts'
import { findPresentHeader, rowIdHeaders, stateHeaders } from './sheet-texts.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** The rows of a tab are about to be imported as orders. A subscriber that writes orders there throws. */
    'sheet.source_chosen': { projectId: string; connectionId: string; spreadsheetId: string; tabId: string }
  }
}

const LANGUAGE = 'ar'
/** Milliseconds by which another process's clock may be behind. Row ids that it makes count as new. */
const CLOCKS_MS = 60_000

/** Marks a connection as a source of orders, before its tab is chosen. */
export const ensureRowSource = (tx: Tx, { id: connectionId, projectId }: ConnectionRef) =>
  insertRowSource(tx, { projectId, connectionId, generation: newId('gen') })

/**
 * Sets the tab whose rows become orders. If the tab stays the same, omitted options stay too. Writes the headers and requests a pull.
 * Throws `conflict` if the column with the row ids is missing, and `AdapterFailure`.
 */
export async function configureRowSource(context: Context, connection: SpreadsheetConnection, request: NewRowSource): Promise<RowSource> {
  const { id: connectionId, storeId, projectId } = connection.row
  const { spreadsheetId } = request
  const tabId = await tabOf(context, connection, request)
  const before = await findRowSource(context.sql, connection.row)
  const same = before?.spreadsheetId === spreadsheetId && before.tabId === tabId ? before : undefined
  const language = request.language ?? same?.language ?? LANGUAGE
  const sheet = { spreadsheetId, tabId }
  const headersPresent = await callSpreadsheet(context, connection, 'headers', (adapter, own) => adapter.headers(own, sheet))
  const columns = request.columns ?? same?.columns ?? recognizeRowHeaders(headersPresent)
  assertColumns(columns, headersPresent)
  const headers = {
    nameHeader: same?.nameHeader ?? findPresentHeader(rowIdHeaders, headersPresent) ?? rowIdHeaders[language],
    stateHeader: same?.stateHeader ?? findPresentHeader(stateHeaders, headersPresent) ?? stateHeaders[language],
  }
  if (same && placeOf(headersPresent, headers.nameHeader) < 0) throw lostIdColumnError(headers.nameHeader)
  const old = same ?? (await findOldRows(context, connection, sheet, request))
  await callSpreadsheet(context, connection, 'writeHeaders', (adapter, own) =>
    adapter.writeHeaders(own, sheet, [headers.nameHeader, headers.stateHeader]),
  )
  await transaction(context.sql, async (tx) => {
    await lockConnectionForChange(tx, connection.row)
    // The connector may have been deleted while the sheet was read.
    if (!(await findRowSource(tx, connection.row))) throw notFound('The connector')
    await publish(tx, 'sheet.source_chosen', { projectId, connectionId, spreadsheetId, tabId })
    if (!same) await transferEarlierOrders(tx, connection)
    // A new generation makes all rows be read again.
    const { oldRows, namesFrom } = old
    const source = { projectId, connectionId, spreadsheetId, tabId, columns, language, oldRows, namesFrom, ...headers }
    await upsertRowSource(tx, { ...source, generation: newId('gen') })
    await recordAudit(tx, { storeId }, { what: 'connector.configured', thing: connectionId, after: { spreadsheetId, tabId } })
    await requestPull(tx, connection.row, new Date(0).toISOString())
  })
  return presentRowSource(invariant(await findRowSource(context.sql, connection.row), 'A tab that was set up'))
}

/** Transfers the orders of deleted connections, so that their rows are not imported again. */
async function transferEarlierOrders(tx: Tx, { row }: SpreadsheetConnection): Promise<void> {
  for (const earlier of await listDeletedSheetConnections(tx, row)) await transferOrders(tx, earlier.id, row)
}

/** Changes which field each column holds. Rows that read differently then change their orders. */
export async function changeRowColumns(context: Context, connection: SpreadsheetConnection, columns: RowColumn[]): Promise<RowSource> {
  const { spreadsheetId = null, tabId = null } = (await findRowSource(context.sql, connection.row)) ?? {}
  if (spreadsheetId === null || tabId === null) throw notFound('A tab with orders; POST …/configure sets one. It')
  return configureRowSource(context, connection, { spreadsheetId, tabId, columns })
}

/** Returns the API view of a row source. */
const presentRowSource = ({ projectId, connectionId, oldRows: _, generation: __, namesFrom: ___, ...source }: RowSourceRow): RowSource => ({
  connectorId: connectionId,
  storeId: storeIdOf(projectId),
  ...source,
  nameHeader: source.nameHeader ?? rowIdHeaders[source.language],
  stateHeader: source.stateHeader ?? stateHeaders[source.language],
})

/** Returns the id of the chosen tab, which is given by id or title. */
async function tabOf(context: Context, connection: SpreadsheetConnection, { spreadsheetId, tabId, sheetName }: NewRowSource) {
  if (tabId !== undefined) return tabId
  if (sheetName === undefined) throw connectorShopErrors.tabMissing({ field: ['tabId'] })
  const tabs = await callSpreadsheet(context, connection, 'tabs', (adapter, own) => adapter.tabs(own, spreadsheetId))
  return requireTab(tabs, sheetName, ['sheetName']).id
}

/** Finds a tab by title or id. Throws a validation error if there is none. */
export function requireTab(tabs: readonly SheetTab[], name: string, field: FieldPath): SheetTab {
  const tab = tabs.find(({ title }) => title === name) ?? tabs.find(({ id }) => id === name)
  if (!tab)
    throw connectorShopErrors.tabUnknown(
      {
        name: name.slice(0, 80),
        tabs: tabs
          .map(({ title }) => title)
          .join(', ')
          .slice(0, 300),
      },
      { field },
    )
  return tab
}

/** Throws a validation error without columns for the phone number and the products, which every order needs. */
function assertColumns(columns: readonly RowColumn[], headersPresent: readonly string[]): void {
  const missing = columns.find(({ header }) => placeOf(headersPresent, header) < 0)
  if (missing) throw connectorShopErrors.columnUnknown({ header: missing.header }, { field: ['columns'] })
  const fields = columns.map(({ field }) => field)
  const repeated = fields.find((field, at) => fields.indexOf(field) !== at)
  if (repeated) throw connectorShopErrors.columnRepeated({ repeated }, { field: ['columns'] })
  if (!fields.includes('phone')) throw connectorShopErrors.phoneColumnMissing({ field: ['columns'] })
  if (!fields.includes('products') && !fields.includes('sku')) throw connectorShopErrors.productColumnMissing({ field: ['columns'] })
}

const lostIdColumnError = (header: string) => connectorShopErrors.keyColumnGone({ header })

/** Returns which rows count as old: the number of present rows, and the lowest id that is new. */
async function findOldRows(
  context: Context,
  connection: SpreadsheetConnection,
  sheet: Sheet,
  { existing }: NewRowSource,
): Promise<Pick<RowSourceRow, 'oldRows' | 'namesFrom'>> {
  if (existing) return { oldRows: 0, namesFrom: null }
  return { namesFrom: lowestIdAt(ROW_ID_PREFIX, Date.now() - CLOCKS_MS), oldRows: await countRows(context, connection, sheet) }
}

const FARTHEST = 2 ** 20

/** Counts the rows of a tab, roughly, by a binary search for the last page that is not empty. */
async function countRows(context: Context, connection: SpreadsheetConnection, sheet: Sheet): Promise<number> {
  const standsFrom = async (from: number) =>
    (await callSpreadsheet(context, connection, 'read', (adapter, own) => adapter.read(own, sheet, { from, count: ROWS_PER_READ }))).length
  let [some, none] = [0, 1]
  while (none <= FARTHEST && (await standsFrom(none * ROWS_PER_READ + 2)) > 0) [some, none] = [none, none * 2]
  for (let middle = (some + none) >> 1; middle > some; middle = (some + none) >> 1)
    if ((await standsFrom(middle * ROWS_PER_READ + 2)) > 0) some = middle
    else none = middle
  const from = some * ROWS_PER_READ + 2
  return from - 1 + (await standsFrom(from))
}
