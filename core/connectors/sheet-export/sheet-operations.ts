import type { NewFile, Spreadsheet } from '../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { transaction } from '../../data/sql.ts'
import { callerOf } from '../../http/auth/auth-context.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import { notEnabledError, openConnection } from '../../integrations/connections/connection.ts'
import { notEnabledSentences } from '../../integrations/connections/connections.errors.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import type { OperationCall, OperationName } from '../../integrations/operations/operation-registry.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { callSpreadsheet } from './call-spreadsheet.ts'
import { defaultColumns, keyHeaders, recognizeOrderHeaders } from './columns/columns.ts'
import { changeColumns, configureTarget, requestSheetWrite, requireTarget, stopExport, writeTargetHeaders } from './configure-target.ts'
import { presentSheetTarget } from './present.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'
import { requestRow, resumeTarget, retryRows } from './sheets.queries.ts'

type CallOf<N extends OperationName<'spreadsheet'>> = OperationCall<'spreadsheet', N>

const TITLE = 'Orders'

/** Lists the files of a connection. */
export const listFiles = async (context: Context, { connection, query }: CallOf<'list'>) =>
  pageRows(await filesOf(context, connection), query)

/** Lists the tabs of a file. */
export const listTabs = async (context: Context, { connection, query }: CallOf<'tabs'>) =>
  pageRows(await tabsOf(context, connection, query.spreadsheetId), query)

/** Lists the files of a store that the query names, under the provider's own address. */
export const listFilesOfStore = async (context: Context, task: CallOf<'files'>) =>
  pageRows(await filesOf(context, await connectionOf(context, task, ['viewer', 'orders:read'])), task.query)

/** Lists the tabs of a file for a store that the query names, under the provider's own address. */
export const listTabsOfStoreFile = async (context: Context, task: CallOf<'tabsOfFile'>) =>
  pageRows(await tabsOf(context, await connectionOf(context, task, ['admin', 'stores:write']), task.query.fileId), task.query)

async function connectionOf(
  context: Context,
  { adapter, caller, query }: CallOf<'files' | 'tabsOfFile'>,
  needed: StoreRight,
): Promise<SpreadsheetConnection> {
  const store = await accessStore(context, callerOf({ caller }), query.storeId, needed)
  const row = await findConnectionByKey(context.sql, store.id, adapter.slug)
  if (!row?.enabled) throw notEnabledError('spreadsheet', notEnabledSentences.notOfStore(adapter.label))
  return openConnection(context, 'spreadsheet', row)
}

const filesOf = (context: Context, connection: SpreadsheetConnection) =>
  callSpreadsheet(context, connection, 'list', (adapter, own) => adapter.list(own))

const tabsOf = (context: Context, connection: SpreadsheetConnection, spreadsheetId: string) =>
  callSpreadsheet(context, connection, 'tabs', (adapter, own) => adapter.tabs(own, spreadsheetId))

/** Reads the headers of a tab and the fields that they name. */
export async function readHeaders(context: Context, { connection, query: { spreadsheetId, tabId } }: CallOf<'headers'>) {
  const found = await callSpreadsheet(context, connection, 'headers', (adapter, own) => adapter.headers(own, { spreadsheetId, tabId }))
  return { headers: found, recognised: recognizeOrderHeaders(found) }
}

/** Creates a spreadsheet with headers. */
export const createSpreadsheet = (context: Context, { connection, body }: CallOf<'createSpreadsheet'>) =>
  makeSpreadsheet(context, connection, body)

function makeSpreadsheet(context: Context, connection: SpreadsheetConnection, file: NewFile): Promise<Spreadsheet> {
  const { title = TITLE, tab = TITLE, language = 'ar' } = file
  const columns = file.columns ?? defaultColumns(language)
  const request = { title, tab, headers: [keyHeaders[language], ...columns.map(({ header }) => header)] }
  return callSpreadsheet(context, connection, 'create', (adapter, own) => adapter.create(own, request))
}

/** Creates a spreadsheet and sets it as the sheet that receives the store's orders. */
export async function createTarget(context: Context, { connection, body: { title, tab, ...request } }: CallOf<'create'>) {
  const { language, columns } = request
  const created = await makeSpreadsheet(context, connection, {
    ...(title && { title }),
    ...(tab && { tab }),
    ...(language && { language }),
    ...(columns && { columns }),
  })
  return configureTarget(context, connection, { ...request, spreadsheetId: created.id, tabId: created.tabs[0]?.id ?? '' })
}

/** Returns the sheet that receives the store's orders. */
export const readTarget = async (context: Context, { connection }: CallOf<'target'>) =>
  presentSheetTarget(context.sql, await requireTarget(context, connection))

/** Sets the tab that receives the store's orders. */
export const setTarget = (context: Context, { connection, body }: CallOf<'configure'>) => configureTarget(context, connection, body)

/** Stops the export of orders. */
export async function stopTarget(context: Context, { connection }: CallOf<'stop'>) {
  await transaction(context.sql, (tx) => stopExport(tx, connection.row))
  return { stopped: true }
}

/** Sets the field of each column. */
export const setFieldMapping = (context: Context, { connection, body }: CallOf<'fieldMapping'>) =>
  changeColumns(context, connection, body.columns)

/** Writes missing headers again, clears the problem of the sheet and retries delayed rows at once. */
export async function syncHeaders(context: Context, { connection }: CallOf<'syncHeaders'>) {
  const target = await requireTarget(context, connection)
  const { keyHeader, columns, ...sheet } = target
  const found = await writeTargetHeaders(context, connection, sheet, keyHeader, columns)
  await transaction(context.sql, async (tx) => {
    await retryRows(tx, target)
    await resumeTarget(tx, target)
    await requestSheetWrite(tx, connection)
  })
  return { headers: found, recognised: recognizeOrderHeaders(found) }
}

/** Requests the row of an order again, also if a user deleted it. Throws `not_found` if there is no such order. */
export async function appendRow(context: Context, { connection, body: { orderId } }: CallOf<'appendRow'>) {
  const target = await requireTarget(context, connection)
  if (!(await findOrder(context.sql, { storeId: storeIdOf(target.projectId), id: orderId }))) throw notFound('The order')
  await transaction(context.sql, async (tx) => {
    await requestRow(tx, target, orderId)
    await requestSheetWrite(tx, connection)
  })
  return { orderId, state: 'waiting' as const }
}
