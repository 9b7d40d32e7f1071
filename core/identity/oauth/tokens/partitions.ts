import type { Partitioned } from '../../../data/partitions.ts'
import { weekOf } from '../../auth/credentials/token-text.ts'
import { REFRESH_MS } from './lifetimes.ts'

type TokenTable = 'oauth_access_tokens' | 'oauth_refresh_tokens'

/** Made ahead of need: the hourly work may fail for weeks. */
const WEEKS_SPARE = 6
const WEEKS_AHEAD = weekOf(REFRESH_MS) + WEEKS_SPARE
const UNDEFINED_TABLE = '42P01'

/** Tokens stand in the week in which they expire, and go with it. */
export const tokenTables: readonly Partitioned[] = (['oauth_access_tokens', 'oauth_refresh_tokens'] satisfies TokenTable[]).map(
  (table) => ({
    table,
    by: { column: 'week', holds: 'weeks' },
    weeks: 1,
    ahead: WEEKS_AHEAD,
    keptDays: 0,
  }),
)

/** The name of what holds a week of tokens. */
export type PartOf = (table: TokenTable, week: number) => string

/** What holds all weeks. */
export const whole: PartOf = (table) => table
/** Whoever invents a token names any week: only those that there are have names of their own. */
const part: PartOf = (table, week) => {
  const now = weekOf(Date.now())
  return week >= now && week <= now + WEEKS_AHEAD ? `${table}_${week}` : table
}

/**
 * Asks parts by their own names: to plan and lock dozens of them, of which all but one are left aside then, costs more than all the rest of
 * such a statement. Where one of them is not there yet, or no more, the whole tables are asked, whatever holds their rows. Of statements
 * outside transactions: there the first failure would be the last.
 */
export async function inParts<V>(ask: (partOf: PartOf) => Promise<V>): Promise<V> {
  try {
    return await ask(part)
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error
    return ask(whole)
  }
}
