import type { ParcelStatus } from '../../../plugins/carrier/model.ts'
import type { Queryable } from '../../data/sql.ts'
import { SHOWN_PARCEL_STATUS } from '../../logistics/parcels/parcels.queries.ts'

/** Parcel, agent and calls of an order, its tags and its comments. */
export interface ProgressRow {
  readonly orderId: string
  readonly assigneeName: string | null
  readonly parcelId: string | null
  readonly status: ParcelStatus | null
  readonly courierId: string | null
  readonly trackingId: string | null
  readonly printedAt: string | null
  readonly calls: number
  readonly lastOutcome: string | null
  readonly tags: readonly string[]
  readonly comments: number
}

/** Reads the newest parcel (one that waits for its carrier counts as `submitting`), the agent's name, calls, tags and comments of orders of a project, in one statement. */
export const findProgressRows = (
  sql: Queryable,
  projectId: string,
  orders: readonly { readonly id: string; readonly assignedTo: string | null }[],
) =>
  sql<ProgressRow[]>`select o.id as order_id, u.name as assignee_name, p.*, c.*,
      array(select tag from order_tags where project_id = ${projectId} and order_id = o.id order by tag) as tags,
      (select count(*)::integer from order_comments where project_id = ${projectId} and order_id = o.id) as comments
    from unnest(${orders.map(({ id }) => id)}::text[], ${orders.map(({ assignedTo }) => assignedTo)}::text[]) o (id, assigned_to)
    left join users u on u.id = o.assigned_to
    left join lateral (
      select id as parcel_id, ${sql.unsafe(SHOWN_PARCEL_STATUS)}, courier_id, tracking_id, printed_at
      from parcels where project_id = ${projectId} and order_id = o.id and status <> 'cancelled' order by id desc limit 1) p on true
    cross join lateral (
      select count(*)::integer as calls, (array_agg(outcome order by id desc))[1] as last_outcome from confirmation_calls
      where project_id = ${projectId} and order_id = o.id) c`
