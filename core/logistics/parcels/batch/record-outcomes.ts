import type { Tx } from '../../../data/sql.ts'
import type { BatchRow } from '../parcels.model.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { updateBatchRowsOfParcels } from './batches.queries.ts'

type ParcelOfBatch = Pick<ParcelRow, 'projectId' | 'batchId' | 'id'>

/** Records the outcome of a parcel's submission in its batch. Does nothing for a parcel without a batch. */
export const recordBatchOutcome = (tx: Tx, parcel: ParcelOfBatch, status: BatchRow['status'], error: BatchRow['error'] = null) =>
  recordBatchOutcomes(tx, [parcel], status, error)

/** Records the outcome of many submissions, each in its own batch. */
export async function recordBatchOutcomes(
  tx: Tx,
  parcels: readonly ParcelOfBatch[],
  status: BatchRow['status'],
  error: BatchRow['error'] = null,
) {
  const byBatch = Map.groupBy(parcels, ({ batchId }) => batchId)
  for (const [batchId, [first, ...others]] of byBatch) {
    if (batchId === null || !first) continue
    const ids = [first, ...others].map(({ id }) => id)
    await updateBatchRowsOfParcels(tx, { projectId: first.projectId, batchId, ids }, { status, error })
  }
}
