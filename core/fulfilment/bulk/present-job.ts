import type { BulkJob } from './bulk.model.ts'
import type { JobRow } from './jobs.queries.ts'

/** Job as the API shows it. */
export const presentJob = (job: JobRow): BulkJob => ({
  id: job.id,
  storeId: job.storeId,
  action: job.action,
  status: job.status,
  total: job.total,
  waiting: job.waiting,
  done: job.done,
  unchanged: job.unchanged,
  pending: job.pending,
  failed: job.failed,
  cancelled: job.cancelled,
  hasDocument: job.hasDocument,
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  completedAt: job.completedAt,
})
