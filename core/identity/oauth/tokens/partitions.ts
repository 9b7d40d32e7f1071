import type { PartitionedTable } from '../../../data/partitions.ts'
import { weekOf } from '../../auth/credentials/token-text.ts'
import { REFRESH_TOKEN_MS } from './lifetimes.ts'

type TokenTable = 'oauth_access_tokens' | 'oauth_refresh_tokens'

/** Number of weeks that are created ahead of need, because the hourly job may fail for weeks. */
const WEEKS_SPARE = 6
const WEEKS_AHEAD = weekOf(REFRESH_TOKEN_MS) + WEEKS_SPARE
const UNDEFINED_TABLE = '42P01'

/** Partitioned token tables. Tokens are stored in the week in which they expire, and are dropped with it. */
export const tokenPartitions: readonly PartitionedTable[] = (['oauth_access_tokens', 'oauth_refresh_tokens'] satisfies TokenTable[]).map(
  (table) => ({
    table,
    by: { column: 'week', holds: 'weeks' },
    weeks: 1,
    periodsAhead: WEEKS_AHEAD,
    retentionDays: 0,
  }),
)

/** Returns the name of the table to query for a week of tokens. */
export type PartitionOf = (table: TokenTable, week: number) => string

/** Names the partitioned table, which contains all weeks. */
export const wholeTable: PartitionOf = (table) => table
/** Names the partition of a week. Weeks outside the created range get the partitioned table, because a forged token may name any week. */
const partitionOrTable: PartitionOf = (table, week) => {
  const now = weekOf(Date.now())
  return week >= now && week <= now + WEEKS_AHEAD ? `${table}_${week}` : table
}

/**
 * Runs queries on partitions by name, because planning and locking all partitions costs more than the query itself. When a partition is
 * missing, it repeats `query` on the partitioned tables. Use it only outside transactions, which the first failure would abort.
 */
export async function withPartitions<V>(query: (partOf: PartitionOf) => Promise<V>): Promise<V> {
  try {
    return await query(partitionOrTable)
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error
    return query(wholeTable)
  }
}
