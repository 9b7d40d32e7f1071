import { foldHeader } from '../../../plugins/spreadsheet/headers.ts'
import type { NewFileTarget, NewTarget, SheetColumn, SheetTarget } from '../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Queryable, type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { lockConnectionForChange } from '../../integrations/connections/update-connection.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { orderStatuses } from '../../orders/statuses.ts'
import { callSpreadsheet } from './call-spreadsheet.ts'
import { defaultColumns, isKeyHeader, keyHeaders } from './columns/columns.ts'
import { presentSheetTarget } from './present.ts'
import { sheetExportErrors } from './sheet-export.errors.ts'
import type { SpreadsheetConnection } from './sheets.model.ts'
import {
  deleteRows,
  deleteTarget,
  findTarget,
  insertMissingRows,
  lockTarget,
  requestAllRows,
  retryRows,
  type SheetTargetRow,
  type TargetKey,
  upsertTarget,
} from './sheets.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** A tab is about to receive orders. A subscriber that imports orders from it throws. */
    'sheet.target_chosen': { projectId: string; connectionId: string; spreadsheetId: string; tabId: string }
  }
}

/** Largest number of past orders that are queued at once; the rest follow in later runs. */
export const BACKFILL_MAX = 20_000
/** Seconds after which missing orders are looked up again. Every transaction that is open now has ended by then. */
const FILLS_IN_SECONDS = 90
const DAYS_BACK_MAX = 90
const LANGUAGE = 'ar'

type TargetRequest = Pick<NewTarget, 'spreadsheetId' | 'tabId'> & Pick<NewFileTarget, 'language' | 'columns' | 'statuses' | 'since'>

/**
 * Sets the tab that receives a store's orders. If the tab stays the same, omitted options stay too. Writes its headers. Throws
 * `AdapterFailure`.
 */
export async function configureTarget(context: Context, connection: SpreadsheetConnection, request: TargetRequest): Promise<SheetTarget> {
  assertValid(request)
  const { id, projectId } = connection.row
  const { spreadsheetId, tabId } = request
  const headersPresent = await callSpreadsheet(context, connection, 'headers', (adapter, own) =>
    adapter.headers(own, { spreadsheetId, tabId }),
  )
  const { keyHeader, columns } = resolveColumns(await findTarget(context.sql, targetOf(connection)), request, headersPresent)
  await writeTargetHeaders(context, connection, request, keyHeader, columns)
  await transaction(context.sql, async (tx) => {
    await lockConnectionForChange(tx, connection.row)
    await publish(tx, 'sheet.target_chosen', { projectId, connectionId: id, spreadsheetId, tabId })
    await saveTarget(tx, connection, request, headersPresent, await lockTarget(tx, targetOf(connection)))
  })
  return presentSheetTarget(context.sql, invariant(await findTarget(context.sql, targetOf(connection)), 'A sheet that was set up'))
}

/** Changes which field each column of the sheet holds. */
export async function changeColumns(context: Context, connection: SpreadsheetConnection, columns: SheetColumn[]): Promise<SheetTarget> {
  const { spreadsheetId, tabId } = await requireTarget(context, connection)
  return configureTarget(context, connection, { spreadsheetId, tabId, columns })
}

/** Returns true if the connection exports orders to a sheet. */
export const hasTarget = async (sql: Queryable, target: TargetKey) => (await findTarget(sql, target)) !== undefined

/** Returns the sheet that receives the store's orders. Throws `not_found` if none is configured. */
export async function requireTarget({ sql }: Context, connection: SpreadsheetConnection): Promise<SheetTargetRow> {
  const target = await findTarget(sql, targetOf(connection))
  if (!target) throw notFound('A sheet for the orders of the store; POST …/configure sets one. It')
  return target
}

/** Stops the export. The rows in the sheet stay. */
export const stopExport = (tx: Tx, { id, projectId }: Pick<SpreadsheetConnection['row'], 'id' | 'projectId'>): Promise<void> =>
  deleteTarget(tx, { projectId, connectionId: id })

/** Writes the headers of a sheet and returns those that it then has. */
export const writeTargetHeaders = (
  context: Context,
  connection: SpreadsheetConnection,
  { spreadsheetId, tabId }: Pick<TargetRequest, 'spreadsheetId' | 'tabId'>,
  keyHeader: string,
  columns: readonly SheetColumn[],
): Promise<string[]> => {
  const headers = [keyHeader, ...columns.map(({ header }) => header)]
  return callSpreadsheet(context, connection, 'writeHeaders', (adapter, own) =>
    adapter.writeHeaders(own, { spreadsheetId, tabId }, headers),
  )
}

/** Enqueues the job that writes the waiting orders. */
export const requestSheetWrite = (tx: Tx, { row }: SpreadsheetConnection) =>
  enqueue(tx, 'sheets.write', { connectionId: row.id }, { key: `sheets:${row.id}`, owner: row.projectId, maxAttempts: 1 })

const targetOf = ({ row: { id, projectId } }: SpreadsheetConnection): TargetKey => ({ projectId, connectionId: id })

async function saveTarget(
  tx: Tx,
  connection: SpreadsheetConnection,
  request: TargetRequest,
  headersPresent: readonly string[],
  before: SheetTargetRow | undefined,
): Promise<void> {
  const key = targetOf(connection)
  const same = before && isSame(before, request) ? before : undefined
  const { keyHeader, columns } = resolveColumns(before, request, headersPresent)
  const { spreadsheetId, tabId } = request
  const statuses = request.statuses === undefined ? (same?.statuses ?? null) : request.statuses
  const since = request.since ?? same?.since ?? new Date().toISOString()
  const generation = same?.generation ?? newId('gen')
  if (!same) await deleteRows(tx, key)
  await upsertTarget(tx, { ...key, generation, spreadsheetId, tabId, keyHeader, columns, statuses, since }, FILLS_IN_SECONDS)
  await insertMissingRows(tx, key, BACKFILL_MAX)
  await retryRows(tx, key)
  if (same && !Bun.deepEquals(same.columns, columns)) await requestAllRows(tx, key)
  await requestSheetWrite(tx, connection)
}

const isSame = (before: SheetTargetRow, { spreadsheetId, tabId }: TargetRequest) =>
  before.spreadsheetId === spreadsheetId && before.tabId === tabId

/** Returns the key column and columns of the sheet. The same tab keeps its key column, by which existing rows are found. */
function resolveColumns(
  before: SheetTargetRow | undefined,
  request: TargetRequest,
  headersPresent: readonly string[],
): Pick<SheetTargetRow, 'keyHeader' | 'columns'> {
  const same = before && isSame(before, request) ? before : undefined
  const language = request.language ?? LANGUAGE
  const keyHeader = same?.keyHeader ?? headersPresent.find(isKeyHeader) ?? keyHeaders[language]
  const columns = request.columns ?? same?.columns ?? defaultColumns(language)
  assertDifferent(keyHeader, columns)
  return { keyHeader, columns }
}

function assertValid({ statuses, since }: TargetRequest): void {
  const unknownStatus = statuses?.find((status) => !orderStatuses.some((one) => one === status))
  if (unknownStatus !== undefined)
    throw sheetExportErrors.statusUnknown({ unknownStatus, orderStatuses: orderStatuses.join(', ') }, { field: ['statuses'] })
  if (since !== undefined && Date.parse(since) < Date.now() - DAYS_BACK_MAX * DAY_MS)
    throw sheetExportErrors.tooManyDays({ daysBackMax: DAYS_BACK_MAX }, { field: ['since'] })
}

function assertDifferent(keyHeader: string, columns: readonly SheetColumn[]): void {
  const headers = [keyHeader, ...columns.map(({ header }) => header)].map(foldHeader)
  const repeated = columns.find((_, at) => headers.indexOf(headers[at + 1] ?? '') !== at + 1)
  if (repeated) throw sheetExportErrors.headerRepeated({ header: repeated.header }, { field: ['columns'] })
}
