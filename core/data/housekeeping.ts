import type { Partitioned } from './partitions.ts'

declare module './jobs.ts' {
  interface Jobs {
    housekeeping: Record<string, unknown>
  }
}

/** Answers to writes with an `Idempotency-Key`. */
export const idempotencyKeys: Partitioned = {
  table: 'idempotency_keys',
  by: { column: 'created_at', holds: 'moments' },
  weeks: 1,
  keptDays: 7,
}
