import { projectIdOf } from '../../data/project-ids.ts'
import { json, type Queryable, type Tx } from '../../data/sql.ts'
import type { OrderChange } from '../../orders/changes/changes.model.ts'

/** Number of orders of a status. */
export interface StatusRow {
  readonly status: string
  readonly orders: number
}

/** Deltas of the changes that wait, as rows of `project_id`, `status` and `orders`. */
const waitingDeltas = (sql: Queryable) => sql`select c.project_id, d.status, d.orders from order_changes c
  cross join lateral order_status_deltas(c.changed, c.from_status, c.to_status, c.is_deleted) d`

/** Counts all orders of a store by status: those counted, and the changes that wait. One statement, so that none is missed or counted twice. */
export const readStatusRows = (sql: Queryable, storeId: string) =>
  sql<StatusRow[]>`select status, sum(orders)::integer as orders from (
      select project_id, status, orders from order_status_counts union all ${waitingDeltas(sql)}) counted
    where project_id = ${projectIdOf(storeId)} group by status`

/** Adds the deltas of changes. Sorted, because changes of several projects share a batch. */
export const addStatusCounts = (sql: Tx, changes: readonly OrderChange[]) =>
  sql`insert into order_status_counts as counted (project_id, status, orders)
    select c."projectId", d.status, sum(d.orders) from jsonb_to_recordset(${json(sql, changes)})
      as c ("projectId" text, changed text[], "fromStatus" text, "toStatus" text, "isDeleted" boolean)
      cross join lateral order_status_deltas(c.changed, c."fromStatus", c."toStatus", c."isDeleted") d
    group by 1, 2 having sum(d.orders) <> 0 order by 1, 2
    on conflict (project_id, status) do update set orders = counted.orders + excluded.orders`

/** Lists statuses whose count differs from the orders. */
export const listStatusCountMismatches = (sql: Queryable, most: number) =>
  sql<{ what: string; id: string; says: string }[]>`
    select 'project' as what, project_id as id, status || ': counted ' || sum(counted) || ', orders ' || sum(present) as says from (
      select project_id, status, orders as counted, 0 as present from order_status_counts
      union all select project_id, status, orders, 0 from (${waitingDeltas(sql)}) waiting
      union all select project_id, status, 0, count(*) from orders where deleted_at is null group by 1, 2) both_sides
    group by project_id, status having sum(counted) <> sum(present) limit ${most}`
