import type { Context } from '../../context.ts'
import { type Sql, type Tx, transaction } from '../../data/sql.ts'
import { currentTenant, runAs, setTenant } from '../../data/tenant-context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Store } from '../stores/stores.model.ts'
import { findStore } from '../stores/stores.queries.ts'
import type { CutRow, ImportKind, RowResult } from './imports.model.ts'
import {
  completeImport,
  findImport,
  findRowResult,
  forgetImports,
  type ImportKey,
  lockImport,
  settleImportRow,
  waitingRows,
} from './imports.queries.ts'

/** Rows that are done in one transaction: what a crash repeats at most. */
const ROWS_A_STEP = 20
/** Rows that are tried together by a dry run, and with the rest of their group at most so many. */
const TRIED_A_STEP = 200
const TRIED_MAX = 500
const KEPT_DAYS = 30

/** How the rows of a sheet are done. */
export interface Importer<Input> {
  readonly kind: ImportKind
  /** Makes or changes what a row says. Throws what a row is refused for; the row leaves nothing behind then. */
  apply(tx: Tx, store: Store, input: Input): Promise<Omit<RowResult, 'error'>>
  /** Rows of one group need each other, such as variants their product. */
  groupOf(input: Input): string | null
}

/** A row that belongs to one above it, and shares what becomes of that. `isRepeat`: it says the same again. */
export interface Continued {
  readonly continues: number
  readonly isRepeat: boolean
}

interface Step {
  readonly row: number
  readonly input: unknown
}
type Result = RowResult & { readonly row: number }

/** Works through a sheet step by step, in the name of who asked for it. Others may work on it at the same time: they do other steps. */
export async function workImport<Input>(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  importer: Importer<Input>,
  { storeId, importId: id }: { readonly storeId: string; readonly importId: string },
  signal?: AbortSignal,
): Promise<void> {
  const found = await findImport(sql, importer.kind, id)
  if (!found) return
  const { dryRun, actor } = found
  const step = () => (dryRun ? tryStep(sql, importer, { storeId, id }) : workStep(sql, importer, { storeId, id }))
  await runAs(currentTenant(), async () => {
    if (actor) setTenant(currentTenant(), actor)
    while (!(await step())) signal?.throwIfAborted()
  })
  const done = await findImport(sql, importer.kind, id)
  if (done && done.failed > 0)
    log.info({ importId: id, storeId, kind: done.kind, total: done.total, failed: done.failed }, 'an import has failed rows')
}

/** Does the next rows. Returns whether the sheet is done. */
const workStep = <Input>(sql: Sql, importer: Importer<Input>, key: ImportKey): Promise<boolean> =>
  transaction(sql, async (tx) => {
    const store = await findStore(tx, key.storeId)
    if (!(await lockImport(tx, key))) return true
    const rows = store ? await waitingRows(tx, key, ROWS_A_STEP) : []
    for (const result of await resultsOf(tx, importer, key, store, rows)) await settle(tx, key, result)
    if (rows.length === ROWS_A_STEP) return false
    await completeImport(tx, key)
    return true
  })

class Tried extends Error {
  constructor(readonly results: readonly Result[]) {
    super('The rows were tried.')
  }
}

/** Tries the next rows in a transaction that is rolled back, and keeps what would have become of them. Returns whether the sheet is done. */
async function tryStep<Input>(sql: Sql, importer: Importer<Input>, key: ImportKey): Promise<boolean> {
  const results = await transaction(sql, async (tx): Promise<readonly Result[]> => {
    const store = await findStore(tx, key.storeId)
    if (!(await lockImport(tx, key))) return []
    const rows = store ? groupEnd(await waitingRows(tx, key, TRIED_MAX), importer) : []
    throw new Tried(await resultsOf(tx, importer, key, store, rows))
  }).catch((error: unknown) => {
    if (error instanceof Tried) return error.results
    throw error
  })
  return transaction(sql, async (tx) => {
    if (!(await lockImport(tx, key))) return true
    const waiting = new Set((await waitingRows(tx, key, TRIED_MAX)).map(({ row }) => row))
    for (const result of results) if (waiting.delete(result.row)) await settle(tx, key, withoutMade(result))
    if (waiting.size > 0) return false
    await completeImport(tx, key)
    return true
  })
}

/** Forgets the id of what was rolled back. */
const withoutMade = (result: Result): Result => (result.status === 'created' ? { ...result, resultId: null } : result)

/** Ends a step behind the last row of a group. */
function groupEnd<Input>(rows: readonly Step[], { groupOf }: Importer<Input>): readonly Step[] {
  let end = Math.min(TRIED_A_STEP, rows.length)
  const isSame = ({ input }: Step, before: Step) =>
    isContinued(input) ||
    (!isCut(input) &&
      !isCut(before.input) &&
      groupOf(input as Input) !== null &&
      groupOf(input as Input) === groupOf(before.input as Input))
  for (let next = rows[end]; next && isSame(next, invariant(rows[end - 1], 'The row before')); next = rows[end]) end += 1
  return rows.slice(0, end)
}

const settle = (tx: Tx, key: ImportKey, { row, ...result }: Result) => settleImportRow(tx, key, row, result)

const isCut = (input: unknown): input is CutRow => typeof input === 'object' && input !== null && 'isCut' in input
const CUT: RowResult = {
  status: 'failed',
  resultId: null,
  error: {
    code: 'invalid_request',
    message:
      'Something stands under no heading: a separator cuts a text or an amount in two. Put quotation marks around it, or save the sheet with another separator.',
  },
}

const isContinued = (input: unknown): input is Continued => typeof input === 'object' && input !== null && 'continues' in input

async function resultsOf<Input>(
  tx: Tx,
  importer: Importer<Input>,
  key: ImportKey,
  store: Store | undefined,
  rows: readonly Step[],
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const { row, input } of rows) {
    const result = isCut(input)
      ? CUT
      : isContinued(input)
        ? sharedBy(input, results.find((one) => one.row === input.continues) ?? (await findRowResult(tx, key, input.continues)))
        : await resultOf(tx, importer, invariant(store, 'The store of a sheet'), input as Input)
    results.push({ ...result, row })
  }
  return results
}

function sharedBy({ isRepeat }: Continued, result: RowResult | undefined): RowResult {
  const { status, resultId, error } = invariant(result, 'The row that another belongs to')
  return { status: isRepeat && status === 'created' ? 'repeated' : status, resultId, error }
}

/** Does a row. One that is refused leaves nothing behind, and does not hold up the others. */
async function resultOf<Input>(tx: Tx, { apply }: Importer<Input>, store: Store, input: Input): Promise<RowResult> {
  try {
    return { ...(await (tx.savepoint((inner) => apply(inner, store, input)) as ReturnType<typeof apply>)), error: null }
  } catch (error) {
    const refused = refusalOf(error)
    if (!refused) throw error
    // Messages name the beginning of a cell, which may end within a character.
    return { status: 'failed', resultId: null, error: { ...refused, message: refused.message.toWellFormed() } }
  }
}

/** Data exceptions, and values that pass a limit of the database, such as that of an index. */
const UNSTORABLE = /^(?:22|54)/
const TAKEN = '23505'

/** Returns what a row is refused for; null where it is none of its doing. */
function refusalOf(error: unknown): RowResult['error'] {
  if (error instanceof ApiError && error.status < 500) {
    const [detail] = error.extra.details ?? []
    return { code: error.code, message: detail ? `${detail.path.replace(/^\/body/, '')}: ${detail.message}` : error.message }
  }
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (code === TAKEN) return { code: 'conflict', message: 'Somebody else took this sku, slug or reference at the same moment.' }
  return UNSTORABLE.test(code) ? { code: 'invalid_request', message: 'The row holds a value that cannot be kept.' } : null
}

export const forgetOldImports = ({ sql }: Pick<Context, 'sql'>) => forgetImports(sql, KEPT_DAYS).then(() => {})
