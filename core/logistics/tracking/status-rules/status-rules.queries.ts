import type { Meaning } from '../../../../plugins/carrier/model.ts'
import { expectOne, type Queryable } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import type { MappedStatus, StatusRule } from './status-rules.model.ts'

/** Lists the unknown statuses of a connection, most frequent first, after the given one. */
export const listUnknownStatuses = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  after: { count: number; raw: string } | null,
  take: number,
) =>
  sql<{ raw: string; count: number; firstSeenAt: string; lastSeenAt: string; sampleParcelId: string | null }[]>`
    select raw, count, first_seen_at, last_seen_at, sample_parcel_id from unknown_statuses where project_id = ${projectId} and connection_id = ${id}
    ${after === null ? sql`` : sql`and (count < ${after.count} or (count = ${after.count} and raw > ${after.raw}))`} order by count desc, raw limit ${take}`

/** Lists the status rules of a connection by raw status, after the given one. */
export const listStatusRules = (sql: Queryable, { projectId, id }: ConnectionRef, after: string | null, take: number) =>
  sql<MappedStatus[]>`
    select raw, status, cash, flag, created_at from status_rules where project_id = ${projectId} and connection_id = ${id}
    ${after === null ? sql`` : sql`and raw > ${after}`} order by raw limit ${take}`

/** Finds the meaning that a rule of the connection defines for a folded status. */
export const findRuleMeaning = async (sql: Queryable, { projectId, id }: ConnectionRef, folded: string) =>
  (
    await sql<{ meaning: Meaning }[]>`select jsonb_strip_nulls(jsonb_build_object('status', status, 'cash', cash, 'flag', flag)) as meaning
      from status_rules where project_id = ${projectId} and connection_id = ${id} and folded = ${folded}`
  )[0]?.meaning

/** Counts the status rules of a connection. */
export const countStatusRules = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from status_rules where project_id = ${projectId} and connection_id = ${id}`,
  ).count

/** Inserts or replaces a status rule. */
export const upsertStatusRule = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  folded: string,
  { raw, status, cash, flag }: StatusRule,
) =>
  sql`insert into status_rules (project_id, connection_id, folded, raw, status, cash, flag)
    values (${projectId}, ${id}, ${folded}, ${raw}, ${status ?? null}, ${cash ?? null}, ${flag ?? null})
    on conflict (project_id, connection_id, folded) do update set raw = excluded.raw, status = excluded.status, cash = excluded.cash, flag = excluded.flag, created_at = now()`

/** Deletes a status rule. Returns false when there is none. */
export const deleteStatusRule = async (sql: Queryable, { projectId, id }: ConnectionRef, folded: string) =>
  (await sql`delete from status_rules where project_id = ${projectId} and connection_id = ${id} and folded = ${folded}`).count > 0

/** Deletes unknown statuses of a connection. */
export const deleteUnknownStatuses = (sql: Queryable, { projectId, id }: ConnectionRef, raws: readonly string[]) =>
  sql`delete from unknown_statuses where project_id = ${projectId} and connection_id = ${id} and raw = any (${raws as string[]})`
