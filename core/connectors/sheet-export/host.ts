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

type Of<N extends OperationName<'spreadsheet'>> = OperationCall<'spreadsheet', N>

const TITLE = 'Orders'

export const list = async (context: Context, { connection, query }: Of<'list'>) => pageRows(await filesOf(context, connection), query)

export const tabs = async (context: Context, { connection, query }: Of<'tabs'>) =>
  pageRows(await tabsOf(context, connection, query.spreadsheetId), query)

/** The same at addresses under the brand's own name, which name the store in the query. */
export const files = async (context: Context, task: Of<'files'>) =>
  pageRows(await filesOf(context, await connectionOf(context, task, ['viewer', 'orders:read'])), task.query)

export const tabsOfFile = async (context: Context, task: Of<'tabsOfFile'>) =>
  pageRows(await tabsOf(context, await connectionOf(context, task, ['admin', 'stores:write']), task.query.fileId), task.query)

async function connectionOf(
  context: Context,
  { adapter, caller, query }: Of<'files' | 'tabsOfFile'>,
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

export async function headers(context: Context, { connection, query: { spreadsheetId, tabId } }: Of<'headers'>) {
  const found = await ask(context, connection, 'headers', (adapter, own) => adapter.headers(own, { spreadsheetId, tabId }))
  return { headers: found, recognised: recognised(found) }
}

export const createSpreadsheet = (context: Context, { connection, body }: Of<'createSpreadsheet'>) => make(context, connection, body)

function make(context: Context, connection: SpreadsheetConnection, asked: NewFile): Promise<Spreadsheet> {
  const { title = TITLE, tab = TITLE, language = 'ar' } = asked
  const columns = asked.columns ?? usualColumns(language)
  const wanted = { title, tab, headers: [keyHeaders[language], ...columns.map(({ header }) => header)] }
  return ask(context, connection, 'create', (adapter, own) => adapter.create(own, wanted))
}

/** Makes a spreadsheet, and lets the orders of the store go there. */
export async function create(context: Context, { connection, body: { title, tab, ...wanted } }: Of<'create'>) {
  const { language, columns } = wanted
  const made = await make(context, connection, {
    ...(title && { title }),
    ...(tab && { tab }),
    ...(language && { language }),
    ...(columns && { columns }),
  })
  return configure(context, connection, { ...wanted, spreadsheetId: made.id, tabId: made.tabs[0]?.id ?? '' })
}

export const target = async (context: Context, { connection }: Of<'target'>) => present(context.sql, await targetOf(context, connection))

export const setUp = (context: Context, { connection, body }: Of<'configure'>) => configure(context, connection, body)

export async function end(context: Context, { connection }: Of<'stop'>) {
  await transaction(context.sql, (tx) => stopFor(tx, connection.row.id))
  return { stopped: true }
}

export const fieldMapping = (context: Context, { connection, body }: Of<'fieldMapping'>) => mapFields(context, connection, body.columns)

/** What somebody took away is put back, and what could not be written is tried again at once. */
export async function syncHeaders(context: Context, { connection }: Of<'syncHeaders'>) {
  const { connectionId, keyHeader, columns, ...sheet } = await targetOf(context, connection)
  const found = await writeHeadersOf(context, connection, sheet, keyHeader, columns)
  await transaction(context.sql, async (tx) => {
    await retryRows(tx, connectionId)
    await recover(tx, connectionId)
    await wake(tx, connection)
  })
  return { headers: found, recognised: recognised(found) }
}

export async function appendRow(context: Context, { connection, body: { orderId } }: Of<'appendRow'>) {
  const { connectionId, storeId } = await targetOf(context, connection)
  if (!(await findOrder(context.sql, { storeId, id: orderId }))) throw notFound('The order')
  await transaction(context.sql, async (tx) => {
    await wantRow(tx, { connectionId, storeId }, orderId)
    await wake(tx, connection)
  })
  return { orderId, state: 'waiting' as const }
}
