import type { Queryable } from '../data/sql.ts'
import type { Trace } from './traces.model.ts'

export interface TraceRow extends Readonly<Trace> {
  readonly connectionId: string
  readonly parcelIds: readonly string[]
}

export const insertTraces = (sql: Queryable, rows: readonly TraceRow[]) =>
  sql`insert into carrier_traces (id, connection_id, parcel_ids, at, ms, operation, outcome, message, exchanges)
    select r.id, r."connectionId", r."parcelIds", r.at, r.ms, r.operation, r.outcome, r.message, r.exchanges
    from jsonb_to_recordset(${sql.json(rows as never)}::jsonb) as r
      (id text, "connectionId" text, "parcelIds" text[], at timestamptz, ms integer, operation text, outcome text, message text, exchanges jsonb)
    on conflict do nothing`

/** Newest first; those that asked for many parcels at once are among them. */
export const listTraces = (sql: Queryable, parcelId: string, before: string | null, take: number) =>
  sql<Trace[]>`select id, at, ms, operation, outcome, message, exchanges from carrier_traces
    where parcel_ids @> array[${parcelId}] and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

export const deleteOldTraces = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from carrier_traces where ctid = any (array(
      select ctid from carrier_traces where at < now() - ${days} * interval '1 day' limit ${take}))`
  ).count

/** Of a connection with more than `keep` traces the oldest go. */
export const deleteExcessTraces = (sql: Queryable, keep: number) =>
  sql`with crowded as (select connection_id from carrier_traces group by connection_id having count(*) > ${keep}),
      last as materialized (select c.connection_id, (select id from carrier_traces t where t.connection_id = c.connection_id order by id desc offset ${keep} limit 1) as id from crowded c)
    delete from carrier_traces t using last where t.connection_id = last.connection_id and t.id <= last.id`
