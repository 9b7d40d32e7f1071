import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { preferenceErrors } from './preferences.errors.ts'
import { PREFERENCE_LIMITS, type PreferenceChange, type Preferences } from './preferences.model.ts'
import { lockPreferences, updatePreferences } from './preferences.queries.ts'

/** Changes the preferences of a user. What is left out stays. Throws `limit_reached` for columns of too many pages. */
export function changePreferences({ sql }: Pick<Context, 'sql'>, userId: string, change: PreferenceChange): Promise<Preferences> {
  return transaction(sql, async (tx) => {
    const before = await lockPreferences(tx, userId)
    const columns = mergeColumns(before.columns, change.columns ?? {})
    if (Object.keys(columns).length > PREFERENCE_LIMITS.pages)
      throw preferenceErrors.tooManyPages({ max: PREFERENCE_LIMITS.pages }, { field: ['columns'] })
    const after = { ...before, ...change, columns }
    await updatePreferences(tx, userId, after)
    return after
  })
}

function mergeColumns(before: Preferences['columns'], change: NonNullable<PreferenceChange['columns']>): Preferences['columns'] {
  const pages = Object.entries({ ...before, ...change })
  return Object.fromEntries(pages.flatMap(([page, names]) => (names === null ? [] : [[page, names]])))
}
