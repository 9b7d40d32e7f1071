import type { PartitionedTable } from './partitions.ts'

declare module './jobs.ts' {
  interface Jobs {
    housekeeping: Record<string, unknown>
  }
}

/** Responses to writes with an `Idempotency-Key`, kept for 7 days. */
export const idempotencyKeysTable: PartitionedTable = {
  table: 'idempotency_keys',
  by: { column: 'created_at', holds: 'moments' },
  weeks: 1,
  retentionDays: 7,
}
