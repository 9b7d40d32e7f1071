import { json, type Queryable } from '../../data/sql.ts'

/** Outbound call that counts against the rate windows of a connection. */
export interface RecordedCall {
  readonly connectionId: string
  /** Milliseconds for which a rate window may count the call. */
  readonly ms: number
}

/** Inserts calls made now, each with the time at which it stops counting. */
export const insertCalls = (sql: Queryable, calls: readonly RecordedCall[]) =>
  sql`insert into carrier_calls (connection_id, at, expires_at)
    select c."connectionId", now(), now() + c.ms * interval '1 millisecond' from jsonb_to_recordset(${json(sql, calls)}::jsonb) as c ("connectionId" text, ms bigint)`

/** Lists the ages, in milliseconds, of calls of a connection that still count, latest first. */
export const listCallAges = async (sql: Queryable, connectionId: string, limit: number) =>
  (
    await sql<{ age: number }[]>`select extract(epoch from now() - at)::float8 * 1000 as age from carrier_calls
      where connection_id = ${connectionId} and expires_at > now() order by at desc limit ${limit}`
  ).map(({ age }) => age)

/** Deletes up to `limit` calls that no rate window counts any more, and returns the number deleted. */
export const deleteExpiredCalls = async (sql: Queryable, limit: number) =>
  (await sql`delete from carrier_calls where ctid = any (array(select ctid from carrier_calls where expires_at < now() limit ${limit}))`)
    .count
