import { expectOne, json, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { Actor } from '../../../data/tenant-context.ts'
import type { BatchRow, NewParcel } from '../parcels.model.ts'
import type { ParcelRow } from '../parcels.queries.ts'

/** Row of `parcel_batches`. */
export interface BatchHead {
  readonly projectId: string
  readonly id: string
  readonly status: 'processing' | 'completed'
  readonly total: number
  /** Actor that requested the batch; null for the system. */
  readonly madeBy: Actor | null
  readonly createdAt: string
  readonly completedAt: string | null
}

/** Row of a batch with the notices of its parcel. */
export type BatchRowWithNotices = BatchRow & { readonly told: ParcelRow['told'] }

/** Inserts a batch and returns it. */
export const insertBatch = async (sql: Queryable, batch: Pick<BatchHead, 'projectId' | 'id' | 'total' | 'madeBy'>) =>
  expectOne(await sql<BatchHead[]>`insert into parcel_batches ${rowValues(sql, batch, ['madeBy'])} returning *`)

/** Inserts the rows of a batch, numbered from 0, as waiting. */
export const insertBatchRows = (sql: Queryable, { projectId, id }: { projectId: string; id: string }, rows: readonly NewParcel[]) =>
  sql`insert into parcel_batch_rows (project_id, batch_id, row, input, reference, status)
    select ${projectId}, ${id}, r.place - 1, r.input, r.input ->> 'reference', 'waiting'
    from jsonb_array_elements(${json(sql, rows)}) with ordinality as r (input, place)`

/** Finds a batch of a project. */
export const findBatch = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<BatchHead[]>`select * from parcel_batches where project_id = ${projectId} and id = ${id}`)[0]

/** Locks a batch until the transaction ends, and returns it. */
export const lockBatch = async (sql: Tx, projectId: string, id: string) =>
  (await sql<BatchHead[]>`select * from parcel_batches where project_id = ${projectId} and id = ${id} for update`)[0]

/** Returns true when batches of the project have rows that wait for processing. */
export const hasWaitingRows = async (sql: Queryable, projectId: string) =>
  (
    await sql`select 1 from parcel_batches b where b.project_id = ${projectId} and b.status = 'processing' and exists (
      select 1 from parcel_batch_rows r where r.project_id = b.project_id and r.batch_id = b.id and r.status = 'waiting') limit 1`
  ).length > 0

/** Locks and returns the project's oldest batch with waiting rows. Waits for senders, which lock a batch only briefly. */
export const lockNextBatch = async (sql: Tx, projectId: string) =>
  (
    await sql<BatchHead[]>`select * from parcel_batches b where b.project_id = ${projectId} and b.status = 'processing' and exists (
        select 1 from parcel_batch_rows r where r.project_id = b.project_id and r.batch_id = b.id and r.status = 'waiting')
      order by b.id limit 1 for update`
  )[0]

/** Lists the processed rows of a batch. */
export const listBatchResults = (sql: Queryable, projectId: string, id: string) =>
  sql<BatchRowWithNotices[]>`select r.row, r.reference, r.parcel_id, r.status, r.error, p.told from parcel_batch_rows r
    left join parcels p on p.project_id = r.project_id and p.id = r.parcel_id
    where r.project_id = ${projectId} and r.batch_id = ${id} and r.status <> 'waiting' order by r.row`

/** Lists waiting rows of a batch, in order. */
export const listWaitingRows = (sql: Queryable, projectId: string, id: string, take: number) =>
  sql<{ row: number; input: NewParcel }[]>`select row, input from parcel_batch_rows
    where project_id = ${projectId} and batch_id = ${id} and status = 'waiting' order by row limit ${take}`

/** Sets the result of a row, and deletes its input. */
export const updateBatchRow = (sql: Queryable, { projectId, id }: { projectId: string; id: string }, { row: place, ...result }: BatchRow) =>
  sql`update parcel_batch_rows set input = null, ${rowValues(sql, result, ['error'])}
    where project_id = ${projectId} and batch_id = ${id} and row = ${place}`

/** Sets the result of the rows whose parcels had no final outcome yet. */
export const updateBatchRowsOfParcels = (
  sql: Queryable,
  parcels: { projectId: string; batchId: string; ids: readonly string[] },
  { status, error }: Pick<BatchRow, 'status' | 'error'>,
) =>
  sql`update parcel_batch_rows set status = ${status}, error = ${error && sql.json(error)}
    where project_id = ${parcels.projectId} and batch_id = ${parcels.batchId} and parcel_id = any (${parcels.ids as string[]}) and status in ('submitting', 'unknown')`

/** Completes a batch without pending rows, and returns it. The caller must have locked it. */
export const completeBatch = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<BatchHead[]>`update parcel_batches set status = 'completed', completed_at = now()
      where project_id = ${projectId} and id = ${id} and status = 'processing' and not exists (
        select 1 from parcel_batch_rows where project_id = ${projectId} and batch_id = ${id} and status in ('waiting', 'submitting'))
      returning *`
  )[0]

/** Batch that is not completed. */
export interface OpenBatch {
  readonly projectId: string
  readonly id: string
  readonly isWaiting: boolean
}

/** Lists batches that are not completed, oldest first. */
export const listOpenBatches = (sql: Queryable, take: number) =>
  sql<OpenBatch[]>`select b.project_id, b.id, exists (
      select 1 from parcel_batch_rows r where r.project_id = b.project_id and r.batch_id = b.id and r.status = 'waiting') as is_waiting
    from parcel_batches b where b.status = 'processing' order by b.created_at limit ${take}`
