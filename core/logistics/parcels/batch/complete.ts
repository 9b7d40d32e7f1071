import { type Sql, transaction } from '../../../data/sql.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { completeBatch, listBatchResults, lockBatch } from './batches.queries.ts'
import { presentBatch } from './present.ts'

/** Completes a batch and emits `batch.completed`, once every row has a result. */
export async function completeBatchIfDone(sql: Sql, projectId: string, batchId: string) {
  await transaction(sql, async (tx) => {
    // With the lock, this transaction reads what concurrent ones wrote.
    const open = await lockBatch(tx, projectId, batchId)
    const batch = open?.status === 'processing' ? await completeBatch(tx, projectId, batchId) : undefined
    if (!batch) return
    const data = { batch: presentBatch(batch, await listBatchResults(tx, projectId, batchId)) }
    await emitWebhook(tx, [{ projectId, type: 'batch.completed', data }])
  })
}
