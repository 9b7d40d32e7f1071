import type { NewFile, Spreadsheet } from '../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { callerOf } from '../../http/auth/auth.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import { notFound } from '../../http/errors/errors.ts'
import { pageRows } from '../../integrations/connections/calls/page-rows.ts'
import { notEnabled, openConnection } from '../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import type { OperationCall, OperationName } from '../../integrations/operations/operation-registry.ts'
import { findOrder } from '../../orders/orders.queries.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { ask } from './ask.ts'
import { keyHeaders, recognised, usualColumns } from './columns/columns.ts'
import { configure, mapFields, stopFor, targetOf, wake, writeHeadersOf } from './configure.ts'
import { present } from './present.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'
import { recover, retryRows, wantRow } from './sheets.queries.ts'

type CallOf<N extends OperationName<'spreadsheet'>> = OperationCall<'spreadsheet', N>

const TITLE = 'Orders'

/** Lists the files of a connection. */
export const list = async (context: Context, { connection, query }: CallOf<'list'>) => pageRows(await filesOf(context, connection), query)

/** Lists the tabs of a file. */
export const tabs = async (context: Context, { connection, query }: CallOf<'tabs'>) =>
  pageRows(await tabsOf(context, connection, query.spreadsheetId), query)

/** Lists the files of a store that the query names, under the provider's own address. */
export const files = async (context: Context, task: CallOf<'files'>) =>
  pageRows(await filesOf(context, await connectionOf(context, task, ['viewer', 'orders:read'])), task.query)

/** Lists the tabs of a file for a store that the query names, under the provider's own address. */
export const tabsOfFile = async (context: Context, task: CallOf<'tabsOfFile'>) =>
  pageRows(await tabsOf(context, await connectionOf(context, task, ['admin', 'stores:write']), task.query.fileId), task.query)

async function connectionOf(
  context: Context,
  { adapter, caller, query }: CallOf<'files' | 'tabsOfFile'>,
  needed: StoreRight,
): Promise<SpreadsheetConnection> {
  const store = await accessStore(context, callerOf({ caller }), query.storeId, needed)
  const row = await findConnectionByKey(context.sql, store.id, adapter.slug)
  if (!row?.enabled) throw notEnabled('spreadsheet', `The store has not enabled ${adapter.label}.`)
  return openConnection(context, 'spreadsheet', row)
}

const filesOf = (context: Context, connection: SpreadsheetConnection) =>
  ask(context, connection, 'list', (adapter, own) => adapter.list(own))

const tabsOf = (context: Context, connection: SpreadsheetConnection, spreadsheetId: string) =>
  ask(context, connection, 'tabs', (adapter, own) => adapter.tabs(own, spreadsheetId))

/** Reads the headers of a tab and the fields that they name. */
export async function headers(context: Context, { connection, query: { spreadsheetId, tabId } }: CallOf<'headers'>) {
  const found = await ask(context, connection, 'headers', (adapter, own) => adapter.headers(own, { spreadsheetId, tabId }))
  return { headers: found, recognised: recognised(found) }
}

/** Creates a spreadsheet with headers. */
export const createSpreadsheet = (context: Context, { connection, body }: CallOf<'createSpreadsheet'>) =>
  makeSpreadsheet(context, connection, body)

function makeSpreadsheet(context: Context, connection: SpreadsheetConnection, file: NewFile): Promise<Spreadsheet> {
  const { title = TITLE, tab = TITLE, language = 'ar' } = file
  const columns = file.columns ?? usualColumns(language)
  const request = { title, tab, headers: [keyHeaders[language], ...columns.map(({ header }) => header)] }
  return ask(context, connection, 'create', (adapter, own) => adapter.create(own, request))
}

/** Creates a spreadsheet and sets it as the sheet that receives the store's orders. */
export async function create(context: Context, { connection, body: { title, tab, ...request } }: CallOf<'create'>) {
  const { language, columns } = request
  const created = await makeSpreadsheet(context, connection, {
    ...(title && { title }),
    ...(tab && { tab }),
    ...(language && { language }),
    ...(columns && { columns }),
  })
  return configure(context, connection, { ...request, spreadsheetId: created.id, tabId: created.tabs[0]?.id ?? '' })
}

/** Returns the sheet that receives the store's orders. */
export const target = async (context: Context, { connection }: CallOf<'target'>) =>
  present(context.sql, await targetOf(context, connection))

/** Sets the tab that receives the store's orders. */
export const setUp = (context: Context, { connection, body }: CallOf<'configure'>) => configure(context, connection, body)

/** Stops the export of orders. */
export async function end(context: Context, { connection }: CallOf<'stop'>) {
  await transaction(context.sql, (tx) => stopFor(tx, connection.row.id))
  return { stopped: true }
}

/** Sets the field of each column. */
export const fieldMapping = (context: Context, { connection, body }: CallOf<'fieldMapping'>) => mapFields(context, connection, body.columns)

/** Writes missing headers again, clears the problem of the sheet and retries delayed rows at once. */
export async function syncHeaders(context: Context, { connection }: CallOf<'syncHeaders'>) {
  const { connectionId, keyHeader, columns, ...sheet } = await targetOf(context, connection)
  const found = await writeHeadersOf(context, connection, sheet, keyHeader, columns)
  await transaction(context.sql, async (tx) => {
    await retryRows(tx, connectionId)
    await recover(tx, connectionId)
    await wake(tx, connection)
  })
  return { headers: found, recognised: recognised(found) }
}

/** Requests the row of an order again, also if a user deleted it. Throws `not_found` if there is no such order. */
export async function appendRow(context: Context, { connection, body: { orderId } }: CallOf<'appendRow'>) {
  const { connectionId, storeId } = await targetOf(context, connection)
  if (!(await findOrder(context.sql, { storeId, id: orderId }))) throw notFound('The order')
  await transaction(context.sql, async (tx) => {
    await wantRow(tx, { connectionId, storeId }, orderId)
    await wake(tx, connection)
  })
  return { orderId, state: 'waiting' as const }
}
