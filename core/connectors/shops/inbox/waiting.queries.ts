import { countWaiting } from '../../../data/waiting.ts'

/** Counts the orders of connected shops that could not be read. */
export const countUnreadableOrders = countWaiting(
  (sql, projectId) => sql`
    select o.created_at as at, o.connection_id as "connectionId"
    from connector_orders o join integrations i on i.project_id = o.project_id and i.id = o.connection_id and i.deleted_at is null
    where o.project_id = ${projectId} and o.state = 'waiting' and o.why = 'unreadable' order by o.connection_id, o.id`,
)

/** Counts the orders of connected shops that were read and cannot be imported yet. */
export const countOrdersToImport = countWaiting(
  (sql, projectId) => sql`
    select o.created_at as at, o.connection_id as "connectionId"
    from connector_orders o join integrations i on i.project_id = o.project_id and i.id = o.connection_id and i.deleted_at is null
    where o.project_id = ${projectId} and o.state = 'waiting' and o.why is distinct from 'unreadable' order by o.connection_id, o.id`,
)

/** Counts the goods of connected shops without a product of the store. */
export const countUnmatchedGoods = countWaiting(
  (sql, projectId) => sql`
    select g.created_at as at, g.connection_id as "connectionId"
    from connector_goods g join integrations i on i.project_id = g.project_id and i.id = g.connection_id and i.deleted_at is null
    where g.project_id = ${projectId} and g.product_id is null order by g.connection_id, g.id`,
)
