import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors.ts'
import { breather } from '../../../lib/breather.ts'
import { newId } from '../../../lib/ids.ts'
import { known } from '../../../lib/known.ts'
import type { Store } from '../../stores/stores.model.ts'
import { findStore } from '../../stores/stores.queries.ts'
import { applyRow } from './apply-row.ts'
import type { Cells } from './columns.ts'
import type { ImportedRow, ProductImport } from './imports.model.ts'
import {
  completeImport,
  countOpenImports,
  findImport,
  forgetImports,
  insertImport,
  insertImportRows,
  lockImport,
  settleImportRow,
  waitingRows,
} from './imports.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'catalog.import': { readonly storeId: string; readonly importId: string }
    'catalog.forgetImports': Record<string, unknown>
  }
}

/** So few are done before the answer. */
export const AT_ONCE_MAX = 200
const OPEN_MAX = 5
const ROWS_A_WRITE = 500
/** Rows done in one transaction: what a crash repeats at most. */
const ROWS_A_STEP = 20
const KEPT_DAYS = 30

/** Takes the rows of a sheet, to be worked on. Throws `conflict` where the store has as many sheets at work as it may. */
export async function startImport(tx: Tx, store: Store, rows: readonly Cells[]): Promise<ProductImport> {
  if ((await countOpenImports(tx, store.id)) >= OPEN_MAX)
    throw new ApiError('conflict', `${OPEN_MAX} sheets of the store are being worked on. Wait until one is done.`)
  const heading = { storeId: store.id, id: newId('imp') }
  await insertImport(tx, { ...heading, total: rows.length })
  const breathe = breather()
  for (let at = 0; at < rows.length; at += ROWS_A_WRITE) {
    await insertImportRows(tx, heading, at + 1, rows.slice(at, at + ROWS_A_WRITE))
    await breathe()
  }
  const { id: importId } = heading
  await enqueue(tx, 'catalog.import', { storeId: store.id, importId }, { owner: store.projectId, queue: `catalog.import:${store.id}` })
  return known(await findImport(tx, importId), 'An import that was made')
}

/** Works through a sheet, step by step; whoever works on it beside does other steps. */
export async function workImport({ sql }: Pick<Context, 'sql'>, storeId: string, importId: string, signal?: AbortSignal): Promise<void> {
  const isDone = () =>
    transaction(sql, async (tx) => {
      const store = await findStore(tx, storeId)
      if (!(await lockImport(tx, storeId, importId))) return true
      const rows = store ? await waitingRows(tx, storeId, importId, ROWS_A_STEP) : []
      for (const { row, input } of rows)
        await settleImportRow(tx, { storeId, id: importId }, { row, ...(await resultOf(tx, known(store, 'The store of a sheet'), input)) })
      if (rows.length === ROWS_A_STEP) return false
      await completeImport(tx, storeId, importId)
      return true
    })
  while (!(await isDone())) signal?.throwIfAborted()
}

/** A row that is refused leaves nothing behind, and does not hold up the others. */
async function resultOf(tx: Tx, store: Store, cells: Cells): Promise<Omit<ImportedRow, 'row' | 'sku'>> {
  try {
    const applied = await (tx.savepoint((inner) => applyRow(inner, store, cells)) as ReturnType<typeof applyRow>)
    return { ...applied, error: null }
  } catch (error) {
    const refused = refusalOf(error)
    if (!refused) throw error
    return { status: 'failed', productId: null, error: refused }
  }
}

const DATA_EXCEPTION = /^22/
const TAKEN = '23505'

/** What a row is refused for; null where it is none of its doing. */
function refusalOf(error: unknown): ImportedRow['error'] {
  if (error instanceof ApiError) {
    const [detail] = error.extra.details ?? []
    return { code: error.code, message: detail ? `${detail.path.replace(/^\/body/, '')}: ${detail.message}` : error.message }
  }
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (code === TAKEN) return { code: 'conflict', message: 'Somebody else took this sku or slug at the same moment.' }
  return DATA_EXCEPTION.test(code) ? { code: 'invalid_request', message: 'The row holds a value that cannot be kept.' } : null
}

export const forgetOldImports = ({ sql }: Pick<Context, 'sql'>) => forgetImports(sql, KEPT_DAYS).then(() => {})
