import { countWaiting } from '../../data/waiting.ts'

/** Counts the orders whose call is due and that no agent has. */
export const countOrdersToConfirm = countWaiting(
  (sql, projectId) => sql`
    select due_at as at, order_id as "orderId" from confirmation_queue
    where project_id = ${projectId} and due_at <= now() and (leased_until is null or leased_until <= now()) order by due_at, order_id`,
)
