import { foldHeader } from '../../../plugins/spreadsheet/headers.ts'
import type { NewFileTarget, NewTarget, SheetColumn, SheetTarget } from '../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { invalidValue, notFound } from '../../http/errors/errors.ts'
import { holdConnection } from '../../integrations/connections/note.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { ask } from './ask.ts'
import { isKeyHeader, keyHeaders, usualColumns } from './columns/columns.ts'
import { present } from './present.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'
import {
  deleteRows,
  deleteTarget,
  fillRows,
  findTarget,
  lockTarget,
  putTarget,
  retryRows,
  type TargetRow,
  wantAll,
} from './sheets.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Orders are to be written into a tab. Who takes orders from there throws. */
    'sheet.choosing': { connectionId: string; spreadsheetId: string; tabId: string }
  }
}

/** Orders that are taken up at once where a sheet begins in the past; the others follow. */
export const FILLED_MAX = 20_000
/** No transaction is open for so long. */
const FILLS_IN_SECONDS = 90
const DAYS_BACK_MAX = 90
const DAY_MS = 86_400_000
const LANGUAGE = 'ar'

type Wanted = Pick<NewTarget, 'spreadsheetId' | 'tabId'> & Pick<NewFileTarget, 'language' | 'columns' | 'statuses' | 'since'>

/** Lets the orders of a store go to a tab. Of the same tab all stays that is not said. Throws what the other side refused. */
export async function configure(context: Context, connection: SpreadsheetConnection, wanted: Wanted): Promise<SheetTarget> {
  assertSane(wanted)
  const { id } = connection.row
  const { spreadsheetId, tabId } = wanted
  const standing = await ask(context, connection, 'headers', (adapter, own) => adapter.headers(own, { spreadsheetId, tabId }))
  const { keyHeader, columns } = settled(await findTarget(context.sql, id), wanted, standing)
  await writeHeadersOf(context, connection, wanted, keyHeader, columns)
  await transaction(context.sql, async (tx) => {
    await holdConnection(tx, id)
    await publish(tx, 'sheet.choosing', { connectionId: id, spreadsheetId, tabId })
    await save(tx, connection, wanted, standing, await lockTarget(tx, id))
  })
  return present(context.sql, invariant(await findTarget(context.sql, id), 'A sheet that was set up'))
}

/** Says what stands in which column. */
export async function mapFields(context: Context, connection: SpreadsheetConnection, columns: SheetColumn[]): Promise<SheetTarget> {
  const { spreadsheetId, tabId } = await targetOf(context, connection)
  return configure(context, connection, { spreadsheetId, tabId, columns })
}

/** Whether orders are written somewhere by this connection. */
export const isWritten = async (sql: Queryable, connectionId: string) => (await findTarget(sql, connectionId)) !== undefined

export async function targetOf({ sql }: Context, { row }: SpreadsheetConnection): Promise<TargetRow> {
  const target = await findTarget(sql, row.id)
  if (!target) throw notFound('A sheet for the orders of the store; POST …/configure names one. It')
  return target
}

/** Nothing more is written; what stands in the sheet stays. */
export const stopFor = (tx: Tx, connectionId: string): Promise<void> => deleteTarget(tx, connectionId)

export const writeHeadersOf = (
  context: Context,
  connection: SpreadsheetConnection,
  { spreadsheetId, tabId }: Pick<Wanted, 'spreadsheetId' | 'tabId'>,
  keyHeader: string,
  columns: readonly SheetColumn[],
): Promise<string[]> => {
  const headers = [keyHeader, ...columns.map(({ header }) => header)]
  return ask(context, connection, 'writeHeaders', (adapter, own) => adapter.writeHeaders(own, { spreadsheetId, tabId }, headers))
}

/** The orders that wait are written soon, by whoever has time. */
export const wake = (tx: Tx, { row }: SpreadsheetConnection) =>
  enqueue(tx, 'sheets.write', { connectionId: row.id }, { key: `sheets:${row.id}`, owner: row.projectId, maxAttempts: 1 })

async function save(
  tx: Tx,
  connection: SpreadsheetConnection,
  wanted: Wanted,
  standing: readonly string[],
  before: TargetRow | undefined,
): Promise<void> {
  const { id: connectionId, storeId } = connection.row
  const same = before && isSame(before, wanted) ? before : undefined
  const { keyHeader, columns } = settled(before, wanted, standing)
  const { spreadsheetId, tabId } = wanted
  const statuses = wanted.statuses === undefined ? (same?.statuses ?? null) : wanted.statuses
  const since = wanted.since ?? same?.since ?? new Date().toISOString()
  const generation = same?.generation ?? newId('gen')
  if (!same) await deleteRows(tx, connectionId)
  await putTarget(tx, { connectionId, storeId, generation, spreadsheetId, tabId, keyHeader, columns, statuses, since }, FILLS_IN_SECONDS)
  await fillRows(tx, connectionId, FILLED_MAX)
  await retryRows(tx, connectionId)
  if (same && !Bun.deepEquals(same.columns, columns)) await wantAll(tx, connectionId)
  await wake(tx, connection)
}

const isSame = (before: TargetRow, { spreadsheetId, tabId }: Wanted) => before.spreadsheetId === spreadsheetId && before.tabId === tabId

/** Rows that stand are known by their column: the same tab keeps its. */
function settled(before: TargetRow | undefined, wanted: Wanted, standing: readonly string[]): Pick<TargetRow, 'keyHeader' | 'columns'> {
  const same = before && isSame(before, wanted) ? before : undefined
  const language = wanted.language ?? LANGUAGE
  const keyHeader = same?.keyHeader ?? standing.find(isKeyHeader) ?? keyHeaders[language]
  const columns = wanted.columns ?? same?.columns ?? usualColumns(language)
  assertDifferent(keyHeader, columns)
  return { keyHeader, columns }
}

function assertSane({ statuses, since }: Wanted): void {
  const strange = statuses?.find((status) => !orderStatuses.some((one) => one === status))
  if (strange !== undefined)
    throw invalidValue('/body/statuses', `"${strange}" is no status of an order. There are: ${orderStatuses.join(', ')}.`)
  if (since !== undefined && Date.parse(since) < Date.now() - DAYS_BACK_MAX * DAY_MS)
    throw invalidValue('/body/since', `Orders of the last ${DAYS_BACK_MAX} days can be written, and none before.`)
}

function assertDifferent(keyHeader: string, columns: readonly SheetColumn[]): void {
  const headers = [keyHeader, ...columns.map(({ header }) => header)].map(foldHeader)
  const twice = columns.find((_, at) => headers.indexOf(headers[at + 1] ?? '') !== at + 1)
  if (twice) throw invalidValue('/body/columns', `"${twice.header}" is the header of another column, too. Give each its own.`)
}
