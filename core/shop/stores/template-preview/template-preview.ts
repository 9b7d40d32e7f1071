import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import type { Audience } from '../access.ts'
import type { Store } from '../stores.model.ts'
import { type NewTemplatePreview, PREVIEW_HOURS, type StartedPreview, type TemplatePreview } from './template-preview.model.ts'
import { findPreview, upsertPreview } from './template-preview.queries.ts'

/**
 * Starts a preview of a template, for members of the store and holders of its token, until it expires. The store's own template stays.
 * Throws `not_found`.
 */
export async function startTemplatePreview(
  tx: Tx,
  { id: storeId }: Store,
  by: string | null,
  input: NewTemplatePreview,
): Promise<StartedPreview> {
  const { templateId, data = {}, hours = PREVIEW_HOURS.default } = input
  const token = newToken('tp')
  if (!(await upsertPreview(tx, { storeId, templateId, data, tokenHash: sha256(token), startedBy: by, hours })))
    throw notFound('The template')
  const started = await findPreview(tx, storeId, null)
  if (!started) throw notFound('The template')
  return { ...started, token }
}

/** Reads the current preview. Members and API keys need no token; the public does. Throws `not_found`. */
export async function readTemplatePreview(
  { sql }: Pick<Context, 'sql'>,
  { id }: Store,
  audience: Audience,
  token: string | undefined,
): Promise<TemplatePreview> {
  const isPublic = audience === 'public'
  const found = isPublic && token === undefined ? undefined : await findPreview(sql, id, isPublic ? sha256(token ?? '') : null)
  if (!found) throw notFound('A preview of a template')
  return found
}
