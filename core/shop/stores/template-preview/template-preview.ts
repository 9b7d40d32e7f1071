import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { notFound } from '../../../http/errors/errors.ts'
import { newToken, sha256 } from '../../../lib/crypto/crypto.ts'
import type { Standing } from '../access.ts'
import type { Store } from '../stores.model.ts'
import { type NewTemplatePreview, PREVIEW_HOURS, type StartedPreview, type TemplatePreview } from './template-preview.model.ts'
import { findPreview, startPreview } from './template-preview.queries.ts'

/** Shows another template to the store's people, and to who has the token, until it is over. The store's own look stays. */
export async function preview(tx: Tx, { id: storeId }: Store, by: string | null, input: NewTemplatePreview): Promise<StartedPreview> {
  const { templateId, data = {}, hours = PREVIEW_HOURS.default } = input
  const token = newToken('tp')
  if (!(await startPreview(tx, { storeId, templateId, data, tokenHash: sha256(token), startedBy: by, hours })))
    throw notFound('The template')
  const started = await findPreview(tx, storeId, null)
  if (!started) throw notFound('The template')
  return { ...started, token }
}

/** Members and keys see it by right, everybody else by its token. */
export async function readPreview(
  { sql }: Pick<Context, 'sql'>,
  { id }: Store,
  standing: Standing,
  token: string | undefined,
): Promise<TemplatePreview> {
  const isPublic = standing === 'public'
  const found = isPublic && token === undefined ? undefined : await findPreview(sql, id, isPublic ? sha256(token ?? '') : null)
  if (!found) throw notFound('A preview of a template')
  return found
}
