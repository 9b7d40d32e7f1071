import { countWaiting } from '../../data/waiting.ts'

/** Counts the payouts of gateways with lines that wait for a decision. */
export const countPayoutsToReview = countWaiting(
  (sql, projectId) => sql`
    select made_at as at, connection_id as "connectionId", id as "payoutId" from gateway_payouts
    where project_id = ${projectId} and waiting > 0 order by id`,
)
