import type { Queryable } from '../../data/sql.ts'
import { type Drift, listDrift } from './drift.queries.ts'

export type { Drift }

const REPORTED_MAX = 100

/**
 * Compares every counter with its lines: stock with movements, `balanceAfter` with running sums, reserved stock and statuses with
 * reservation lines. Returns at most a hundred differences; none where all is correct.
 */
export const findDrift = (sql: Queryable, projectId?: string): Promise<readonly Drift[]> =>
  listDrift(sql, projectId, REPORTED_MAX).then((rows) => [...rows])
