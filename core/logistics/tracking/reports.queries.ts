import { type Queryable, rowValues } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'

export interface Report {
  readonly projectId: string
  readonly parcelId: string
  readonly eventKey: string
  readonly source: string
  readonly carrierStatus: string | null
  readonly reason: string | null
  readonly at: string
  readonly outcome: 'applied' | 'cash' | 'stale' | 'same' | 'unmapped' | 'impossible' | 'ignored'
}

/** Whether this word of the carrier was heard before. */
export const reportKnown = async (sql: Queryable, { projectId, parcelId, eventKey }: Pick<Report, 'projectId' | 'parcelId' | 'eventKey'>) =>
  (await sql`select 1 from parcel_reports where project_id = ${projectId} and parcel_id = ${parcelId} and event_key = ${eventKey}`).length >
  0

export const insertReport = (sql: Queryable, report: Report) =>
  sql`insert into parcel_reports ${rowValues(sql, { ...report, id: newId('rep') })}`

/** Reports of a connection that wait for the meaning of their words, oldest first. */
export const listUnmapped = (sql: Queryable, connectionId: string, raws: readonly string[], take: number) =>
  sql<
    (Report & { readonly carrierStatus: string })[]
  >`select r.project_id, r.parcel_id, r.event_key, r.source, r.carrier_status, r.reason, r.at, r.outcome from parcel_reports r
    join parcels p on p.project_id = r.project_id and p.id = r.parcel_id and p.carrier_account_id = ${connectionId}
    where r.outcome = 'unmapped' and r.carrier_status = any (${raws as string[]}) order by r.at, r.event_key limit ${take}`

export const settleReport = (sql: Queryable, { projectId, parcelId, eventKey }: Report, outcome: Report['outcome']) =>
  sql`update parcel_reports set outcome = ${outcome} where project_id = ${projectId} and parcel_id = ${parcelId} and event_key = ${eventKey}`

/** Unknown words of a connection that are counted one by one; what comes beyond stays in the reports alone. */
const UNKNOWN_MAX = 1_000

export const countUnknownStatus = (sql: Queryable, connectionId: string, raw: string, parcelId: string) =>
  sql`insert into unknown_statuses (connection_id, raw, sample_parcel_id)
    select ${connectionId}, ${raw}, ${parcelId} where (select count(*) from unknown_statuses where connection_id = ${connectionId}) < ${UNKNOWN_MAX}
      or exists (select 1 from unknown_statuses where connection_id = ${connectionId} and raw = ${raw})
    on conflict (connection_id, raw) do update set count = unknown_statuses.count + 1, last_seen_at = now(), sample_parcel_id = excluded.sample_parcel_id`

export const deleteReports = (sql: Queryable, { projectId, id }: { projectId: string; id: string }) =>
  sql`delete from parcel_reports where project_id = ${projectId} and parcel_id = ${id}`
