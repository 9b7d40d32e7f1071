import type { KeysetPage } from '../../data/keyset-page.ts'
import { json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Order } from '../../orders/orders.model.ts'
import type { BulkJobRow, JobRowStatus } from './bulk.model.ts'
import type { JobKey } from './jobs.queries.ts'

/** Order of a job that has no result yet. */
export interface WaitingRow {
  readonly row: number
  readonly orderId: string
  /** Status when the job was asked for; null for an id without an order. */
  readonly seenStatus: Order['status'] | null
  readonly userId: string | null
}

/** Result of a job for one order. */
export interface JobRowResult {
  readonly status: Exclude<JobRowStatus, 'waiting'>
  readonly parcelId?: string | null
  readonly error?: NonNullable<BulkJobRow['error']>
}

/** Inserts orders of a job. */
export const insertJobRows = (sql: Tx, { projectId, id }: JobKey, rows: readonly WaitingRow[]) =>
  sql`insert into order_job_rows (project_id, job_id, row, order_id, seen_status, user_id)
    select ${projectId}, ${id}, (r.value ->> 'row')::integer, r.value ->> 'orderId', r.value ->> 'seenStatus', r.value ->> 'userId'
    from jsonb_array_elements(${json(sql, rows)}) as r (value)`

/** Lists the next orders of a job without a result. */
export const listWaitingJobRows = (sql: Queryable, { projectId, id }: JobKey, take: number) =>
  sql<WaitingRow[]>`select row, order_id, seen_status, user_id from order_job_rows
    where project_id = ${projectId} and job_id = ${id} and status = 'waiting' order by row limit ${take}`

/** Locks an order of a job. Returns false when it has a result, or the job was cancelled. */
export const lockWaitingJobRow = async (sql: Tx, { projectId, id }: JobKey, row: number) =>
  (
    await sql`select 1 from order_job_rows
      where project_id = ${projectId} and job_id = ${id} and row = ${row} and status = 'waiting' for update`
  ).length > 0

/** Records the result of an order. What was done before the job was cancelled replaces `cancelled`. */
export const updateJobRow = (sql: Queryable, { projectId, id }: JobKey, row: number, result: JobRowResult) =>
  sql`update order_job_rows set ${rowValues(sql, result, ['error'])}
    where project_id = ${projectId} and job_id = ${id} and row = ${row} and status in ('waiting', 'cancelled')`

/** Records the same result for all orders of a job that have none. */
export const updateWaitingJobRows = (sql: Queryable, { projectId, id }: JobKey, result: JobRowResult) =>
  sql`update order_job_rows set ${rowValues(sql, result, ['error'])} where project_id = ${projectId} and job_id = ${id} and status = 'waiting'`

/** Lists the orders of a job with their results, in their order. */
export const listJobRows = (sql: Queryable, { projectId, id }: JobKey, status: JobRowStatus | undefined, { after, limit }: KeysetPage) =>
  sql<BulkJobRow[]>`select r.row, r.order_id, o.reference, r.status, r.parcel_id, r.error from order_job_rows r
    left join orders o on o.project_id = r.project_id and o.id = r.order_id and o.deleted_at is null
    where r.project_id = ${projectId} and r.job_id = ${id} ${status === undefined ? sql`` : sql`and r.status = ${status}`}
    ${after === null ? sql`` : sql`and r.row > ${Number(after.id)}`}
    order by r.row limit ${limit}`

/**
 * Lists the orders of a job that a carrier has given a number, as their goods lie on the shelf: by carrier, then by the first line's SKU or
 * name. Orders that were sent before the job are left out once their label was printed.
 */
export const listSentRows = (sql: Queryable, { projectId, id }: JobKey) =>
  sql<{ orderId: string; seenStatus: Order['status'] }[]>`select o.id as order_id, o.status as seen_status from order_job_rows r
    join orders o on o.project_id = r.project_id and o.id = r.order_id and o.deleted_at is null
    join lateral (select carrier_account_id, printed_at from parcels where project_id = o.project_id and order_id = o.id and status <> 'cancelled' and tracking_id is not null
      order by id desc limit 1) p on true
    left join order_items i on i.project_id = o.project_id and i.order_id = o.id and i.line = 1
    where r.project_id = ${projectId} and r.job_id = ${id} and (r.status in ('done', 'pending') or (r.status = 'unchanged' and p.printed_at is null))
    order by p.carrier_account_id, coalesce(nullif(i.sku, ''), i.name), o.id`

/** Parcel of an order that may have a label. */
export interface LabelledParcel {
  readonly id: string
  readonly orderId: string
  readonly trackingId: string
  readonly carrierAccountId: string
}

/** Lists the parcels of orders that a carrier has given a number, oldest first. */
export const findLabelledParcels = (sql: Queryable, projectId: string, orderIds: readonly string[]) =>
  sql<LabelledParcel[]>`select id, order_id, tracking_id, carrier_account_id from parcels
    where project_id = ${projectId} and order_id = any (${orderIds as string[]}) and status <> 'cancelled'
      and tracking_id is not null and carrier_account_id is not null order by id`

/** Order with its status, and the connection of its newest parcel. */
export interface OrderState {
  readonly id: string
  readonly status: Order['status']
  readonly carrierAccountId: string | null
}

/** Reads the states of those orders of a project that exist. */
export const findOrderStates = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<OrderState[]>`select o.id, o.status, p.carrier_account_id from orders o
    left join lateral (select carrier_account_id from parcels where project_id = o.project_id and order_id = o.id and status <> 'cancelled'
      order by id desc limit 1) p on true
    where o.project_id = ${projectId} and o.id = any (${ids as string[]}) and o.deleted_at is null`
