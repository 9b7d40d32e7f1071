import type { Queryable, Sql } from '../../data/sql.ts'
import { type AppRow, deleteAppRow, deleteAppUserData, findApp } from './apps.queries.ts'
import { isMetadataDocumentUrl } from './metadata-document-url.ts'
import { findAppByDocument } from './registrations.queries.ts'

/** App row as the OAuth server needs it. */
export type App = AppRow

/** Finds the app of a `client_id`, which is an app id or the URL of a metadata document. */
export const findClientApp = (sql: Queryable, id: string): Promise<App | undefined> =>
  isMetadataDocumentUrl(id) ? findAppByDocument(sql, id) : findApp(sql, id)

/** Deletes the row of a deleted app, which nothing else may refer to any more. Its data about users goes first, `most` rows at a time. */
export async function deleteRemovedApp(sql: Sql, id: string, most: number, signal: AbortSignal): Promise<void> {
  while ((await deleteAppUserData(sql, id, most)) === most) signal.throwIfAborted()
  await deleteAppRow(sql, id)
}
