import { enqueue, type JobName, type Jobs } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { currentActor } from '../../data/tenant-context.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Store } from '../stores/stores.model.ts'
import { importErrors } from './imports.errors.ts'
import type { ImportKind, NewImportRow } from './imports.model.ts'
import { countOpenImports, findImport, insertImport, insertImportRows } from './imports.queries.ts'
import { type ImportView, presentImport } from './read-import.ts'

/** Payload of an import job. */
export interface ImportJob {
  readonly storeId: string
  readonly importId: string
}

/** Rows up to which a sheet is imported before the answer, and not in the background. */
export const INLINE_ROWS_MAX = 200
/** Imports that a store may have in progress at once. */
export const OPEN_IMPORTS_MAX = 5
const ROWS_PER_INSERT = 500

/** Import to start. */
export interface NewImport {
  readonly kind: ImportKind
  /** Name of the job that runs the import. */
  readonly job: { [N in JobName]: Jobs[N] extends ImportJob ? N : never }[JobName]
  readonly dryRun: boolean
  readonly ignored: readonly string[]
  readonly rows: readonly NewImportRow[]
}

/** Stores the rows of a sheet and enqueues the job that imports them. Throws `conflict` where five imports of the store are in progress. */
export async function startImport(tx: Tx, store: Store, { kind, job, dryRun, ignored, rows }: NewImport): Promise<ImportView> {
  if ((await countOpenImports(tx, store.id)) >= OPEN_IMPORTS_MAX) throw importErrors.tooManyImports({ openImportsMax: OPEN_IMPORTS_MAX })
  const key = { storeId: store.id, id: newId('imp') }
  await insertImport(tx, { ...key, kind, dryRun, ignored, total: rows.length, actor: currentActor() ?? null })
  const breathe = yieldEvery()
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await insertImportRows(tx, key, rows.slice(at, at + ROWS_PER_INSERT))
    await breathe()
  }
  const payload = { storeId: store.id, importId: key.id }
  await enqueue(tx, job, payload, { owner: store.projectId, queue: `catalog.import:${store.id}` })
  return presentImport(invariant(await findImport(tx, kind, key.id), 'An import that was made'))
}
