import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Queryable, savepoint, type Tx, transaction } from '../../../data/sql.ts'
import { currentActor, runAsActor } from '../../../data/tenant-context.ts'
import { findProject } from '../../../identity/tenants/projects.queries.ts'
import { describeError } from '../../../lib/errors/describe-error.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { createParcel, type ParcelOwner } from '../create.ts'
import type { BatchRow, NewParcel, NewParcelBatch } from '../parcels.model.ts'
import { requestSubmission, wakeSenders } from '../submission/request.ts'
import {
  type BatchHead,
  hasWaitingRows,
  insertBatch,
  insertBatchRows,
  listWaitingRows,
  lockNextBatch,
  updateBatchRow,
} from './batches.queries.ts'
import { completeBatchIfDone } from './complete.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'parcels.batch': { projectId: string }
  }
}

/** Number of rows per transaction; a crash repeats at most these. */
const ROWS_A_STEP = 20

/** Creates a batch of up to 1,000 parcels, for processing in the background. */
export async function createBatch(
  tx: Tx,
  { projectId }: Pick<ParcelOwner, 'projectId'>,
  { parcels, carrierAccountId, submit }: NewParcelBatch,
): Promise<BatchHead> {
  const common = { ...(carrierAccountId && { carrierAccountId }), ...(submit !== undefined && { submit }) }
  const rows = parcels.map((parcel) => ({ ...common, ...parcel }))
  const batch = await insertBatch(tx, { projectId, id: newId('bat'), total: rows.length, madeBy: currentActor() ?? null })
  const after = { total: rows.length, submit: submit === true, carrierAccountId: carrierAccountId ?? null }
  await recordAudit(tx, { projectId }, { what: 'parcels.batch_created', thing: batch.id, after })
  await insertBatchRows(tx, batch, rows)
  await enqueueBatches(tx, projectId)
  return batch
}

/** Enqueues the job that processes all batches of a project. */
export const enqueueBatches = (sql: Queryable, projectId: string) =>
  enqueue(sql, 'parcels.batch', { projectId }, { key: `batches:${projectId}`, owner: projectId })

/** Creates the parcels of a project's batches, oldest batch first. Each step commits the parcels with the results of their rows. */
export async function processBatches(context: Context, projectId: string, signal: AbortSignal) {
  const project = await findProject(context.sql, projectId)
  if (!project) return
  const owner = { projectId, tenantId: project.tenantId }
  for (;;) {
    const worked = await processNextRows(context, owner)
    // Nothing is left, or another process did the work meanwhile.
    if (!worked && !(await hasWaitingRows(context.sql, projectId))) return
    if (worked?.isLast) await completeBatchIfDone(context.sql, projectId, worked.batchId)
    // A retry of the job continues with the rest.
    signal.throwIfAborted()
  }
}

/** Processes some rows of the oldest batch. Returns undefined when nothing waits. */
async function processNextRows(context: Context, owner: ParcelOwner) {
  const worked = await transaction(context.sql, async (tx) => {
    const batch = await lockNextBatch(tx, owner.projectId)
    if (!batch) return undefined
    return runAsActor(batch.madeBy, () => processRows(context, tx, owner, batch))
  })
  if (worked && worked.toSubmit.length > 0) await wakeSenders(context)
  return worked
}

/** Processes rows of a batch as the actor that requested it. */
async function processRows(context: Context, tx: Tx, owner: ParcelOwner, batch: BatchHead) {
  const waiting = await listWaitingRows(tx, owner.projectId, batch.id, ROWS_A_STEP + 1)
  const toSubmit: string[] = []
  for (const { row, input } of waiting.slice(0, ROWS_A_STEP)) {
    const result = await createRow(tx, { ...owner, plugins: context.plugins }, input, row, batch.id)
    if (input.submit && result.parcelId !== null) toSubmit.push(result.parcelId)
    await updateBatchRow(tx, batch, result)
  }
  if (toSubmit.length > 0) await requestSubmission(tx, owner.projectId, toSubmit)
  return { batchId: batch.id, isLast: waiting.length <= ROWS_A_STEP, toSubmit }
}

/** Creates the parcel of a row in a savepoint, so that a refused row leaves nothing behind and does not stop the others. */
async function createRow(
  tx: Tx,
  owner: Parameters<typeof createParcel>[1],
  input: NewParcel,
  row: number,
  batchId: string,
): Promise<BatchRow> {
  try {
    const parcel = await savepoint(tx, (inner) => createParcel(inner, owner, input, batchId))
    return { row, reference: parcel.reference, parcelId: parcel.id, status: input.submit ? 'submitting' : 'created', error: null }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const rowError = { code: error.code, message: describeError(error) }
    return { row, reference: input.reference ?? null, parcelId: null, status: 'failed', error: rowError }
  }
}
