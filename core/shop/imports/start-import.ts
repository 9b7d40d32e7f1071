import { enqueue, type JobName, type Jobs } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { currentActor } from '../../data/tenant-context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { yieldEvery } from '../../lib/async/yield-every.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Store } from '../stores/stores.model.ts'
import type { ImportKind, NewRow } from './imports.model.ts'
import { countOpenImports, findImport, insertImport, insertImportRows } from './imports.queries.ts'
import { presentImport, type ShownImport } from './read-import.ts'

/** What the job of an import carries. */
export interface ImportJob {
  readonly storeId: string
  readonly importId: string
}

/** Sheets of at most so many rows are worked on before the answer. */
export const AT_ONCE_MAX = 200
export const OPEN_MAX = 5
const ROWS_A_WRITE = 500

export interface NewImport {
  readonly kind: ImportKind
  readonly job: { [N in JobName]: Jobs[N] extends ImportJob ? N : never }[JobName]
  readonly dryRun: boolean
  readonly ignored: readonly string[]
  readonly rows: readonly NewRow[]
}

/** Keeps the rows of a sheet, to be worked on. Throws `conflict` where too many sheets of the store are being worked on. */
export async function startImport(tx: Tx, store: Store, { kind, job, dryRun, ignored, rows }: NewImport): Promise<ShownImport> {
  if ((await countOpenImports(tx, store.id)) >= OPEN_MAX)
    throw new ApiError('conflict', `${OPEN_MAX} sheets of the store are being worked on. Wait until one is done.`)
  const key = { storeId: store.id, id: newId('imp') }
  await insertImport(tx, { ...key, kind, dryRun, ignored, total: rows.length, actor: currentActor() ?? null })
  const breathe = yieldEvery()
  for (let at = 0; at < rows.length; at += ROWS_A_WRITE) {
    await insertImportRows(tx, key, rows.slice(at, at + ROWS_A_WRITE))
    await breathe()
  }
  const payload = { storeId: store.id, importId: key.id }
  await enqueue(tx, job, payload, { owner: store.projectId, queue: `catalog.import:${store.id}` })
  return presentImport(invariant(await findImport(tx, kind, key.id), 'An import that was made'))
}
