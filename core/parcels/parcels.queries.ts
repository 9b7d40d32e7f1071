import type { CashStatus, ParcelStatus } from '../../plugins/carrier/model.ts'
import type { Queryable } from '../data/sql.ts'
import type { BatchResult, NewParcel, Parcel, ParcelDestination, ParcelEvent, ParcelQuery } from './parcels.model.ts'

/** `numeric` columns come as text. */
export interface ParcelRow extends Omit<Parcel, 'codAmount' | 'declaredValue' | 'weightKg' | 'destination' | 'status' | 'cashStatus'> {
  readonly projectId: string
  readonly status: ParcelStatus
  readonly cashStatus: CashStatus
  readonly destination: ParcelDestination
  readonly codAmount: string
  readonly declaredValue: string
  readonly weightKg: string
  readonly carrierData: Record<string, unknown>
  readonly sequence: number
  readonly submitAttempts: number
  readonly submittingSince: string | null
  readonly lastReportAt: string | null
  /** When the carrier is asked for news of it next. */
  readonly pollAt: string | null
}

export type ParcelValues = Partial<Omit<ParcelRow, 'createdAt' | 'updatedAt'>>

const JSON_COLUMNS = ['recipient', 'destination', 'dimensions', 'carrierData', 'metadata', 'lastError'] as const

function json(sql: Queryable, values: ParcelValues) {
  const encoded = JSON_COLUMNS.filter((name) => values[name] !== undefined && values[name] !== null).map((name) => [
    name,
    sql.json(values[name] as never),
  ])
  return { ...values, ...Object.fromEntries(encoded) }
}

export const insertParcel = async (sql: Queryable, parcel: ParcelValues) =>
  (await sql<ParcelRow[]>`insert into parcels ${sql(json(sql, parcel) as never)} returning *`)[0]!

export const referenceTaken = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql`select 1 from parcels where project_id = ${projectId} and reference = ${reference}`).length > 0

export const updateParcel = async (sql: Queryable, id: string, change: ParcelValues) =>
  (
    await sql<ParcelRow[]>`update parcels set ${sql({ ...json(sql, change), updatedAt: new Date() } as never)} where id = ${id} returning *`
  )[0]!

/** With `from`, only of those whose cash is there. */
export const updateCash = (sql: Queryable, ids: readonly string[], to: CashStatus, from: CashStatus | null = null) =>
  sql`update parcels set cash_status = ${to}, updated_at = now()
    where id = any (${ids as string[]}) and cash_status <> ${to} and cash_status = coalesce(${from}, cash_status)`

export const deleteParcelRow = async (sql: Queryable, { projectId, id }: Pick<ParcelRow, 'projectId' | 'id'>) => {
  await sql`delete from parcel_events where project_id = ${projectId} and parcel_id = ${id}`
  await sql`delete from parcel_reports where project_id = ${projectId} and parcel_id = ${id}`
  await sql`delete from parcels where project_id = ${projectId} and id = ${id}`
}

export const findParcel = async (sql: Queryable, id: string) => (await sql<ParcelRow[]>`select * from parcels where id = ${id}`)[0]

export const findParcelOf = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = ${id}`)[0]

/** Holds the parcel's row until the transaction ends. */
export const lockParcel = async (sql: Queryable, id: string) =>
  (await sql<ParcelRow[]>`select * from parcels where id = ${id} for update`)[0]

/** Why parcels that were not sent yet have to wait. */
export const noteWaiting = (sql: Queryable, ids: readonly string[], error: { code: string; message: string }) =>
  sql`update parcels set last_error = ${sql.json(error)} where id = any (${ids as string[]}) and status = 'created'`

export const clearErrors = (sql: Queryable, ids: readonly string[]) =>
  sql`update parcels set last_error = null where id = any (${ids as string[]}) and status = 'created' and last_error is not null`

export const findParcels = (sql: Queryable, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where id = any (${ids as string[]}) order by id`

/** In one order, so that two that lock several never wait for each other in a circle. */
export const lockParcels = (sql: Queryable, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where id = any (${ids as string[]}) order by id for update`

export const findByTracking = async (sql: Queryable, accountId: string, trackingId: string) =>
  (await sql<ParcelRow[]>`select * from parcels where carrier_account_id = ${accountId} and tracking_id = ${trackingId}`)[0]

export const findByReference = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and reference = ${reference}`)[0]

/** The order's parcel that was not cancelled: there is at most one. */
export const findLiveOfOrder = async (sql: Queryable, orderId: string) =>
  (await sql<ParcelRow[]>`select * from parcels where order_id = ${orderId} and status <> 'cancelled'`)[0]

export const listParcels = (sql: Queryable, projectId: string, q: ParcelQuery, before: string | null, take: number) =>
  sql<ParcelRow[]>`select * from parcels where project_id = ${projectId}
    ${before === null ? sql`` : sql`and id < ${before}`} ${q.status ? sql`and status = ${q.status}` : sql``} ${q.reference ? sql`and reference = ${q.reference}` : sql``}
    ${q.trackingId ? sql`and tracking_id = ${q.trackingId}` : sql``} ${q.carrierAccountId ? sql`and carrier_account_id = ${q.carrierAccountId}` : sql``}
    ${q.batchId ? sql`and batch_id = ${q.batchId}` : sql``} order by id desc limit ${take}`

export const insertEvent = (
  sql: Queryable,
  event: {
    projectId: string
    parcelId: string
    id: string
    type: string
    source: string
    at: string
    fromStatus: string | null
    toStatus: string | null
    payload: object
  },
) => sql`insert into parcel_events ${sql({ ...event, payload: sql.json(event.payload as never) } as never)}`

export const listAppliedEvents = (sql: Queryable, projectId: string, parcelId: string) =>
  sql<(Omit<ParcelEvent, 'fromStatus' | 'toStatus'> & { fromStatus: ParcelStatus | null; toStatus: ParcelStatus | null })[]>`
    select id, type, source, at, from_status, to_status, payload from parcel_events where project_id = ${projectId} and parcel_id = ${parcelId} order by id`

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

export const insertReport = (sql: Queryable, report: Report) => sql`insert into parcel_reports ${sql(report as never)}`

/** Reports of a connection that wait for the meaning of their words, oldest first. */
export const listUnmapped = (sql: Queryable, accountId: string, raws: readonly string[], take: number) =>
  sql<Report[]>`select r.project_id, r.parcel_id, r.event_key, r.source, r.carrier_status, r.reason, r.at, r.outcome from parcel_reports r
    join parcels p on p.project_id = r.project_id and p.id = r.parcel_id and p.carrier_account_id = ${accountId}
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

/** Claimed and then silent for too long: whoever worked on them died. */
export const listStranded = (sql: Queryable, seconds: number) =>
  sql<
    { id: string }[]
  >`select id from parcels where status = 'submitting' and not outcome_unknown and submitting_since < now() - ${seconds} * interval '1 second' order by id limit 500`

export interface BatchRow {
  readonly projectId: string
  readonly id: string
  readonly status: 'processing' | 'completed'
  readonly total: number
  readonly rows: (NewParcel & { submit?: boolean })[]
  readonly results: BatchResult[]
  readonly createdAt: string
  readonly completedAt: string | null
}

export const insertBatch = async (sql: Queryable, batch: { projectId: string; id: string; total: number; rows: object[] }) =>
  (await sql<BatchRow[]>`insert into parcel_batches ${sql({ ...batch, rows: sql.json(batch.rows as never) } as never)} returning *`)[0]!

export const findBatch = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<BatchRow[]>`select * from parcel_batches where project_id = ${projectId} and id = ${id}`)[0]

export const lockBatch = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<BatchRow[]>`select * from parcel_batches where project_id = ${projectId} and id = ${id} for update`)[0]

export const updateBatch = async (sql: Queryable, projectId: string, id: string, results: BatchResult[], completed: boolean) =>
  (
    await sql<
      BatchRow[]
    >`update parcel_batches set results = ${sql.json(results as never)}, status = ${completed ? 'completed' : 'processing'},
    completed_at = ${completed ? new Date() : null} where project_id = ${projectId} and id = ${id} returning *`
  )[0]!
