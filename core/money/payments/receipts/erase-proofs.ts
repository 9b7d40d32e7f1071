import { erasedBy } from '../../../data/personal-data/personal-data.ts'
import { removeFile } from '../../../platform/files/files.ts'
import { deleteProofsOf } from './proofs.queries.ts'

/** Erases receipts of orders with their files, because a picture cannot be redacted. Payments and amounts remain. */
export const personalProofs = erasedBy('orderIds', 'payment_proofs', async (tx, orderIds, { storeId }) => {
  for (const { fileId } of await deleteProofsOf(tx, storeId, orderIds)) await removeFile(tx, fileId)
})
