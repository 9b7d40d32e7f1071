import { placeOf } from '../../../../plugins/spreadsheet/headers.ts'
import type { Sheet, SheetTab } from '../../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { ApiError, invalidValue, notFound } from '../../../http/errors/errors.ts'
import { holdConnection } from '../../../integrations/connections/note.ts'
import { lowestIdAt, newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { ask } from '../../sheet-export/ask.ts'
import type { SpreadsheetConnection } from '../../sheet-export/sheets.model.ts'
import { takeOver } from '../inbox/transfer-orders.ts'
import { requestPull } from '../orders/pull.ts'
import { AT_ONCE, NAMED } from './book.ts'
import { type RowColumn, recognisedInRows } from './fields.ts'
import { nameHeaders, standingOf, stateHeaders } from './header-words.ts'
import type { NewRowSource, RowSource } from './rows.model.ts'
import { findSource, insertSource, listEarlier, putSource, type SourceRow } from './sources.queries.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Rows of a tab are to become orders. Who writes orders there throws. */
    'rows.choosing': { connectionId: string; spreadsheetId: string; tabId: string }
  }
}

const LANGUAGE = 'ar'
/** Whoever names rows next may be so far behind: theirs are new. */
const CLOCKS_MS = 60_000

/** Lets rows of what this connection reaches become orders, once it is said which. */
export const beginRows = (tx: Tx, { id: connectionId, storeId }: { readonly id: string; readonly storeId: string }) =>
  insertSource(tx, { connectionId, storeId, generation: newId('gen') })

/** Has the rows of a tab become orders. Of the same tab all stays that is not said. Throws what the other side refused. */
export async function configureRows(context: Context, connection: SpreadsheetConnection, wanted: NewRowSource): Promise<RowSource> {
  const { id: connectionId, storeId } = connection.row
  const { spreadsheetId } = wanted
  const tabId = await tabOf(context, connection, wanted)
  const before = await findSource(context.sql, connectionId)
  const same = before?.spreadsheetId === spreadsheetId && before.tabId === tabId ? before : undefined
  const language = wanted.language ?? same?.language ?? LANGUAGE
  const sheet = { spreadsheetId, tabId }
  const standing = await ask(context, connection, 'headers', (adapter, own) => adapter.headers(own, sheet))
  const columns = wanted.columns ?? same?.columns ?? recognisedInRows(standing)
  assertEnough(columns, standing)
  const headers = {
    nameHeader: same?.nameHeader ?? standingOf(nameHeaders, standing) ?? nameHeaders[language],
    stateHeader: same?.stateHeader ?? standingOf(stateHeaders, standing) ?? stateHeaders[language],
  }
  if (same && placeOf(standing, headers.nameHeader) < 0) throw lostNames(headers.nameHeader)
  const old = same ?? (await oldIn(context, connection, sheet, wanted))
  await ask(context, connection, 'writeHeaders', (adapter, own) =>
    adapter.writeHeaders(own, sheet, [headers.nameHeader, headers.stateHeader]),
  )
  await transaction(context.sql, async (tx) => {
    await holdConnection(tx, connectionId)
    // It may have been deleted while its sheet was read.
    if (!(await findSource(tx, connectionId))) throw notFound('The connector')
    await publish(tx, 'rows.choosing', { connectionId, spreadsheetId, tabId })
    if (!same) await takeOverEarlier(tx, connection)
    // What is read otherwise now is read anew.
    const { oldRows, namesFrom } = old
    const kept = { connectionId, storeId, spreadsheetId, tabId, columns, language, oldRows, namesFrom, ...headers }
    await putSource(tx, { ...kept, generation: newId('gen') })
    await recordAudit(tx, { storeId }, { what: 'connector.configured', thing: connectionId, after: { spreadsheetId, tabId } })
    await requestPull(tx, connection.row, new Date(0).toISOString())
  })
  return presentSource(invariant(await findSource(context.sql, connectionId), 'A tab that was set up'))
}

/** Rows that became orders by a connection that is gone are these orders still, by whichever they are read. */
async function takeOverEarlier(tx: Tx, { row: { id, storeId, key } }: SpreadsheetConnection): Promise<void> {
  for (const earlier of await listEarlier(tx, { storeId, key })) await takeOver(tx, earlier.id, id)
}

/** Says what stands in which column; rows whose orders come out otherwise then are followed. */
export async function mapRowFields(context: Context, connection: SpreadsheetConnection, columns: RowColumn[]): Promise<RowSource> {
  const { spreadsheetId = null, tabId = null } = (await findSource(context.sql, connection.row.id)) ?? {}
  if (spreadsheetId === null || tabId === null) throw notFound('A tab with orders; POST …/configure names one. It')
  return configureRows(context, connection, { spreadsheetId, tabId, columns })
}

export const presentSource = ({ connectionId, oldRows: _, generation: __, namesFrom: ___, ...source }: SourceRow): RowSource => ({
  connectorId: connectionId,
  ...source,
  nameHeader: source.nameHeader ?? nameHeaders[source.language],
  stateHeader: source.stateHeader ?? stateHeaders[source.language],
})

/** The tab that is meant, by its id or by what people call it. */
async function tabOf(context: Context, connection: SpreadsheetConnection, { spreadsheetId, tabId, sheetName }: NewRowSource) {
  if (tabId !== undefined) return tabId
  if (sheetName === undefined) throw invalidValue('/body/tabId', 'Say which tab: by its id, or as `sheetName` by what it is called.')
  const tabs = await ask(context, connection, 'tabs', (adapter, own) => adapter.tabs(own, spreadsheetId))
  return tabCalled(tabs, sheetName, '/body/sheetName').id
}

/** The tab of this title, or else of this id. Throws where there is none. */
export function tabCalled(tabs: readonly SheetTab[], name: string, at: string): SheetTab {
  const tab = tabs.find(({ title }) => title === name) ?? tabs.find(({ id }) => id === name)
  if (!tab)
    throw invalidValue(
      at,
      `There is no tab "${name.slice(0, 80)}". There are: ${tabs
        .map(({ title }) => title)
        .join(', ')
        .slice(0, 300)}.`,
    )
  return tab
}

/** Without goods and a number to call nothing can be sent. */
function assertEnough(columns: readonly RowColumn[], standing: readonly string[]): void {
  const lacking = columns.find(({ header }) => placeOf(standing, header) < 0)
  if (lacking) throw invalidValue('/body/columns', `The tab has no column "${lacking.header}".`)
  const fields = columns.map(({ field }) => field)
  const twice = fields.find((field, at) => fields.indexOf(field) !== at)
  if (twice) throw invalidValue('/body/columns', `Two columns are to hold "${twice}". Leave one out.`)
  if (!fields.includes('phone'))
    throw invalidValue('/body/columns', 'No column is known to hold the phone number. Say which, by `columns`.')
  if (!fields.includes('products') && !fields.includes('sku'))
    throw invalidValue('/body/columns', 'No column is known to hold the product. Say which, by `columns`.')
}

const lostNames = (header: string) =>
  new ApiError(
    'conflict',
    `The tab has no column "${header}" any more, by which its rows are known: they would all come again. Put its header back, or choose another tab.`,
  )

/** What stands in a tab already: rows without a name, up to the last, and names that were given before this moment. */
async function oldIn(
  context: Context,
  connection: SpreadsheetConnection,
  sheet: Sheet,
  { existing }: NewRowSource,
): Promise<Pick<SourceRow, 'oldRows' | 'namesFrom'>> {
  if (existing) return { oldRows: 0, namesFrom: null }
  return { namesFrom: lowestIdAt(NAMED, Date.now() - CLOCKS_MS), oldRows: await rowsIn(context, connection, sheet) }
}

const FARTHEST = 2 ** 20

/** How many rows stand there, roughly: as far as something does. */
async function rowsIn(context: Context, connection: SpreadsheetConnection, sheet: Sheet): Promise<number> {
  const standsFrom = async (from: number) =>
    (await ask(context, connection, 'read', (adapter, own) => adapter.read(own, sheet, { from, count: AT_ONCE }))).length
  let [some, none] = [0, 1]
  while (none <= FARTHEST && (await standsFrom(none * AT_ONCE + 2)) > 0) [some, none] = [none, none * 2]
  for (let middle = (some + none) >> 1; middle > some; middle = (some + none) >> 1)
    if ((await standsFrom(middle * AT_ONCE + 2)) > 0) some = middle
    else none = middle
  const from = some * AT_ONCE + 2
  return from - 1 + (await standsFrom(from))
}
