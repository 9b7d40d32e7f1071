import { erasedBy } from '../../../data/personal-data/personal-data.ts'
import { removeFile } from '../../../platform/files/files.ts'
import { deleteProofsOf } from './proofs.queries.ts'

/** Receipts that payers sent: a picture cannot be marked, so that it goes, and its file with it. The payment and its amounts stay. */
export const personalProofs = erasedBy('orderIds', 'payment_proofs', async (tx, orderIds, { storeId }) => {
  for (const { fileId } of await deleteProofsOf(tx, storeId, orderIds)) await removeFile(tx, fileId)
})
