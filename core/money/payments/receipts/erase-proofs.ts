import { eraseByIds } from '../../../data/personal-data/personal-data.ts'
import { deleteFileWithBytes } from '../../../platform/files/files.ts'
import { deleteProofsOfOrders } from './proofs.queries.ts'

/** Erases receipts of orders with their files, because a picture cannot be redacted. Payments and amounts remain. */
export const proofPersonalData = eraseByIds('orderIds', 'payment_proofs', async (tx, orderIds, { storeId }) => {
  for (const { fileId } of await deleteProofsOfOrders(tx, storeId, orderIds)) await deleteFileWithBytes(tx, fileId)
})
