import { PLATFORM_PROJECT_ID } from '../../../data/project-ids.ts'
import type { Queryable } from '../../../data/sql.ts'

/** Row of `templates`. `projectId` is empty for a template of the platform. */
export interface TemplateRow {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly data: Record<string, unknown>
}

const isVisible = (sql: Queryable, projectId: string) =>
  sql`(project_id = ${projectId} or (project_id = ${PLATFORM_PROJECT_ID} and published))`

/** Finds a template that the store sees. */
export const findTemplate = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<TemplateRow[]>`select id, project_id, name, data from templates where id = ${id} and ${isVisible(sql, projectId)}`)[0]

/** Finds templates that the store sees by name: for each name the oldest of the store and of the platform, the store's first. */
export const findTemplatesByName = (sql: Queryable, projectId: string, names: readonly string[]) =>
  sql<TemplateRow[]>`select distinct on (project_id, name) id, project_id, name, data from templates
    where ${isVisible(sql, projectId)} and name = any (${names as string[]}) order by project_id desc, name, id`

/** Finds templates that the store sees by id. */
export const findTemplatesById = (sql: Queryable, projectId: string, ids: readonly string[]) =>
  sql<TemplateRow[]>`select id, project_id, name, data from templates where ${isVisible(sql, projectId)} and id = any (${ids as string[]})`
