import type { CashStatus, ParcelStatus, Warning } from '../../../plugins/carrier/model.ts'
import type { Rewritten } from '../../../plugins/carrier/segments.model.ts'
import { matching, type Sorted, slice, sortValue } from '../../data/slice.ts'
import { one, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { AskedParcels, Parcel, ParcelDestination, ParcelEvent } from './parcels.model.ts'

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
  /** Of the order that it was made from. */
  readonly orderVersion: number
  /** When it is taken up next by whoever hands parcels over; null where it is not to be. */
  readonly submitAt: string | null
  readonly submitAttempts: number
  readonly submittingSince: string | null
  /** What its last sending had to say. */
  readonly told: { readonly warnings: readonly Warning[]; readonly rewritten?: Rewritten } | null
  readonly lastReportAt: string | null
  /** When the carrier is asked for news of it next. */
  readonly pollAt: string | null
}

export type ParcelValues = Partial<Omit<ParcelRow, 'createdAt' | 'updatedAt'>>

const JSON_COLUMNS = ['recipient', 'destination', 'dimensions', 'carrierData', 'metadata', 'lastError', 'told'] as const

export const insertParcel = async (sql: Queryable, parcel: ParcelValues) =>
  one(await sql<ParcelRow[]>`insert into parcels ${row(sql, parcel, JSON_COLUMNS)} returning *`)

export const referenceTaken = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql`select 1 from parcels where project_id = ${projectId} and reference = ${reference}`).length > 0

export const updateParcel = async (sql: Queryable, id: string, change: ParcelValues) =>
  one(
    await sql<ParcelRow[]>`update parcels set ${row(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)} where id = ${id} returning *`,
  )

/** With `from`, only of those whose cash is there. */
export const updateCash = (sql: Queryable, ids: readonly string[], to: CashStatus, from: CashStatus | null = null) =>
  sql`update parcels set cash_status = ${to}, updated_at = now()
    where id = any (${ids as string[]}) and cash_status <> ${to} and cash_status = coalesce(${from}, cash_status)`

export const deleteParcelRow = async (sql: Queryable, { projectId, id }: Pick<ParcelRow, 'projectId' | 'id'>) => {
  await sql`delete from parcel_events where project_id = ${projectId} and parcel_id = ${id}`
  await sql`delete from parcels where project_id = ${projectId} and id = ${id}`
}

export const findParcel = async (sql: Queryable, id: string) => (await sql<ParcelRow[]>`select * from parcels where id = ${id}`)[0]

export const findParcelOf = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = ${id}`)[0]

/** Holds the parcel's row until the transaction ends. */
export const lockParcel = async (sql: Tx, id: string) => (await sql<ParcelRow[]>`select * from parcels where id = ${id} for update`)[0]

export const findParcels = (sql: Queryable, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where id = any (${ids as string[]}) order by id`

export const findByTracking = async (sql: Queryable, connectionId: string, trackingId: string) =>
  (await sql<ParcelRow[]>`select * from parcels where carrier_account_id = ${connectionId} and tracking_id = ${trackingId}`)[0]

export const findByReference = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and reference = ${reference}`)[0]

/** The order's parcel that was not cancelled: there is at most one. */
export const findLiveOfOrder = async (sql: Queryable, orderId: string) =>
  (await sql<ParcelRow[]>`select * from parcels where order_id = ${orderId} and status <> 'cancelled'`)[0]

export function listParcels(sql: Queryable, projectId: string, { filter: { phone, ...exact }, q, slice: part }: AskedParcels) {
  return sql<(ParcelRow & Sorted)[]>`select * ${sortValue(sql, part)} from parcels where project_id = ${projectId}
    ${matching(sql, exact)}
    ${phone === undefined ? sql`` : sql`and recipient->>'phone' = ${phone}`}
    ${q === undefined ? sql`` : sql`and (reference = ${q} or tracking_id = ${q} or recipient->>'phone' = ${q})`}
    ${slice(sql, part)}`
}

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
) => sql`insert into parcel_events ${row(sql, event, ['payload'])}`

export const listAppliedEvents = (sql: Queryable, projectId: string, parcelId: string) =>
  sql<(Omit<ParcelEvent, 'fromStatus' | 'toStatus'> & { fromStatus: ParcelStatus | null; toStatus: ParcelStatus | null })[]>`
    select id, type, source, at, from_status, to_status, payload from parcel_events where project_id = ${projectId} and parcel_id = ${parcelId} order by id`
