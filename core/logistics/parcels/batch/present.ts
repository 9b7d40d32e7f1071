import type { BatchResult, BatchRow } from '../parcels.model.ts'
import { presentNotices } from '../present.ts'
import type { BatchHead, BatchRowWithNotices } from './batches.queries.ts'

const succeeded: readonly BatchRow['status'][] = ['created', 'submitted']
const failed: readonly BatchRow['status'][] = ['failed', 'cancelled']

/** Batch as the API shows it, with its results so far. */
export function presentBatch({ id, status, total, createdAt, completedAt }: BatchHead, results: readonly BatchRowWithNotices[]) {
  const count = (of: readonly BatchRow['status'][]) => results.filter((row) => of.includes(row.status)).length
  return {
    id,
    status,
    total,
    succeeded: count(succeeded),
    failed: count(failed),
    unknown: count(['unknown']),
    results: results.map(presentRow),
    createdAt,
    completedAt,
  }
}

const outcomes = {
  created: 'created',
  submitted: 'sent',
  waiting: 'pending',
  submitting: 'pending',
  unknown: 'pending',
  failed: 'refused',
  cancelled: 'refused',
} as const satisfies Readonly<Record<BatchRow['status'], BatchResult['outcome']>>

function presentRow({ told, error, ...row }: BatchRowWithNotices): BatchResult {
  const common = { ...row, ...presentNotices(told) }
  const outcome = outcomes[row.status]
  if (outcome === 'pending') return { outcome, ...common, error }
  if (outcome === 'refused')
    return { outcome, ...common, error: error ?? { code: 'conflict', message: 'It was cancelled before it was sent.' } }
  return { outcome, ...common, error: null }
}
