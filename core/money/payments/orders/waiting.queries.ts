import { countWaiting } from '../../../data/waiting.ts'

/** Counts the payments of orders that a member must decide about. */
export const countPaymentsToReview = countWaiting(
  (sql, projectId) => sql`
    select concern_since as at, id as "paymentId", order_id as "orderId", connection_id as "connectionId" from payments
    where project_id = ${projectId} and concern is not null and order_id is not null order by id`,
)
