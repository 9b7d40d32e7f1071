import type { Queryable } from '../../data/sql.ts'
import { type Drift, selectDrift } from './verify.queries.ts'

export type { Drift }

const REPORTED_MAX = 100

/**
 * Compares every counter with the lines it counts: on hand with movements, balanceAfter with running sums, reserved with what active
 * reservations hold, a reservation's status with its lines. Empty when all is well; at most a hundred findings.
 */
export const findDrift = (sql: Queryable, projectId?: string): Promise<readonly Drift[]> =>
  selectDrift(sql, projectId, REPORTED_MAX).then((rows) => [...rows])
