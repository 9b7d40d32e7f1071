import { json, type Queryable } from '../../../data/sql.ts'
import type { CallReason } from './reasons.model.ts'

/** Finds the reasons that a store has set; undefined while it has none of its own. */
export const findReasons = async (sql: Queryable, projectId: string) =>
  (await sql<{ reasons: CallReason[] }[]>`select reasons from confirmation_reasons where project_id = ${projectId}`)[0]?.reasons

/** Locks the changes of a store's reasons until the transaction ends. */
export const lockReasons = async (sql: Queryable, projectId: string) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`call reasons of ${projectId}`}, 0))`
}

/** Inserts or replaces the reasons of a store. */
export const upsertReasons = (sql: Queryable, projectId: string, reasons: readonly CallReason[]) =>
  sql`insert into confirmation_reasons (project_id, reasons) values (${projectId}, ${json(sql, reasons)})
    on conflict (project_id) do update set reasons = excluded.reasons, updated_at = now()`

/** Deletes the reasons of a store, so that it has the standard ones. */
export const deleteReasons = (sql: Queryable, projectId: string) => sql`delete from confirmation_reasons where project_id = ${projectId}`
