import type { Context } from '../context.ts'
import { enqueue } from '../data/jobs.ts'
import { type Queryable, transaction } from '../data/sql.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { emit } from '../webhooks/emit.ts'
import { createParcel, type Owner, requestSubmission } from './create.ts'
import type { BatchResult, NewBatch, NewParcel } from './parcels.model.ts'
import { type BatchRow, insertBatch, lockBatch, updateBatch } from './parcels.queries.ts'

declare module '../data/jobs.ts' {
  interface Jobs {
    'parcels.batch': { projectId: string; tenantId: number; batchId: string }
  }
}

/** Rows done in one transaction: what a crash repeats at most. */
const ROWS_A_STEP = 50

/** Takes up to 1,000 parcels and works on them in the background. */
export async function startBatch(
  tx: Queryable,
  { projectId, tenantId }: Owner,
  { parcels, carrierAccountId, submit }: NewBatch,
): Promise<BatchRow> {
  const rows = parcels.map((parcel) => ({
    ...(carrierAccountId && { carrierAccountId }),
    ...(submit !== undefined && { submit }),
    ...parcel,
  }))
  const batch = await insertBatch(tx, { projectId, id: newId('bat'), total: rows.length, rows })
  await enqueue(tx, 'parcels.batch', { projectId, tenantId, batchId: batch.id })
  return batch
}

/** Goes on where the last step ended; each step commits its parcels together with their results. */
export async function workBatch(
  { sql }: Context,
  { projectId, tenantId, batchId }: { projectId: string; tenantId: number; batchId: string },
  signal: AbortSignal,
) {
  for (let done = false; !done && !signal.aborted; ) {
    done = await transaction(sql, async (tx) => {
      const batch = await lockBatch(tx, projectId, batchId)
      if (!batch || batch.status === 'completed') return true
      const from = batch.results.length
      const results: BatchResult[] = []
      const toSubmit = new Map<string, string[]>()
      for (const [at, row] of batch.rows.slice(from, from + ROWS_A_STEP).entries()) {
        results.push(await createRow(tx, { projectId, tenantId }, row, from + at, batchId, toSubmit))
      }
      for (const parcelIds of toSubmit.values()) await requestSubmission(tx, parcelIds)
      const all = [...batch.results, ...results]
      const completed = all.length === batch.total
      const after = await updateBatch(tx, projectId, batchId, all, completed)
      if (completed) await emit(tx, [{ projectId, type: 'batch.completed', data: { batch: presentBatch(after) } }])
      return completed
    })
  }
  if (signal.aborted) throw new Error('The process stops; the batch goes on at its next start.')
}

/** A row that is refused leaves nothing behind and does not hold up the others. */
async function createRow(
  tx: Queryable,
  owner: Owner,
  row: NewParcel,
  at: number,
  batchId: string,
  toSubmit: Map<string, string[]>,
): Promise<BatchResult> {
  const reference = row.reference ?? null
  try {
    const parcel = await inSavepoint(tx, (inner) => createParcel(inner, owner, row, `/body/parcels/${at}`, batchId))
    if (row.submit) toSubmit.set(parcel.carrierAccountId!, [...(toSubmit.get(parcel.carrierAccountId!) ?? []), parcel.id])
    return { row: at, reference: parcel.reference, parcelId: parcel.id, status: 'created', error: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const detail = error.extra.details?.[0]
    return {
      row: at,
      reference,
      parcelId: null,
      status: 'failed',
      error: { code: error.code, message: detail ? `${detail.path}: ${detail.message}` : error.message },
    }
  }
}

const inSavepoint = <V>(tx: Queryable, work: (inner: Queryable) => Promise<V>): Promise<V> =>
  (tx as unknown as { savepoint(inner: (savepoint: Queryable) => Promise<V>): Promise<V> }).savepoint(work)

export function presentBatch({ id, status, total, results, createdAt, completedAt }: BatchRow) {
  const succeeded = results.filter(({ error }) => error === null).length
  return { id, status, total, succeeded, failed: results.length - succeeded, results, createdAt, completedAt }
}
