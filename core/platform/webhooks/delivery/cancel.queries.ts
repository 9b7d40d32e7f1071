import type { Queryable } from '../../../data/sql.ts'
import { type EndpointRef, endpointList } from '../endpoints.queries.ts'
import { pendingRange, withoutPreparing } from './pending.queries.ts'
import { LEASE_MS } from './schedule.ts'

/** Builds the condition that a delivery `d` of an endpoint `p` is cancelled. A delivery under way ends by itself. */
export const isCancelledCondition = (sql: Queryable) =>
  sql`((p.enabled is not true or d.position <= p.cancelled_to) and (d.locked_until is null or d.locked_until < now()))`

/** Cancels all deliveries that wait for these endpoints, at once, by recording the last position. */
export const cancelUpToNow = (sql: Queryable, endpoints: readonly EndpointRef[]) => sql`
  update webhook_endpoints p set cancelled_to = (select last_value from webhook_deliveries_positions), cancelling_since = now()
  from ${endpointList(sql, endpoints)} r (project_id, id) where p.project_id = r.project_id and p.id = r.id`

/** Endpoint whose delivery rows may not have the status `cancelled` yet. */
export interface Cancellation {
  readonly id: string
  readonly projectId: string
  readonly cancelledTo: number
  readonly since: string
  /** True if all deliveries under way at that time have ended, and all open transactions have committed. */
  readonly isSettled: boolean
}

/** Finds an endpoint, by its id alone, whose cancellation is not written to all rows yet. */
export const findCancellation = async (sql: Queryable, endpointId: string) =>
  (
    await sql<Cancellation[]>`
      select id, project_id, cancelled_to, cancelling_since as since, cancelling_since < now() - ${LEASE_MS} * interval '1 millisecond' as is_settled
      from webhook_endpoints where id = ${endpointId} and cancelling_since is not null`
  )[0]

/** Returns true if the cancellation of an endpoint is not written to all rows yet. */
export const isCancelling = async (sql: Queryable, { projectId, id }: EndpointRef) =>
  (await sql`select 1 from webhook_endpoints where project_id = ${projectId} and id = ${id} and cancelling_since is not null`).length > 0

/** Ends the cancellation, unless the endpoint was disabled again meanwhile. */
export const endCancellation = (sql: Queryable, { projectId, id, cancelledTo }: Cancellation) =>
  sql`update webhook_endpoints set cancelling_since = null where project_id = ${projectId} and id = ${id} and cancelled_to = ${cancelledTo}`

/** Position of a delivery in the queue. */
export interface QueuePosition {
  readonly id: string
  readonly at: string
  readonly position: number
}

/** Position before all deliveries. */
export const FIRST_POSITION: Omit<QueuePosition, 'id'> = { at: '-infinity', position: 0 }

const CALLED_OFF = `
  select d.id, d.next_attempt_at::text as at, d.position from webhook_deliveries d join webhook_endpoints p on p.project_id = $1 and p.id = $2
  where d.project_id = $1 and d.endpoint_id = $2 and d.status = 'pending' and d.id >= $3 and d.id < $4
    and (d.next_attempt_at, d.position) > ($5::timestamptz, $6::bigint) and (not p.enabled or d.position <= p.cancelled_to)
    and (d.locked_until is null or d.locked_until < now())
  order by d.next_attempt_at, d.position limit $7::integer`

/** Lists the next deliveries that are cancelled but whose rows do not say it yet. */
export async function listCancelled(sql: Queryable, { id, projectId }: Cancellation, after: Omit<QueuePosition, 'id'>, take: number) {
  const { from, before } = await pendingRange(sql)
  return sql.unsafe<QueuePosition[]>(CALLED_OFF, [projectId, id, from, before, after.at, after.position, take], withoutPreparing)
}

const CANCEL = `
  update webhook_deliveries set status = 'cancelled', completed_at = $4
  where project_id = $1 and endpoint_id = $2 and id = any ($3::text[]) and completed_at is null and (locked_until is null or locked_until < now())`

/** Marks deliveries as cancelled, except those under way or completed. */
export const cancelDeliveries = (sql: Queryable, { id, projectId, since }: Cancellation, ids: readonly string[]) =>
  sql.unsafe(CANCEL, [projectId, id, ids as string[], since], withoutPreparing)
