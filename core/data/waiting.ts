import type { Queryable } from './sql.ts'

/** Things that wait are counted up to this number. */
export const WAITING_MAX = 1000

/** Ids of the thing that waits longest, as far as it has them. */
export interface WaitingIds {
  readonly orderId?: string | null
  readonly parcelId?: string | null
  readonly connectionId?: string | null
  readonly paymentId?: string | null
  readonly payoutId?: string | null
}

/** Things of one kind that wait for a person. */
export interface Waiting {
  /** One more than {@link WAITING_MAX} where there are more. */
  readonly count: number
  /** ISO 8601; null if nothing waits. */
  readonly oldestAt: string | null
  readonly oldest: WaitingIds | null
}

/** Counts things of one kind that wait in a project, by one query. */
export type WaitingCounter = (sql: Queryable, projectId: string) => Promise<Waiting>

/**
 * Builds a counter from a query of its rows. A row has its time as `at`, and ids as {@link WaitingIds} names them. Reads at most one row
 * more than {@link WAITING_MAX}: the query orders by an index that has the oldest first.
 */
export const countWaiting =
  (rowsOf: (sql: Queryable, projectId: string) => ReturnType<Queryable>): WaitingCounter =>
  async (sql, projectId) => {
    const [found] = await sql<Waiting[]>`
      select count(*)::int as count, min(at) as oldest_at, (array_agg(to_jsonb(w) - 'at' order by at))[1] as oldest
      from (${rowsOf(sql, projectId)} limit ${WAITING_MAX + 1}) w`
    return found ?? { count: 0, oldestAt: null, oldest: null }
  }
