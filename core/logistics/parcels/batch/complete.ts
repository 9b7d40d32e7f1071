import { type Sql, transaction } from '../../../data/sql.ts'
import { emitWebhook } from '../../../platform/webhooks/emit.ts'
import { completeBatch, listResults, lockBatch } from './batches.queries.ts'
import { presentBatch } from './present.ts'

/** Ends a batch, and tells it, once it is known what became of each row. */
export async function completeIfDone(sql: Sql, projectId: string, batchId: string) {
  await transaction(sql, async (tx) => {
    // Whoever waited for it here sees what the others wrote.
    const open = await lockBatch(tx, projectId, batchId)
    const batch = open?.status === 'processing' ? await completeBatch(tx, projectId, batchId) : undefined
    if (!batch) return
    const data = { batch: presentBatch(batch, await listResults(tx, projectId, batchId)) }
    await emitWebhook(tx, [{ projectId, type: 'batch.completed', data }])
  })
}
