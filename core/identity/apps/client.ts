import type { Queryable } from '../../data/sql.ts'
import { type AppRow, findApp } from './apps.queries.ts'

/** An app as the OAuth server needs it. */
export type App = AppRow

/** The app of this client_id. */
export const clientApp = (sql: Queryable, id: string): Promise<App | undefined> => findApp(sql, id)
