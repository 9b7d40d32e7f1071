import { actorNameColumn, joinActors } from '../../data/actors.ts'
import type { Queryable } from '../../data/sql.ts'
import type { ActorKind } from '../../data/tenant-context.ts'
import type { OrderRef } from '../change/lock-order.ts'

/** Last recorded change of an order, and its actor. */
interface LastChange {
  readonly kind: ActorKind
  readonly id: string | null
  /** Current name of the actor; null if it was deleted, and for the public and the system. */
  readonly name: string | null
  /** ISO 8601. */
  readonly at: string
}

/** Finds the last change of an order that the audit log or its status history has. */
export const findLastChange = async (sql: Queryable, { projectId, orderId }: OrderRef) =>
  (
    await sql<LastChange[]>`
      select c.by_kind as kind, nullif(c.by_id, '') as id, ${actorNameColumn(sql)} as name, c.created_at as at from (
        (select by_kind, by_id, app_id, admin_id, created_at from audit_entries
          where project_id = ${projectId} and thing = ${orderId} order by id desc limit 1)
        union all
        (select by_kind, by_id, app_id, admin_id, created_at from order_status_changes
          where project_id = ${projectId} and order_id = ${orderId} order by id desc limit 1)
        order by created_at desc limit 1
      ) c ${joinActors(sql, sql`c`, projectId)}`
  )[0]
