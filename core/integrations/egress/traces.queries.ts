import { json, type Queryable } from '../../data/sql.ts'
import { lowestIdAt } from '../../lib/ids.ts'
import type { Trace } from './traces.model.ts'

const RETENTION_MS = 30 * 86_400_000

/** Trace as it is stored. */
export interface TraceRow extends Readonly<Omit<Trace, 'report'>> {
  /** Empty if the connection belongs to the platform. */
  readonly projectId: string
  readonly connectionId: string
  readonly parcelIds: readonly string[]
}

/** Inserts traces. Drops the exchanges of parcels whose personal data was erased. */
export const insertTraces = (sql: Queryable, rows: readonly TraceRow[]) =>
  sql`insert into carrier_traces (project_id, id, connection_id, parcel_ids, at, ms, operation, outcome, message, exchanges)
    select r."projectId", r.id, r."connectionId", r."parcelIds", r.at, r.ms, r.operation, r.outcome, r.message,
      case when exists (select 1 from parcels p where p.project_id = r."projectId" and p.id = any (r."parcelIds") and p.erased_at is not null)
        then '[]' else r.exchanges end
    from jsonb_to_recordset(${json(sql, rows)}::jsonb) as r
      ("projectId" text, id text, "connectionId" text, "parcelIds" text[], at timestamptz, ms integer, operation text, outcome text, message text, exchanges jsonb)
    on conflict do nothing`

/**
 * Lists the traces and reports of a parcel, newest first, before an id. Includes calls about many parcels at once. Ids sort by creation
 * time after their prefix. Reads only the partitions of the retention period.
 */
export const listTraces = (sql: Queryable, { projectId, id }: { projectId: string; id: string }, before: string | null, limit: number) =>
  sql<Trace[]>`
    with both_kinds as (
      select id, at, ms, operation, outcome, message, exchanges, null::jsonb as report from carrier_traces
      where project_id = ${projectId} and parcel_ids @> array[${id}] and id >= ${lowestIdAt('trc', Date.now() - RETENTION_MS)}
      union all
      select id, received_at, 0, 'report', outcome, null, '[]', jsonb_build_object('at', at, 'source', source, 'carrierStatus', carrier_status, 'reason', reason)
      from parcel_reports where project_id = ${projectId} and parcel_id = ${id} and id is not null)
    select * from both_kinds where ${before}::text is null or substr(id, 5) < substr(${before}, 5) order by substr(id, 5) desc limit ${limit}`

/** Deletes the oldest traces of each connection that has more than `keep`. */
export const deleteExcessTraces = (sql: Queryable, keep: number) =>
  sql`with crowded as (select project_id, connection_id from carrier_traces group by project_id, connection_id having count(*) > ${keep}),
      last as materialized (select c.project_id, c.connection_id, (select id from carrier_traces t where t.project_id = c.project_id and t.connection_id = c.connection_id order by id desc offset ${keep} limit 1) as id from crowded c)
    delete from carrier_traces t using last where t.project_id = last.project_id and t.connection_id = last.connection_id and t.id <= last.id`
