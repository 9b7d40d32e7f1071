import { expectOne, type Queryable } from '../../../data/sql.ts'
import type { JobKey } from '../jobs.queries.ts'

/** Number of the part that is the whole document. */
const WHOLE = 0

/** Returns the bytes of the parts of a document together. */
export const findPartBytes = async (sql: Queryable, { projectId, id }: JobKey) =>
  expectOne(
    await sql<{ bytes: number }[]>`select coalesce(sum(octet_length(pdf)), 0)::integer as bytes from order_job_files
      where project_id = ${projectId} and job_id = ${id} and part <> ${WHOLE}`,
  ).bytes

/** Stores a part of a document, by the first row that it has. A repeated step replaces it. */
export const upsertPart = (sql: Queryable, { projectId, id }: JobKey, part: number, pdf: Uint8Array) =>
  sql`insert into order_job_files (project_id, job_id, part, pdf) values (${projectId}, ${id}, ${part}, ${Buffer.from(pdf)})
    on conflict (project_id, job_id, part) do update set pdf = excluded.pdf`

/** Lists the parts of a document, in order. */
export const listParts = (sql: Queryable, { projectId, id }: JobKey) =>
  sql<
    { pdf: Buffer }[]
  >`select pdf from order_job_files where project_id = ${projectId} and job_id = ${id} and part <> ${WHOLE} order by part`

/** Stores the whole document in place of its parts. */
export const replaceParts = async (sql: Queryable, key: JobKey, pdf: Uint8Array) => {
  await upsertPart(sql, key, WHOLE, pdf)
  await sql`delete from order_job_files where project_id = ${key.projectId} and job_id = ${key.id} and part <> ${WHOLE}`
}

/** Finds the whole document of a job. */
export const findDocument = async (sql: Queryable, { projectId, id }: JobKey) =>
  (await sql<{ pdf: Buffer }[]>`select pdf from order_job_files where project_id = ${projectId} and job_id = ${id} and part = ${WHOLE}`)[0]
    ?.pdf

/** Deletes the documents of jobs that printed one of these orders. */
export const deleteDocumentsOfOrders = (sql: Queryable, projectId: string, orderIds: readonly string[]) =>
  sql`delete from order_job_files where project_id = ${projectId} and job_id in (
    select job_id from order_job_rows where project_id = ${projectId} and order_id = any (${orderIds as string[]}))`

/** Deletes documents that were printed more than this number of hours ago. */
export const deleteDocumentsOlderThan = (sql: Queryable, hours: number) =>
  sql`delete from order_job_files where created_at < now() - ${hours} * interval '1 hour'`
