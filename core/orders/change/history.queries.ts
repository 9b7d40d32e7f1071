import { keyedByProject, projectIdOf } from '../../data/project-ids.ts'
import { type Queryable, rowValues } from '../../data/sql.ts'
import type { ActorKind } from '../../data/tenant-context.ts'
import type { OrderKey } from '../orders.queries.ts'
import type { OrderStatus } from '../statuses.ts'

/** Row of `order_status_changes`. */
export interface StatusChange {
  readonly storeId: string
  readonly orderId: string
  readonly id: string
  readonly fromStatus: OrderStatus
  readonly toStatus: OrderStatus
  readonly reason: string
  readonly byId: string
  readonly byKind: ActorKind
  /** OAuth app that acted for the user. */
  readonly appId: string | null
  /** Platform administrator that impersonated the user. */
  readonly adminId: string | null
}

/** Inserts entries into the status history of orders. */
export const insertStatusChanges = (sql: Queryable, changes: readonly StatusChange[]) =>
  sql`insert into order_status_changes ${rowValues(sql, changes.map(keyedByProject))}`

/** Sets the reason of an order's last status change, after an update of its parcel moved the order. */
export const updateLastReason = (sql: Queryable, { storeId, id }: OrderKey, reason: string) =>
  sql`update order_status_changes set reason = ${reason} where project_id = ${projectIdOf(storeId)} and order_id = ${id}
    and id = (select max(id) from order_status_changes where project_id = ${projectIdOf(storeId)} and order_id = ${id})`
