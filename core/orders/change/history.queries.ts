import { type Queryable, rowValues } from '../../data/sql.ts'
import type { ActorKind } from '../../data/tenant-context.ts'
import type { OrderKey } from '../orders.queries.ts'
import type { OrderStatus } from '../statuses.ts'

export interface StatusChange {
  readonly storeId: string
  readonly orderId: string
  readonly id: string
  readonly fromStatus: OrderStatus
  readonly toStatus: OrderStatus
  readonly reason: string
  readonly byId: string
  readonly byKind: ActorKind
  /** The app that acted as the person. */
  readonly appId: string | null
  /** The administrator of the platform who did it in the person's name. */
  readonly adminId: string | null
}

export const insertStatusChanges = (sql: Queryable, changes: readonly StatusChange[]) =>
  sql`insert into order_status_changes ${rowValues(sql, changes)}`

/** Why an order has the status that it has just come to, where the order was moved by what became of its parcel. */
export const writeLastReason = (sql: Queryable, { storeId, id }: OrderKey, reason: string) =>
  sql`update order_status_changes set reason = ${reason} where store_id = ${storeId} and order_id = ${id}
    and id = (select max(id) from order_status_changes where store_id = ${storeId} and order_id = ${id})`
