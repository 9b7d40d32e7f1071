import { type Queryable, rowValues } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'

/** Row of `parcel_reports`. */
export interface ReportRow {
  readonly projectId: string
  readonly parcelId: string
  readonly eventKey: string
  readonly source: string
  readonly carrierStatus: string | null
  readonly reason: string | null
  readonly at: string
  readonly outcome: 'applied' | 'cash' | 'stale' | 'same' | 'unmapped' | 'impossible' | 'ignored'
}

/** Returns true when the report was recorded before. */
export const isReportRecorded = async (
  sql: Queryable,
  { projectId, parcelId, eventKey }: Pick<ReportRow, 'projectId' | 'parcelId' | 'eventKey'>,
) =>
  (await sql`select 1 from parcel_reports where project_id = ${projectId} and parcel_id = ${parcelId} and event_key = ${eventKey}`).length >
  0

/** Inserts a report. */
export const insertReport = (sql: Queryable, report: ReportRow) =>
  sql`insert into parcel_reports ${rowValues(sql, { ...report, id: newId('rep') })}`

/** Lists the reports of a connection whose statuses had no meaning, oldest first. */
export const listUnmappedReports = (sql: Queryable, connectionId: string, raws: readonly string[], take: number) =>
  sql<
    (ReportRow & { readonly carrierStatus: string })[]
  >`select r.project_id, r.parcel_id, r.event_key, r.source, r.carrier_status, r.reason, r.at, r.outcome from parcel_reports r
    join parcels p on p.project_id = r.project_id and p.id = r.parcel_id and p.carrier_account_id = ${connectionId}
    where r.outcome = 'unmapped' and r.carrier_status = any (${raws as string[]}) order by r.at, r.event_key limit ${take}`

/** Sets the outcome of a report. */
export const updateReportOutcome = (sql: Queryable, { projectId, parcelId, eventKey }: ReportRow, outcome: ReportRow['outcome']) =>
  sql`update parcel_reports set outcome = ${outcome} where project_id = ${projectId} and parcel_id = ${parcelId} and event_key = ${eventKey}`

/** Maximum number of unknown statuses that are counted per connection; others appear only in the reports. */
const UNKNOWN_MAX = 1_000

/** Counts an unknown status of a connection, with a parcel as an example. */
export const countUnknownStatus = (sql: Queryable, { projectId, id }: { projectId: string; id: string }, raw: string, parcelId: string) =>
  sql`insert into unknown_statuses (project_id, connection_id, raw, sample_parcel_id)
    select ${projectId}, ${id}, ${raw}, ${parcelId} where (select count(*) from unknown_statuses where project_id = ${projectId} and connection_id = ${id}) < ${UNKNOWN_MAX}
      or exists (select 1 from unknown_statuses where project_id = ${projectId} and connection_id = ${id} and raw = ${raw})
    on conflict (project_id, connection_id, raw) do update set count = unknown_statuses.count + 1, last_seen_at = now(), sample_parcel_id = excluded.sample_parcel_id`

/** Deletes the reports of a parcel. */
export const deleteReports = (sql: Queryable, { projectId, id }: { projectId: string; id: string }) =>
  sql`delete from parcel_reports where project_id = ${projectId} and parcel_id = ${id}`
