import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import type { Preferences } from './preferences.model.ts'

/** Preferences of users who have chosen none. */
const DEFAULTS: Preferences = { language: null, theme: null, density: 'comfortable', columns: {} }

type Row = Omit<Preferences, 'density'> & { readonly density: Preferences['density'] | null }

const toPreferences = (row: Row): Preferences => ({ ...row, density: row.density ?? DEFAULTS.density })

/** Reads the preferences of a user. */
export async function findPreferences(sql: Queryable, userId: string): Promise<Preferences> {
  const [row] = await sql<Row[]>`select language, theme, density, columns from user_preferences where user_id = ${userId}`
  return row ? toPreferences(row) : DEFAULTS
}

/** Reads the preferences of a user and locks them, also if the user has none yet. */
export async function lockPreferences(tx: Tx, userId: string): Promise<Preferences> {
  await tx`insert into user_preferences (user_id) values (${userId}) on conflict do nothing`
  const rows = await tx<Row[]>`select language, theme, density, columns from user_preferences where user_id = ${userId} for update`
  return toPreferences(expectOne(rows))
}

/** Writes the preferences of a user, which are locked. */
export const updatePreferences = (tx: Tx, userId: string, { language, theme, density, columns }: Preferences) =>
  tx`update user_preferences set language = ${language}, theme = ${theme}, density = ${density}, columns = ${json(tx, columns)}, updated_at = now()
    where user_id = ${userId}`

/** Deletes the preferences of a user. */
export const deletePreferences = (sql: Queryable, userId: string) => sql`delete from user_preferences where user_id = ${userId}`
