import { json, type Queryable } from '../../data/sql.ts'

/** Account whose calls are counted: a connection, or what names the callers that have none. */
export interface EgressAccount {
  /** Project of the connection; empty for the platform, and for calls without a connection. */
  readonly projectId: string
  readonly connectionId: string
}

/** Outbound call that counts against the rate windows of a connection. */
export interface RecordedCall extends EgressAccount {
  /** Milliseconds for which a rate window may count the call. */
  readonly ms: number
}

/** Inserts calls made now, each with the time at which it stops counting. */
export const insertCalls = (sql: Queryable, calls: readonly RecordedCall[]) =>
  sql`insert into carrier_calls (project_id, connection_id, at, expires_at)
    select c."projectId", c."connectionId", now(), now() + c.ms * interval '1 millisecond'
    from jsonb_to_recordset(${json(sql, calls)}::jsonb) as c ("projectId" text, "connectionId" text, ms bigint)`

/** Lists the ages, in milliseconds, of calls of a connection that still count, latest first. */
export const listCallAges = async (sql: Queryable, { projectId, connectionId }: EgressAccount, limit: number) =>
  (
    await sql<{ age: number }[]>`select extract(epoch from now() - at)::float8 * 1000 as age from carrier_calls
      where project_id = ${projectId} and connection_id = ${connectionId} and expires_at > now() order by at desc limit ${limit}`
  ).map(({ age }) => age)

/** Deletes up to `limit` calls that no rate window counts any more, and returns the number deleted. */
export const deleteExpiredCalls = async (sql: Queryable, limit: number) =>
  (await sql`delete from carrier_calls where ctid = any (array(select ctid from carrier_calls where expires_at < now() limit ${limit}))`)
    .count
