import type { Tx } from '../../../data/sql.ts'
import type { BatchRow } from '../parcels.model.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { settleRowsOf } from './batches.queries.ts'

type OfBatch = Pick<ParcelRow, 'projectId' | 'batchId' | 'id'>

/** What became of a parcel's hand-over, for the batch that it came with. */
export const tellBatch = (tx: Tx, parcel: OfBatch, status: BatchRow['status'], error: BatchRow['error'] = null) =>
  tellBatches(tx, [parcel], status, error)

/** The same of many, each with its own batch. */
export async function tellBatches(tx: Tx, parcels: readonly OfBatch[], status: BatchRow['status'], error: BatchRow['error'] = null) {
  const byBatch = Map.groupBy(parcels, ({ batchId }) => batchId)
  for (const [batchId, [first, ...others]] of byBatch) {
    if (batchId === null || !first) continue
    const ids = [first, ...others].map(({ id }) => id)
    await settleRowsOf(tx, { projectId: first.projectId, batchId, ids }, { status, error })
  }
}
