import type { BatchResult } from '../parcels.model.ts'
import { presentTold } from '../present.ts'
import type { BatchHead, SettledRow } from './batches.queries.ts'

const succeeded: readonly BatchResult['status'][] = ['created', 'submitted']
const failed: readonly BatchResult['status'][] = ['failed', 'cancelled']

/** A batch with what became of each row so far. */
export function presentBatch({ id, status, total, createdAt, completedAt }: BatchHead, results: readonly SettledRow[]) {
  const count = (of: readonly BatchResult['status'][]) => results.filter((row) => of.includes(row.status)).length
  return {
    id,
    status,
    total,
    succeeded: count(succeeded),
    failed: count(failed),
    unknown: count(['unknown']),
    results: results.map(({ told, ...row }) => ({ ...row, ...presentTold(told) })),
    createdAt,
    completedAt,
  }
}
