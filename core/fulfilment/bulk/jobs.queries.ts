import { type KeysetPage, keysetPage } from '../../data/keyset-page.ts'
import { storeIdColumn } from '../../data/project-ids.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../data/tenant-context.ts'
import type { BulkAction, JobStatus } from './bulk.model.ts'

/** Primary key of a job. */
export interface JobKey {
  readonly projectId: string
  readonly id: string
}

/** Row of `order_jobs` with the counts of its orders. */
export interface JobRow extends JobKey {
  readonly storeId: string
  readonly status: JobStatus
  readonly action: BulkAction
  readonly total: number
  readonly madeBy: Actor | null
  /** Grant of the app that asked for the job; null for sessions and API keys. */
  readonly grantId: string | null
  readonly waiting: number
  readonly done: number
  readonly unchanged: number
  readonly pending: number
  readonly failed: number
  readonly cancelled: number
  readonly hasDocument: boolean
  readonly createdAt: string
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** Job to insert. */
export type NewJob = JobKey & Pick<JobRow, 'action' | 'total' | 'madeBy' | 'grantId'> & { readonly madeById: string }

/** Inserts a job that waits. */
export const insertJob = (sql: Queryable, job: NewJob) => sql`insert into order_jobs ${rowValues(sql, job, ['action', 'madeBy'])}`

/** Selects a job `j` with the counts of its orders. */
const jobColumns = (sql: Queryable) => sql`${storeIdColumn(sql, 'j')}, j.*, c.*,
  exists (select 1 from order_job_files f where f.project_id = j.project_id and f.job_id = j.id and f.part = 0) as has_document`
const jobCounts = (sql: Queryable) => sql`cross join lateral (
  select count(*) filter (where r.status = 'waiting')::integer as waiting, count(*) filter (where r.status = 'done')::integer as done,
    count(*) filter (where r.status = 'unchanged')::integer as unchanged, count(*) filter (where r.status = 'pending')::integer as pending,
    count(*) filter (where r.status = 'failed')::integer as failed, count(*) filter (where r.status = 'cancelled')::integer as cancelled
  from order_job_rows r where r.project_id = j.project_id and r.job_id = j.id) c`

/** Finds a job by its id. */
export const findJob = async (sql: Queryable, id: string) =>
  (await sql<JobRow[]>`select ${jobColumns(sql)} from order_jobs j ${jobCounts(sql)} where j.id = ${id}`)[0]

/** Lists the jobs that an actor started in a project. */
export const listJobsOf = (sql: Queryable, projectId: string, madeById: string, page: KeysetPage) =>
  sql<JobRow[]>`select ${jobColumns(sql)} from (
      select * from order_jobs where project_id = ${projectId} and made_by_id = ${madeById} ${keysetPage(sql, page)}) j
    ${jobCounts(sql)} order by j.id ${page.isDescending ? sql`desc` : sql`asc`}`

/** Serializes the starts of a project's jobs until the transaction ends, so that their limit holds. */
export const lockJobs = (tx: Tx, projectId: string) => tx`select pg_advisory_xact_lock(hashtextextended(${`order_jobs ${projectId}`}, 0))`

/** Counts the jobs of a project that are not over. */
export const countOpenJobs = async (sql: Queryable, projectId: string) =>
  expectOne(
    await sql<
      { open: number }[]
    >`select count(*)::integer as open from order_jobs where project_id = ${projectId} and status in ('waiting', 'processing')`,
  ).open

/** Marks a job that is not over as begun. Returns false when it is over. */
export const startJob = async (sql: Queryable, { projectId, id }: JobKey) =>
  (
    await sql`update order_jobs set status = 'processing', started_at = coalesce(started_at, now())
      where project_id = ${projectId} and id = ${id} and status in ('waiting', 'processing') returning 1`
  ).length > 0

/** Ends a job that is not over, as completed or cancelled. Returns false when it was over. */
export const endJob = async (sql: Queryable, { projectId, id }: JobKey, status: 'completed' | 'cancelled') =>
  (
    await sql`update order_jobs set status = ${status}, completed_at = now()
      where project_id = ${projectId} and id = ${id} and status in ('waiting', 'processing') returning 1`
  ).length > 0

/** Deletes jobs that ended more than this number of days ago, with their rows. */
export const deleteJobsOlderThan = (sql: Queryable, days: number) =>
  sql`delete from order_jobs where completed_at < now() - ${days} * interval '1 day'`
