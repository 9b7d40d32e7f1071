import { PLATFORM_PROJECT_ID } from '../../../data/project-ids.ts'
import { json, type Queryable } from '../../../data/sql.ts'
import type { TemplatePreview } from './template-preview.model.ts'

/** Row of a preview, with its template. */
export interface PreviewRow extends Omit<TemplatePreview, 'storeId'> {
  readonly projectId: string
}

interface NewRow {
  readonly projectId: string
  readonly templateId: string
  readonly data: object
  readonly tokenHash: string
  readonly startedBy: string | null
  readonly hours: number
}

/** Inserts or replaces the preview of a store. Returns false where there is no such template that the store may use. */
export const upsertPreview = async (sql: Queryable, { projectId, templateId, data, tokenHash, startedBy, hours }: NewRow) =>
  (
    await sql`insert into store_template_previews (project_id, template_id, data, token_hash, started_by, expires_at)
      select ${projectId}, t.id, ${json(sql, data)}::jsonb, ${tokenHash}, ${startedBy}, now() + ${hours} * interval '1 hour' from templates t
      where t.id = ${templateId} and (t.project_id = ${projectId} or (t.project_id = ${PLATFORM_PROJECT_ID} and t.published))
      on conflict (project_id) do update set template_id = excluded.template_id, data = excluded.data, token_hash = excluded.token_hash,
        started_by = excluded.started_by, expires_at = excluded.expires_at, updated_at = now()`
  ).count > 0

/** Finds the current preview of a store. `tokenHash` is null for callers who need no token. Returns undefined where there is none. */
export const findPreview = async (sql: Queryable, projectId: string, tokenHash: string | null) =>
  (
    await sql<PreviewRow[]>`
      select p.project_id, p.data, p.created_at, p.updated_at, p.expires_at,
        jsonb_build_object('id', t.id, 'name', t.name, 'category', t.category, 'data', t.data) as template
      from store_template_previews p
      join templates t on t.id = p.template_id and t.project_id in (${projectId}, ${PLATFORM_PROJECT_ID})
      where p.project_id = ${projectId} and p.expires_at > now() and (${tokenHash}::text is null or p.token_hash = ${tokenHash})`
  )[0]

/** Deletes the current preview of a store. Returns false where there is none. */
export const deletePreview = async (sql: Queryable, projectId: string) =>
  (await sql`delete from store_template_previews where project_id = ${projectId} and expires_at > now()`).count > 0

/** Deletes expired previews. */
export const deleteExpiredPreviews = (sql: Queryable) => sql`delete from store_template_previews where expires_at < now()`
