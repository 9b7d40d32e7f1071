import type { CashStatus, ParcelStatus, Warning } from '../../../plugins/carrier/model.ts'
import type { Rewritten } from '../../../plugins/carrier/segments.model.ts'
import {
  equalsCondition,
  type KeysetPage,
  keysetPage,
  keysetPageOfPartitions,
  limitBytes,
  type SortedRow,
  type Statement,
  sortValueColumn,
} from '../../data/keyset-page.ts'
import { recordsetOf } from '../../data/rows.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import { Parcel, type ParcelDestination, type ParcelEvent, type ParcelListRequest } from './parcels.model.ts'

/** Condition of goods that came back. */
export type ReturnCondition = 'good' | 'damaged'

/** Row of `parcels`. `numeric` columns are strings. */
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
  /** Version of the order that its values were copied from. */
  readonly orderVersion: number
  /** Part of its order; null when it has all of the order. */
  readonly partId: string | null
  /** Description of the goods that its courier collects on delivery. */
  readonly takesBack: string | null
  /** Actor that last requested its submission; null for the system, and before the first request. */
  readonly sentBy: Actor | null
  /** Time of its next submission attempt; null when none is due. */
  readonly submitAt: string | null
  readonly submitAttempts: number
  readonly submittingSince: string | null
  /** Process of the last submission attempt; results of other processes do not count. */
  readonly submittingBy: number | null
  /** Notices of its last submission. */
  readonly told: { readonly warnings: readonly Warning[]; readonly rewritten?: Rewritten } | null
  readonly lastReportAt: string | null
  /** Time of the next tracking poll; null when it is not polled. */
  readonly pollAt: string | null
  /** Last time its label was printed by us; null when it never was. */
  readonly printedAt: string | null
  /** Times of the store's own scans. */
  readonly packedAt: string | null
  readonly handedOverAt: string | null
  readonly returnReceivedAt: string | null
  /** Condition of goods that the store scanned in; null when it did not. */
  readonly returnCondition: ReturnCondition | null
}

/** Primary key of a parcel, with its project as the partition key. */
export type ParcelKey = Pick<ParcelRow, 'projectId' | 'id'>

/** Columns of `parcels` to insert or update. */
export type ParcelValues = Partial<Omit<ParcelRow, 'createdAt' | 'updatedAt'>>

const JSON_COLUMNS = ['recipient', 'destination', 'dimensions', 'carrierData', 'metadata', 'lastError', 'told', 'sentBy'] as const

/** Inserts a parcel and returns it. */
export const insertParcel = async (sql: Queryable, parcel: ParcelValues) =>
  expectOne(await sql<ParcelRow[]>`insert into parcels ${rowValues(sql, parcel, JSON_COLUMNS)} returning *`)

/** Inserts many parcels and returns them; all must set the same columns. */
export async function insertParcels(sql: Queryable, parcels: readonly ParcelValues[]) {
  const { names, from } = recordsetOf(sql, 'parcels', parcels)
  return sql<ParcelRow[]>`insert into parcels (${names}) select ${names} from ${from} returning *`
}

/** Returns true when a parcel of the project has the reference. */
export const isReferenceTaken = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql`select 1 from parcels where project_id = ${projectId} and reference = ${reference}`).length > 0

/** Updates columns of a parcel and its `updated_at`, and returns it. */
export const updateParcel = async (sql: Queryable, { projectId, id }: ParcelKey, change: ParcelValues) =>
  expectOne(
    await sql<ParcelRow[]>`update parcels set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)}
      where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Updates many parcels in one statement. All changes must set the same columns, and the caller must have locked the rows. */
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

/** Sets the cash status of parcels; with `from`, only of those that have that status. */
export const updateCashStatus = (
  sql: Queryable,
  projectId: string,
  ids: readonly string[],
  to: CashStatus,
  from: CashStatus | null = null,
) =>
  sql`update parcels set cash_status = ${to}, updated_at = now()
    where project_id = ${projectId} and id = any (${ids as string[]}) and cash_status <> ${to} and cash_status = coalesce(${from}, cash_status)`

/** Records that the labels of parcels of a connection were printed now. Locks the rows in id order to avoid deadlocks. */
export const updatePrintedAt = (sql: Queryable, { id, projectId }: { id: string; projectId: string }, trackings: readonly string[]) =>
  sql`update parcels p set printed_at = now() from (
      select id from parcels where project_id = ${projectId} and carrier_account_id = ${id} and tracking_id = any (${trackings as string[]})
      order by id for update) printed
    where p.project_id = ${projectId} and p.id = printed.id`

/** Deletes a parcel and its timeline. */
export const deleteParcelRow = async (sql: Queryable, { projectId, id }: ParcelKey) => {
  await sql`delete from parcel_events where project_id = ${projectId} and parcel_id = ${id}`
  await sql`delete from parcels where project_id = ${projectId} and id = ${id}`
}

/** Finds a parcel. */
export const findParcel = async (sql: Queryable, { projectId, id }: ParcelKey) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = ${id}`)[0]

/** Finds a parcel by its store instead of its project. */
export const findParcelOfStore = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = (select project_id from stores where id = ${storeId}) and id = ${id}`)[0]

/** Locks a parcel until the transaction ends, and returns it. */
export const lockParcel = async (sql: Tx, { projectId, id }: ParcelKey) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = ${id} for update`)[0]

/** Locks and returns many parcels of a project, in id order to avoid deadlocks. */
export const lockParcels = (sql: Tx, projectId: string, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = any (${ids as string[]}) order by id for update`

/** Finds many parcels of a project, in id order. */
export const findParcels = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and id = any (${ids as string[]}) order by id`

/** Finds a parcel of a connection by the carrier's tracking number. */
export const findParcelByTracking = async (sql: Queryable, { id, projectId }: { id: string; projectId: string }, trackingId: string) =>
  (
    await sql<
      ParcelRow[]
    >`select * from parcels where carrier_account_id = ${id} and tracking_id = ${trackingId} and project_id = ${projectId}`
  )[0]

/** Finds a parcel of a project by its reference. */
export const findParcelByReference = async (sql: Queryable, projectId: string, reference: string) =>
  (await sql<ParcelRow[]>`select * from parcels where project_id = ${projectId} and reference = ${reference}`)[0]

/** Lists the parcels of an order that were not cancelled, oldest first: one, or one for each part of a divided order. */
export const listLiveParcelsOfOrder = (sql: Queryable, projectId: string, orderId: string) =>
  sql<ParcelRow[]>`select * from parcels where order_id = ${orderId} and project_id = ${projectId} and status <> 'cancelled' order by id`

/** Lists the parcels of an order that were not cancelled, by the order's store instead of its project. */
export const listLiveParcelsInStore = (sql: Queryable, storeId: string, orderId: string) =>
  sql<ParcelRow[]>`select * from parcels where order_id = ${orderId} and project_id = (select project_id from stores where id = ${storeId})
    and status <> 'cancelled' order by id`

/** Finds the newest parcel of an order that was not cancelled. */
export const findNewestLiveParcel = async (sql: Queryable, projectId: string, orderId: string) =>
  (await listLiveParcelsOfOrder(sql, projectId, orderId)).at(-1)

/** Lists those of the orders that have a parcel that was not cancelled. */
export const listOrdersWithLiveParcels = (sql: Queryable, projectId: string, orderIds: readonly string[]) =>
  sql<{ orderId: string }[]>`select order_id from parcels
    where order_id = any (${orderIds as string[]}) and project_id = ${projectId} and status <> 'cancelled'`

/** Columns of a parcel that the API shows; properties and columns have the same names. */
const API_COLUMNS = Object.keys(Parcel.properties) as (keyof Parcel)[]

/** Estimated size of a parcel in bytes. */
const estimatedBytes = (sql: Queryable) => sql`octet_length(metadata::text) + octet_length(contents) + octet_length(notes)
  + octet_length(recipient::text) + octet_length(destination::text) + 1000`

/** True for a parcel that waits for a slot at its carrier. The API shows it as `submitting`, as the answer to the send did. */
const IS_WAITING = "status = 'created' and submit_at is not null"
/** Column that selects the status of a row of `parcels` as the API shows it. */
export const SHOWN_PARCEL_STATUS = `case when ${IS_WAITING} then 'submitting' else status end as status`

/** A page of a project's parcels. */
export function listParcels(sql: Queryable, projectId: string, { filter: { phone, status, ...exact }, q, page: part }: ParcelListRequest) {
  const names = part.sortColumn === null ? API_COLUMNS : [...API_COLUMNS, 'sortValue']
  const columns = API_COLUMNS.filter((name) => name !== 'status')
  const rows = (
    ofStatus: Statement,
  ) => sql`select ${sql(columns)}, ${sql.unsafe(SHOWN_PARCEL_STATUS)} ${sortValueColumn(sql, part)} from parcels
    where project_id = ${projectId} ${ofStatus} ${equalsCondition(sql, exact)}
    ${phone === undefined ? sql`` : sql`and recipient->>'phone' = ${phone}`}
    ${q === undefined ? sql`` : sql`and (reference = ${q} or tracking_id = ${q} or recipient->>'phone' = ${q})`}
    ${keysetPage(sql, part)}`
  // A page of each is read off its index, and the page of both is among them.
  const found =
    status === 'submitting'
      ? sql`select * from ((${rows(sql`and status = 'submitting'`)}) union all (${rows(sql`and ${sql.unsafe(IS_WAITING)}`)})) p where true ${keysetPage(sql, part)}`
      : rows(status === undefined ? sql`` : sql`and status = ${status} ${status === 'created' ? sql`and submit_at is null` : sql``}`)
  return sql<(Pick<ParcelRow, keyof Parcel> & SortedRow)[]>`${limitBytes(sql, names, found, estimatedBytes(sql))}`
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

/** Inserts an entry into the timeline of a parcel. */
export const insertParcelEvent = (sql: Queryable, event: EventRow) => sql`insert into parcel_events ${rowValues(sql, event, ['payload'])}`

/** Inserts many timeline entries. */
export function insertParcelEvents(sql: Queryable, events: readonly EventRow[]) {
  const { names, from } = recordsetOf(sql, 'parcel_events', events)
  return sql`insert into parcel_events (${names}) select ${names} from ${from}`
}

type ListedEvent = Omit<ParcelEvent, 'fromStatus' | 'toStatus'> & { fromStatus: ParcelStatus | null; toStatus: ParcelStatus | null }

const listTimeline = (sql: Queryable, { projectId, id }: ParcelKey, part: Omit<KeysetPage, 'sortColumn'>) =>
  sql<ListedEvent[]>`select id, type, source, at, from_status, to_status, payload from parcel_events
    where project_id = ${projectId} and parcel_id = ${id} ${keysetPageOfPartitions(sql, { sortColumn: null, ...part })}`

/** Lists the timeline of a parcel, oldest first, after the given entry. */
export const listParcelEvents = (sql: Queryable, parcel: ParcelKey, after: string | null, take: number) =>
  listTimeline(sql, parcel, { isDescending: false, after: after === null ? null : { id: after, value: null }, limit: take })

/** Lists the newest entries of a timeline, oldest first. */
export const listNewestParcelEvents = async (sql: Queryable, parcel: ParcelKey, take: number): Promise<ListedEvent[]> =>
  (await listTimeline(sql, parcel, { isDescending: true, after: null, limit: take })).slice(0, take).reverse()
