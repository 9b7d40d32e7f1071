import { countWaiting } from '../../data/waiting.ts'

/** Counts the confirmed orders without a parcel. */
export const countOrdersToSend = countWaiting(
  (sql, projectId) => sql`
    select coalesce(s.waiting_since, o.updated_at) as at, o.id as "orderId"
    from orders o left join order_search s on s.project_id = o.project_id and s.id = o.id
    where o.project_id = ${projectId} and o.status = 'confirmed' and o.deleted_at is null and o.parcel_id is null and not o.is_divided
    order by o.updated_at, o.id`,
)
