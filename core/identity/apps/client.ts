import type { Queryable, Sql } from '../../data/sql.ts'
import { type AppRow, deleteRow, deleteSomeOfUsers, findApp } from './apps.queries.ts'
import { isDocumentAddress } from './document-address.ts'
import { findByDocument } from './registered.queries.ts'

/** An app as the OAuth server needs it. */
export type App = AppRow

/** The app of this client_id. */
export const clientApp = (sql: Queryable, id: string): Promise<App | undefined> =>
  isDocumentAddress(id) ? findByDocument(sql, id) : findApp(sql, id)

/** Forgets a deleted app for good, once nothing else refers to it; what it kept of people goes `most` at a time. */
export async function finishRemoval(sql: Sql, id: string, most: number, signal: AbortSignal): Promise<void> {
  while ((await deleteSomeOfUsers(sql, id, most)) === most) signal.throwIfAborted()
  await deleteRow(sql, id)
}
