import type { Static } from '@sinclair/typebox'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { LandingData, LandingInput, LandingJob, picturePlanSchema } from './landing.model.ts'

/** Request of a job, with the models chosen for it. */
export interface LandingJobRequest extends Pick<LandingInput, 'instructions' | 'language'> {
  readonly model: string
  readonly pictureModel: string | null
  readonly pictures: number
  /** Plan of a page of images, once a model has written it. */
  readonly plan?: Static<ReturnType<typeof picturePlanSchema>>
}

/** Row of `landing_jobs`. `digest` is the hash of the page's content as generated. */
export interface LandingJobRow extends Pick<LandingJob, 'id' | 'kind' | 'status' | 'pageId' | 'failure' | 'createdAt' | 'finishedAt'> {
  readonly projectId: string
  readonly productId: string
  readonly asked: LandingJobRequest
  readonly data: LandingData | null
  readonly pictures: string[]
  readonly digest: string | null
}

/** Columns that identify a job. */
export type LandingJobKey = Pick<LandingJobRow, 'projectId' | 'id'>

const JSON_COLUMNS = ['asked', 'data'] as const

/** Inserts a queued job. */
export const insertLandingJob = async (sql: Tx, job: Pick<LandingJobRow, 'id' | 'projectId' | 'kind' | 'productId' | 'asked'>) =>
  expectOne(await sql<LandingJobRow[]>`insert into landing_jobs ${rowValues(sql, job, JSON_COLUMNS)} returning *`)

/** Finds the key of a job by its id alone, since a background job names no project. Uses a plain index. */
export const findLandingJobKey = async (sql: Queryable, id: string) =>
  (await sql<LandingJobKey[]>`select project_id, id from landing_jobs where id = ${id}`)[0]

/** Finds a job of a project. */
export const findLandingJob = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<LandingJobRow[]>`select * from landing_jobs where project_id = ${projectId} and id = ${id}`)[0]

/** Locks an unfinished job until the transaction ends. Returns undefined when it has ended or was deleted. */
export const lockOpenLandingJob = async (sql: Tx, { projectId, id }: LandingJobKey) =>
  (
    await sql<
      LandingJobRow[]
    >`select * from landing_jobs where project_id = ${projectId} and id = ${id} and status in ('queued', 'running') for update`
  )[0]

/** Updates a job. */
export const updateLandingJob = (
  sql: Queryable,
  { projectId, id }: LandingJobKey,
  change: Partial<Omit<LandingJobRow, 'id' | 'projectId'>>,
) => sql`update landing_jobs set ${rowValues(sql, change, JSON_COLUMNS)} where project_id = ${projectId} and id = ${id}`

/** Locks the jobs of a project against inserts, until the transaction ends (advisory lock). */
export const lockLandingJobsOfProject = (sql: Tx, projectId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`landing ${projectId}`}, 0))`

/** Counts the unfinished jobs of a project. */
export const countOpenLandingJobs = async (sql: Queryable, projectId: string) =>
  (
    await sql<
      { open: number }[]
    >`select count(*)::int as open from landing_jobs where project_id = ${projectId} and status in ('queued', 'running')`
  )[0]?.open ?? 0

/** Finds the completed job that generated a page. */
export const findLandingJobOfPage = async (sql: Queryable, projectId: string, pageId: string) =>
  (
    await sql<
      LandingJobRow[]
    >`select * from landing_jobs where project_id = ${projectId} and page_id = ${pageId} and status = 'completed' limit 1`
  )[0]

/** Deletes all jobs of a project. */
export const deleteLandingJobsOfProject = (sql: Tx, projectId: string) => sql`delete from landing_jobs where project_id = ${projectId}`

/** Marks unfinished jobs failed that were created more than `hours` hours ago: their processes are gone. */
export const failStaleLandingJobs = (sql: Queryable, hours: number, failure: string) =>
  sql`update landing_jobs set status = 'failed', failure = ${failure}, finished_at = now()
    where status in ('queued', 'running') and created_at < now() - ${hours} * interval '1 hour'`

/** Deletes jobs that ended more than `days` days ago and have no page. A page needs its job to be edited. */
export const deleteExpiredLandingJobs = (sql: Queryable, days: number) =>
  sql`delete from landing_jobs j where finished_at < now() - ${days} * interval '1 day'
    and (page_id is null or not exists (select 1 from pages p where p.project_id = j.project_id and p.id = j.page_id))`
