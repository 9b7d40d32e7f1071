import type { Context } from '../../context.ts'
import { type Sql, savepoint, type Tx, transaction } from '../../data/sql.ts'
import { currentTenant, runAs, setTenant } from '../../data/tenant-context.ts'
import { describeError } from '../../lib/errors/describe-error.ts'
import { isRefusal } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Store } from '../stores/stores.model.ts'
import { findStore } from '../stores/stores.queries.ts'
import type { AppliedRow, CutRow, ImportKind, RowResult } from './imports.model.ts'
import {
  completeImport,
  deleteImportsOlderThan,
  findImport,
  findRowResult,
  type ImportKey,
  listWaitingRows,
  lockImport,
  updateRowResult,
} from './imports.queries.ts'

/** Rows applied in one transaction: the most that a crash repeats. */
const ROWS_PER_STEP = 20
/** Rows of a dry run in one transaction. A group at its end may extend it up to {@link DRY_RUN_ROWS_MAX}. */
const DRY_RUN_ROWS_PER_STEP = 200
const DRY_RUN_ROWS_MAX = 500
const KEPT_DAYS = 30

/** Way to import the rows of one kind of sheet. */
export interface Importer<Input> {
  readonly kind: ImportKind
  /** Creates or updates the entity of a row. Throws where the row is refused; the row is then rolled back. */
  apply(tx: Tx, store: Store, input: Input): Promise<AppliedRow>
  /** Returns the group of a row, or null. Rows of one group need each other, such as variants their product. */
  groupOf(input: Input): string | null
}

/** Input of a row that belongs to an earlier row and shares its result. `isRepeat` marks a repetition of that row. */
export interface ContinuationRow {
  readonly continues: number
  readonly isRepeat: boolean
}

interface PendingRow {
  readonly row: number
  readonly input: unknown
}
type NumberedResult = RowResult & { readonly row: number }

/**
 * Runs an import step by step as the actor who started it, until all rows have a result. Several processes may run one import: locks give
 * them different steps.
 */
export async function runImport<Input>(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  importer: Importer<Input>,
  { storeId, importId: id }: { readonly storeId: string; readonly importId: string },
  signal?: AbortSignal,
): Promise<void> {
  const found = await findImport(sql, importer.kind, id)
  if (!found) return
  const { dryRun, actor } = found
  const step = () => (dryRun ? dryRunStep(sql, importer, { storeId, id }) : runStep(sql, importer, { storeId, id }))
  await runAs(currentTenant(), async () => {
    if (actor) setTenant(currentTenant(), actor)
    while (!(await step())) signal?.throwIfAborted()
  })
  const done = await findImport(sql, importer.kind, id)
  if (done && done.failed > 0)
    log.info({ importId: id, storeId, kind: done.kind, total: done.total, failed: done.failed }, 'an import has failed rows')
}

/** Applies the next rows. Returns true where the import is complete. */
const runStep = <Input>(sql: Sql, importer: Importer<Input>, key: ImportKey): Promise<boolean> =>
  transaction(sql, async (tx) => {
    const store = await findStore(tx, key.storeId)
    if (!(await lockImport(tx, key))) return true
    const rows = store ? await listWaitingRows(tx, key, ROWS_PER_STEP) : []
    for (const result of await applyRows(tx, importer, key, store, rows)) await recordResult(tx, key, result)
    if (rows.length === ROWS_PER_STEP) return false
    await completeImport(tx, key)
    return true
  })

/** Rolls back the transaction of a dry run and carries its results out. */
class DryRunRollback extends Error {
  constructor(readonly results: readonly NumberedResult[]) {
    super('The rows were tried.')
  }
}

/** Applies the next rows in a transaction that is rolled back, and records the results. Returns true where the import is complete. */
async function dryRunStep<Input>(sql: Sql, importer: Importer<Input>, key: ImportKey): Promise<boolean> {
  const results = await transaction(sql, async (tx): Promise<readonly NumberedResult[]> => {
    const store = await findStore(tx, key.storeId)
    if (!(await lockImport(tx, key))) return []
    const rows = store ? untilGroupEnd(await listWaitingRows(tx, key, DRY_RUN_ROWS_MAX), importer) : []
    throw new DryRunRollback(await applyRows(tx, importer, key, store, rows))
  }).catch((error: unknown) => {
    if (error instanceof DryRunRollback) return error.results
    throw error
  })
  return transaction(sql, async (tx) => {
    if (!(await lockImport(tx, key))) return true
    const waiting = new Set((await listWaitingRows(tx, key, DRY_RUN_ROWS_MAX)).map(({ row }) => row))
    for (const result of results) if (waiting.delete(result.row)) await recordResult(tx, key, withoutCreatedId(result))
    if (waiting.size > 0) return false
    await completeImport(tx, key)
    return true
  })
}

/** Removes the id of an entity whose creation was rolled back. */
const withoutCreatedId = (result: NumberedResult): NumberedResult => (result.status === 'created' ? { ...result, resultId: null } : result)

/** Cuts the rows at the end of a group, so that a step contains whole groups. */
function untilGroupEnd<Input>(rows: readonly PendingRow[], { groupOf }: Importer<Input>): readonly PendingRow[] {
  let end = Math.min(DRY_RUN_ROWS_PER_STEP, rows.length)
  const isSame = ({ input }: PendingRow, before: PendingRow) =>
    isContinuation(input) ||
    (!isCut(input) &&
      !isCut(before.input) &&
      groupOf(input as Input) !== null &&
      groupOf(input as Input) === groupOf(before.input as Input))
  for (let next = rows[end]; next && isSame(next, invariant(rows[end - 1], 'The row before')); next = rows[end]) end += 1
  return rows.slice(0, end)
}

const recordResult = (tx: Tx, key: ImportKey, { row, ...result }: NumberedResult) => updateRowResult(tx, key, row, result)

const isCut = (input: unknown): input is CutRow => typeof input === 'object' && input !== null && 'isCut' in input
const CUT_RESULT: RowResult = {
  status: 'failed',
  resultId: null,
  warnings: null,
  error: {
    code: 'invalid_request',
    message:
      'A cell has no heading: a separator cuts a text or an amount in two. Put quotation marks around it, or save the sheet with another separator.',
  },
}

const isContinuation = (input: unknown): input is ContinuationRow => typeof input === 'object' && input !== null && 'continues' in input

async function applyRows<Input>(
  tx: Tx,
  importer: Importer<Input>,
  key: ImportKey,
  store: Store | undefined,
  rows: readonly PendingRow[],
): Promise<readonly NumberedResult[]> {
  const results: NumberedResult[] = []
  for (const { row, input } of rows) {
    const result = isCut(input)
      ? CUT_RESULT
      : isContinuation(input)
        ? sharedResult(input, results.find((one) => one.row === input.continues) ?? (await findRowResult(tx, key, input.continues)))
        : await applyRow(tx, importer, invariant(store, 'The store of a sheet'), input as Input)
    results.push({ ...result, row })
  }
  return results
}

function sharedResult({ isRepeat }: ContinuationRow, result: RowResult | undefined): RowResult {
  const { status, ...shared } = invariant(result, 'The row that another belongs to')
  return { ...shared, status: isRepeat && status === 'created' ? 'repeated' : status }
}

/** Applies a row in a savepoint. A refused row is rolled back and does not stop the others. */
async function applyRow<Input>(tx: Tx, { apply }: Importer<Input>, store: Store, input: Input): Promise<RowResult> {
  try {
    const { warnings = [], ...applied } = await savepoint(tx, (inner) => apply(inner, store, input))
    return { ...applied, error: null, warnings: warnings.length > 0 ? warnings : null }
  } catch (error) {
    const refused = refusalFrom(error)
    if (!refused) throw error
    // Error messages quote the start of a cell, which may end inside a surrogate pair.
    return { status: 'failed', resultId: null, warnings: null, error: { ...refused, message: refused.message.toWellFormed() } }
  }
}

/** Classes of PostgreSQL errors: data exceptions, and exceeded limits, such as that of an index. */
const UNSTORABLE = /^(?:22|54)/
const UNIQUE_VIOLATION = '23505'

/** Returns the error that a row is refused with; null where the failure is not caused by the row. */
function refusalFrom(error: unknown): RowResult['error'] {
  if (isRefusal(error)) return { code: error.code, message: describeError(error) }
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (code === UNIQUE_VIOLATION)
    return {
      code: 'conflict',
      message: 'This sku, slug or reference was used by another request at the same moment. Import the row again.',
    }
  return UNSTORABLE.test(code) ? { code: 'invalid_request', message: 'The row has a value that cannot be stored.' } : null
}

/** Deletes imports that were completed more than 30 days ago. */
export const deleteOldImports = ({ sql }: Pick<Context, 'sql'>) => deleteImportsOlderThan(sql, KEPT_DAYS).then(() => {})
