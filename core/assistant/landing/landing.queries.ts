import type { Static } from '@sinclair/typebox'
import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { LandingData, LandingJob, PictureWords, Wish } from './landing.model.ts'

/** What was asked, with the models that do it. */
export interface Asked extends Pick<Wish, 'instructions' | 'language'> {
  readonly model: string
  readonly pictureModel: string | null
  readonly pictures: number
  /** What stands in each picture of a page of pictures, once that is known. */
  readonly plan?: Static<ReturnType<typeof PictureWords>>
}

export interface JobRow extends Pick<LandingJob, 'id' | 'storeId' | 'kind' | 'status' | 'pageId' | 'failure' | 'createdAt' | 'finishedAt'> {
  readonly productId: string
  readonly asked: Asked
  readonly data: LandingData | null
  readonly pictures: string[]
  readonly digest: string | null
}

const JSON_COLUMNS = ['asked', 'data'] as const

export const insertJob = async (sql: Tx, job: Pick<JobRow, 'id' | 'storeId' | 'kind' | 'productId' | 'asked'>) =>
  expectOne(await sql<JobRow[]>`insert into landing_jobs ${row(sql, job, JSON_COLUMNS)} returning *`)

export const findJob = async (sql: Queryable, storeId: string, id: string) =>
  (await sql<JobRow[]>`select * from landing_jobs where id = ${id} and store_id = ${storeId}`)[0]

/** Held until the transaction ends, as long as it has no end yet; undefined where it has one, or is gone. */
export const lockOpenJob = async (sql: Tx, id: string) =>
  (await sql<JobRow[]>`select * from landing_jobs where id = ${id} and status in ('queued', 'running') for update`)[0]

export const updateJob = (sql: Queryable, id: string, change: Partial<Omit<JobRow, 'id' | 'storeId'>>) =>
  sql`update landing_jobs set ${row(sql, change, JSON_COLUMNS)} where id = ${id}`

/** Of those who ask for a store at once, one after the other. */
export const holdJobsOf = (sql: Tx, storeId: string) => sql`select pg_advisory_xact_lock(hashtextextended(${`landing ${storeId}`}, 0))`

/** Those of a store that have no end yet. */
export const countOpen = async (sql: Queryable, storeId: string) =>
  (
    await sql<
      { open: number }[]
    >`select count(*)::int as open from landing_jobs where store_id = ${storeId} and status in ('queued', 'running')`
  )[0]?.open ?? 0

/** What a page was made by. */
export const findJobOfPage = async (sql: Queryable, storeId: string, pageId: string) =>
  (await sql<JobRow[]>`select * from landing_jobs where page_id = ${pageId} and store_id = ${storeId} and status = 'completed' limit 1`)[0]

export const deleteJobsOf = (sql: Tx, storeId: string) => sql`delete from landing_jobs where store_id = ${storeId}`

/** Those that nobody works at any more: whoever did is gone, as often as it was tried. */
export const endStale = (sql: Queryable, hours: number, failure: string) =>
  sql`update landing_jobs set status = 'failed', failure = ${failure}, finished_at = now()
    where status in ('queued', 'running') and created_at < now() - ${hours} * interval '1 hour'`

/** Of jobs that ended long ago, whose page is gone or never was. */
export const forgetJobs = (sql: Queryable, days: number) =>
  sql`delete from landing_jobs j where finished_at < now() - ${days} * interval '1 day'
    and (page_id is null or not exists (select 1 from pages p where p.id = j.page_id))`
