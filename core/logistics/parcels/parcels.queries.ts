import type { CashStatus, ParcelStatus, Warning } from '../../../plugins/carrier/model.ts'
import type { Rewritten } from '../../../plugins/carrier/segments.model.ts'
import {
  type KeysetPage,
  keysetPage,
  keysetPageOfPartitions,
  limitBytes,
  type SortedRow,
  type Statement,
  sortValueColumn,
  whereEquals,
} from '../../data/keyset-page.ts'
import { recordsetOf } from '../../data/rows.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import { type AskedParcels, Parcel, type ParcelDestination, type ParcelEvent } from './parcels.model.ts'

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
  /** Which part of its order it carries; null where it carries all of it. */
  readonly partId: string | null
  /** What its courier brings back from the door, in words. */
  readonly takesBack: string | null
  /** The actor that asked for its sending last; null where the system did, or nobody yet. */
  readonly sentBy: Actor | null
  /** When it is taken up next by whoever hands parcels over; null where it is not to be. */
  readonly submitAt: string | null
  readonly submitAttempts: number
  readonly submittingSince: string | null
  /** The process that took it up last; what it writes of the sending counts only while it is that. */
  readonly submittingBy: number | null
  /** What its last sending had to say. */
  readonly told: { readonly warnings: readonly Warning[]; readonly rewritten?: Rewritten } | null
  readonly lastReportAt: string | null
  /** When the carrier is asked for news of it next. */
  readonly pollAt: string | null
}

/** Whose it is, and which: what leads to one row wherever it lies. */
export type ParcelKey = Pick<ParcelRow, 'projectId' | 'id'>

export type ParcelValues = Partial<Omit<ParcelRow, 'createdAt' | 'updatedAt'>>

const JSON_COLUMNS = ['recipient', 'destination', 'dimensions', 'carrierData', 'metadata', 'lastError', 'told', 'sentBy'] as const

export const insertParcel = async (sql: Queryable, parcel: ParcelValues) =>
  expectOne(await sql<ParcelRow[]>`insert into parcels ${rowValues(sql, parcel, JSON_COLUMNS)} returning *`)

/** Many at once: each says the same of itself. */
export async function insertParcels(sql: Queryable, parcels: readonly ParcelValues[]) {
  const { names, from } = recordsetOf(sql, 'parcels', parcels)
  return sql<ParcelRow[]>`insert into parcels (${names}) select ${names} from ${from} returning *`
}

export const referenceTaken = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql`select 1 from parcels where project_id = ${projectId} and reference = ${reference}`).length > 0

export const updateParcel = async (sql: Queryable, { projectId, id }: ParcelKey, change: ParcelValues) =>
  expectOne(
    await sql<ParcelRow[]>`update parcels set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)}
      where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Many at once, what changes being the same of each. The caller holds them. */
export function updateParcels(sql: Queryable, changes: readonly (ParcelKey & ParcelValues)[]) {
  const updatedAt = new Date().toISOString()
  const { set, from } = recordsetOf(
    sql,
    'parcels',
    changes.map((change) => ({ ...change, updatedAt })),
    ['projectId', 'id'],
  )
  return sql<ParcelRow[]>`update parcels p set ${set} from ${from} r where p.project_id = r.project_id and p.id = r.id returning p.*`
}

/** With `from`, only of those whose cash is there. */
export const updateCash = (sql: Queryable, projectId: string, ids: readonly string[], to: CashStatus, from: CashStatus | null = null) =>
  sql`update parcels set cash_status = ${to}, updated_at = now()
    where project_id = ${projectId} and id = any (${ids as string[]}) and cash_status <> ${to} and cash_status = coalesce(${from}, cash_status)`

export const deleteParcelRow = async (sql: Queryable, { projectId, id }: ParcelKey) => {
  await sql`delete from parcel_events where project_id = ${projectId} and parcel_id = ${id}`
  await sql`delete from parcels where project_id = ${projectId} and id = ${id}`
}

export const findParcel = async (sql: Queryable, { projectId, id }: ParcelKey) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = ${id}`)[0]

/** For who knows the store whose it is. */
export const findParcelOfStore = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = (select project_id from stores where id = ${storeId}) and id = ${id}`)[0]

/** Holds the parcel's row until the transaction ends. */
export const lockParcel = async (sql: Tx, { projectId, id }: ParcelKey) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = ${id} for update`)[0]

/** The same for many, in the one order that all who hold several keep to. */
export const lockParcels = (sql: Tx, projectId: string, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = any (${ids as string[]}) order by id for update`

export const findParcels = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = any (${ids as string[]}) order by id`

/** By a carrier's number, among the parcels of a connection's project. */
export const findByTracking = async (sql: Queryable, { id, projectId }: { id: string; projectId: string }, trackingId: string) =>
  (
    await sql<
      ParcelRow[]
    >`select * from parcels where carrier_account_id = ${id} and tracking_id = ${trackingId} and project_id = ${projectId}`
  )[0]

export const findByReference = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and reference = ${reference}`)[0]

/** The order's parcels that were not cancelled, oldest first: one, or where it is divided, one for each part. */
export const listLiveOfOrder = (sql: Queryable, projectId: string, orderId: string) =>
  sql<ParcelRow[]>`select * from parcels where order_id = ${orderId} and project_id = ${projectId} and status <> 'cancelled' order by id`

/** For who knows the store whose it is. */
export const listLiveOfStore = (sql: Queryable, storeId: string, orderId: string) =>
  sql<ParcelRow[]>`select * from parcels where order_id = ${orderId} and project_id = (select project_id from stores where id = ${storeId})
    and status <> 'cancelled' order by id`

/** The newest of them. */
export const findLiveOfOrder = async (sql: Queryable, projectId: string, orderId: string) =>
  (await listLiveOfOrder(sql, projectId, orderId)).at(-1)

/** Which of these orders have a parcel that was not cancelled. */
export const listLiveOfOrders = (sql: Queryable, projectId: string, orderIds: readonly string[]) =>
  sql<{ orderId: string }[]>`select order_id from parcels
    where order_id = any (${orderIds as string[]}) and project_id = ${projectId} and status <> 'cancelled'`

/** What is shown of a parcel: its columns are called the same. */
const SHOWN = Object.keys(Parcel.properties) as (keyof Parcel)[]

/** How much there is to read of one. */
const bytes = (sql: Queryable) => sql`octet_length(metadata::text) + octet_length(contents) + octet_length(notes)
  + octet_length(recipient::text) + octet_length(destination::text) + 1000`

/** A parcel that waits for its turn at the carrier is `submitting` to whoever reads it, as the answer to its sending says. */
const isWaiting = (sql: Queryable) => sql`status = 'created' and submit_at is not null`
const shownStatus = (sql: Queryable) => sql`case when ${isWaiting(sql)} then 'submitting' else status end as status`

/** A page of a project's parcels. */
export function listParcels(sql: Queryable, projectId: string, { filter: { phone, status, ...exact }, q, page: part }: AskedParcels) {
  const names = part.sortColumn === null ? SHOWN : [...SHOWN, 'sortValue']
  const columns = SHOWN.filter((name) => name !== 'status')
  const rows = (ofStatus: Statement) => sql`select ${sql(columns)}, ${shownStatus(sql)} ${sortValueColumn(sql, part)} from parcels
    where project_id = ${projectId} ${ofStatus} ${whereEquals(sql, exact)}
    ${phone === undefined ? sql`` : sql`and recipient->>'phone' = ${phone}`}
    ${q === undefined ? sql`` : sql`and (reference = ${q} or tracking_id = ${q} or recipient->>'phone' = ${q})`}
    ${keysetPage(sql, part)}`
  // A page of each is read off its index, and the page of both is among them.
  const found =
    status === 'submitting'
      ? sql`select * from ((${rows(sql`and status = 'submitting'`)}) union all (${rows(sql`and ${isWaiting(sql)}`)})) p where true ${keysetPage(sql, part)}`
      : rows(status === undefined ? sql`` : sql`and status = ${status} ${status === 'created' ? sql`and submit_at is null` : sql``}`)
  return sql<(Pick<ParcelRow, keyof Parcel> & SortedRow)[]>`${limitBytes(sql, names, found, bytes(sql))}`
}

interface EventRow {
  readonly projectId: string
  readonly parcelId: string
  readonly id: string
  readonly type: string
  readonly source: string
  readonly at: string
  readonly fromStatus: string | null
  readonly toStatus: string | null
  readonly payload: object
}

export const insertEvent = (sql: Queryable, event: EventRow) => sql`insert into parcel_events ${rowValues(sql, event, ['payload'])}`

export function insertEvents(sql: Queryable, events: readonly EventRow[]) {
  const { names, from } = recordsetOf(sql, 'parcel_events', events)
  return sql`insert into parcel_events (${names}) select ${names} from ${from}`
}

type ListedEvent = Omit<ParcelEvent, 'fromStatus' | 'toStatus'> & { fromStatus: ParcelStatus | null; toStatus: ParcelStatus | null }

const timeline = (sql: Queryable, { projectId, id }: ParcelKey, part: Omit<KeysetPage, 'sortColumn'>) =>
  sql<ListedEvent[]>`select id, type, source, at, from_status, to_status, payload from parcel_events
    where project_id = ${projectId} and parcel_id = ${id} ${keysetPageOfPartitions(sql, { sortColumn: null, ...part })}`

/** A parcel's timeline in order, from after an event on; there may be more than are asked for. */
export const listEvents = (sql: Queryable, parcel: ParcelKey, after: string | null, take: number) =>
  timeline(sql, parcel, { isDescending: false, after: after === null ? null : { id: after, value: null }, limit: take })

/** The end of a timeline, in order. */
export const newestEvents = async (sql: Queryable, parcel: ParcelKey, take: number): Promise<ListedEvent[]> =>
  (await timeline(sql, parcel, { isDescending: true, after: null, limit: take })).slice(0, take).reverse()
