/** Statement that makes a trigger run. */
export type TriggerEvent = 'insert' | 'update' | 'delete' | 'truncate'

/**
 * Trigger of PostgreSQL that works for a feature. A migration creates it and the feature declares it, so that a reader of the feature sees
 * it; a test compares the declarations with `pg_trigger`. A subscriber is preferred: `why` says what it would cost.
 */
export interface Trigger {
  /** Table that it watches; for a partitioned table the parent. */
  readonly table: string
  readonly name: string
  /** Runs before the change and can refuse it; otherwise after it. */
  readonly before?: true
  readonly on: readonly TriggerEvent[]
  /** Function of PostgreSQL that it calls. */
  readonly function: string
  /** Rule in a sentence, and the reason why a subscriber does not do. */
  readonly why: string
}
