import { countWaiting } from '../../data/waiting.ts'

/** Counts the returns whose goods have not arrived yet. */
export const countAwaitedReturns = countWaiting(
  (sql, projectId) => sql`
    select created_at as at, order_id as "orderId" from order_returns where project_id = ${projectId} and status = 'awaited' order by id`,
)
