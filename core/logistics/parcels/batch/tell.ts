import type { Tx } from '../../../data/sql.ts'
import type { BatchResult } from '../parcels.model.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { settleRowOf } from './batches.queries.ts'

/** What became of a parcel's hand-over, for the batch that it came with. */
export async function tellBatch(
  tx: Tx,
  { projectId, batchId, id }: Pick<ParcelRow, 'projectId' | 'batchId' | 'id'>,
  status: BatchResult['status'],
  error: BatchResult['error'] = null,
) {
  if (batchId !== null) await settleRowOf(tx, { projectId, batchId, id }, { status, error })
}
