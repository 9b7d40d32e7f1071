import type { Context } from '../../../context.ts'
import { storeIdOf } from '../../../data/project-ids.ts'
import type { Tx } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import type { Audience } from '../access.ts'
import type { Store } from '../stores.model.ts'
import { type NewTemplatePreview, PREVIEW_HOURS, type StartedPreview, type TemplatePreview } from './template-preview.model.ts'
import { findPreview, type PreviewRow, upsertPreview } from './template-preview.queries.ts'

const presentPreview = ({ projectId, ...preview }: PreviewRow): TemplatePreview => ({ ...preview, storeId: storeIdOf(projectId) })

/**
 * Starts a preview of a template, for members of the store and holders of its token, until it expires. The store's own template stays.
 * Throws `not_found`.
 */
export async function startTemplatePreview(tx: Tx, store: Store, by: string | null, input: NewTemplatePreview): Promise<StartedPreview> {
  const { templateId, data = {}, hours = PREVIEW_HOURS.default } = input
  const token = newToken('tp')
  if (!(await upsertPreview(tx, { projectId: store.projectId, templateId, data, tokenHash: sha256(token), startedBy: by, hours })))
    throw notFound('The template')
  const started = await findPreview(tx, store.projectId, null)
  if (!started) throw notFound('The template')
  return { ...presentPreview(started), token }
}

/** Reads the current preview. Members and API keys need no token; the public does. Throws `not_found`. */
export async function readTemplatePreview(
  { sql }: Pick<Context, 'sql'>,
  { projectId }: Store,
  audience: Audience,
  token: string | undefined,
): Promise<TemplatePreview> {
  const isPublic = audience === 'public'
  const found = isPublic && token === undefined ? undefined : await findPreview(sql, projectId, isPublic ? sha256(token ?? '') : null)
  if (!found) throw notFound('A preview of a template')
  return presentPreview(found)
}
