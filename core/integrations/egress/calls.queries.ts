import { json, type Queryable } from '../../data/sql.ts'

export interface Call {
  readonly connectionId: string
  /** How long a window may count it. */
  readonly ms: number
}

export const insertCalls = (sql: Queryable, calls: readonly Call[]) =>
  sql`insert into carrier_calls (connection_id, at, expires_at)
    select c."connectionId", now(), now() + c.ms * interval '1 millisecond' from jsonb_to_recordset(${json(sql, calls)}::jsonb) as c ("connectionId" text, ms bigint)`

/** How many milliseconds ago an account was asked, the latest first. */
export const listCallAges = async (sql: Queryable, connectionId: string, take: number) =>
  (
    await sql<{ age: number }[]>`select extract(epoch from now() - at)::float8 * 1000 as age from carrier_calls
      where connection_id = ${connectionId} and expires_at > now() order by at desc limit ${take}`
  ).map(({ age }) => age)

export const deleteOldCalls = async (sql: Queryable, take: number) =>
  (await sql`delete from carrier_calls where ctid = any (array(select ctid from carrier_calls where expires_at < now() limit ${take}))`)
    .count
