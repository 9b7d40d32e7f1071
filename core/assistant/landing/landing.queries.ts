import type { Static } from '@sinclair/typebox'
import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { LandingData, LandingJob, PictureWords, Wish } from './landing.model.ts'

/** Request of a job, with the models chosen for it. */
export interface Asked extends Pick<Wish, 'instructions' | 'language'> {
  readonly model: string
  readonly pictureModel: string | null
  readonly pictures: number
  /** Plan of a page of images, once a model has written it. */
  readonly plan?: Static<ReturnType<typeof PictureWords>>
}

/** Row of `landing_jobs`. `digest` is the hash of the page's content as generated. */
export interface JobRow extends Pick<LandingJob, 'id' | 'storeId' | 'kind' | 'status' | 'pageId' | 'failure' | 'createdAt' | 'finishedAt'> {
  readonly productId: string
  readonly asked: Asked
  readonly data: LandingData | null
  readonly pictures: string[]
  readonly digest: string | null
}

const JSON_COLUMNS = ['asked', 'data'] as const

/** Inserts a queued job. */
export const insertJob = async (sql: Tx, job: Pick<JobRow, 'id' | 'storeId' | 'kind' | 'productId' | 'asked'>) =>
  expectOne(await sql<JobRow[]>`insert into landing_jobs ${row(sql, job, JSON_COLUMNS)} returning *`)

/** Finds a job of a store. */
export const findJob = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<JobRow[]>`select * from landing_jobs where id = ${id} and store_id = ${storeId}`)[0]

/** Locks an unfinished job until the transaction ends. Returns undefined when it has ended or was deleted. */
export const lockOpenJob = async (sql: Tx, id: string) =>
  (await sql<JobRow[]>`select * from landing_jobs where id = ${id} and status in ('queued', 'running') for update`)[0]

/** Updates a job. */
export const updateJob = (sql: Queryable, id: string, change: Partial<Omit<JobRow, 'id' | 'storeId'>>) =>
  sql`update landing_jobs set ${row(sql, change, JSON_COLUMNS)} where id = ${id}`

/** Locks the jobs of a store against inserts, until the transaction ends (advisory lock). */
export const holdJobsOf = (sql: Tx, storeId: string) => sql`select pg_advisory_xact_lock(hashtextextended(${`landing ${storeId}`}, 0))`

/** Counts the unfinished jobs of a store. */
export const countOpen = async (sql: Queryable, storeId: string) =>
  (
    await sql<
      { open: number }[]
    >`select count(*)::int as open from landing_jobs where store_id = ${storeId} and status in ('queued', 'running')`
  )[0]?.open ?? 0

/** Finds the completed job that generated a page. */
export const findJobOfPage = async (sql: Queryable, storeId: string, pageId: string) =>
  (await sql<JobRow[]>`select * from landing_jobs where page_id = ${pageId} and store_id = ${storeId} and status = 'completed' limit 1`)[0]

/** Deletes all jobs of a store. */
export const deleteJobsOf = (sql: Tx, storeId: string) => sql`delete from landing_jobs where store_id = ${storeId}`

/** Marks unfinished jobs failed that were created more than `hours` hours ago: their processes are gone. */
export const endStale = (sql: Queryable, hours: number, failure: string) =>
  sql`update landing_jobs set status = 'failed', failure = ${failure}, finished_at = now()
    where status in ('queued', 'running') and created_at < now() - ${hours} * interval '1 hour'`

/** Deletes jobs that ended more than `days` days ago and have no page. A page needs its job to be edited. */
export const forgetJobs = (sql: Queryable, days: number) =>
  sql`delete from landing_jobs j where finished_at < now() - ${days} * interval '1 day'
    and (page_id is null or not exists (select 1 from pages p where p.id = j.page_id))`
