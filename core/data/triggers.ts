import { json, type Queryable } from './sql.ts'

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
  /** Durations that the function reads from `trigger_settings`, by name, as PostgreSQL writes intervals. Written when a process starts. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Writes the durations that triggers read. Values that are stored already are not written, so that a start locks no row. */
export async function writeTriggerSettings(sql: Queryable, triggers: readonly Trigger[]): Promise<void> {
  const settings = Object.assign({}, ...triggers.map((trigger) => trigger.settings))
  await sql`insert into trigger_settings (name, value)
    select name, value::interval from jsonb_each_text(${json(sql, settings)}) of (name, value)
    where not exists (select from trigger_settings t where t.name = of.name and t.value = of.value::interval)
    on conflict (name) do update set value = excluded.value`
}
