import type { Partitioned } from '../../data/partitions.ts'
import type { Sql } from '../../data/sql.ts'
import { weekOf } from '../auth/token-text.ts'
import { forgetOver } from './grants.queries.ts'
import { REFRESH_MS } from './issue.ts'

/** Made ahead of need: the hourly work may fail for weeks. */
const WEEKS_AHEAD = 6
const BATCH = 5_000

/** Tokens stand in the week in which they expire, and go with it. */
export const tokenTables: readonly Partitioned[] = ['oauth_access_tokens', 'oauth_refresh_tokens'].map((table) => ({
  table,
  by: { column: 'week', holds: 'weeks' },
  weeks: 1,
  ahead: weekOf(REFRESH_MS) + WEEKS_AHEAD,
  keptDays: 0,
}))

/** Forgets all else that is over. */
export async function keepHouse(sql: Sql): Promise<void> {
  while (await forgetOver(sql, BATCH));
}
