import type { Queryable } from '../../../data/sql.ts'
import { pendingRange, planned } from './pending.queries.ts'
import { LEASE_MS } from './schedule.ts'

/** Of a delivery `d` that waits for the endpoint `p`: nothing is sent any more. One that is under way ends by itself. */
export const isCalledOff = (sql: Queryable) =>
  sql`((p.enabled is not true or d.position <= p.cancelled_to) and (d.locked_until is null or d.locked_until < now()))`

/** All that waits for these now is called off, at once, however much it is. */
export const callOff = (sql: Queryable, endpointIds: readonly string[]) => sql`
  update webhook_endpoints set cancelled_to = (select last_value from webhook_deliveries_positions), cancelling_since = now()
  where id = any (${endpointIds as string[]})`

/** An endpoint of which rows may not say yet that they are cancelled. */
export interface Cancelling {
  readonly id: string
  readonly projectId: string
  readonly cancelledTo: number
  readonly since: string
  /** Whether all that was under way then has ended, and whoever was writing then has committed. */
  readonly isSettled: boolean
}

export const findCancelling = async (sql: Queryable, endpointId: string) =>
  (
    await sql<Cancelling[]>`
      select id, project_id, cancelled_to, cancelling_since as since, cancelling_since < now() - ${LEASE_MS} * interval '1 millisecond' as is_settled
      from webhook_endpoints where id = ${endpointId} and cancelling_since is not null`
  )[0]

export const isCancelling = async (sql: Queryable, endpointId: string) => (await findCancelling(sql, endpointId)) !== undefined

/** Unless it was switched off once more meanwhile. */
export const endCancelling = (sql: Queryable, { id, cancelledTo }: Cancelling) =>
  sql`update webhook_endpoints set cancelling_since = null where id = ${id} and cancelled_to = ${cancelledTo}`

/** A delivery in the order in which they wait. */
export interface Place {
  readonly id: string
  readonly at: string
  readonly position: number
}

export const FIRST_PLACE: Omit<Place, 'id'> = { at: '-infinity', position: 0 }

const CALLED_OFF = `
  select d.id, d.next_attempt_at::text as at, d.position from webhook_deliveries d join webhook_endpoints p on p.id = $2
  where d.project_id = $1 and d.endpoint_id = $2 and d.status = 'pending' and d.id >= $3 and d.id < $4
    and (d.next_attempt_at, d.position) > ($5::timestamptz, $6::bigint) and (not p.enabled or d.position <= p.cancelled_to)
    and (d.locked_until is null or d.locked_until < now())
  order by d.next_attempt_at, d.position limit $7::integer`

/** The next that are called off and do not say so. */
export async function listCalledOff(sql: Queryable, { id, projectId }: Cancelling, after: Omit<Place, 'id'>, take: number) {
  const { from, before } = await pendingRange(sql)
  return sql.unsafe<Place[]>(CALLED_OFF, [projectId, id, from, before, after.at, after.position, take], planned)
}

const CANCEL = `
  update webhook_deliveries set status = 'cancelled', completed_at = $4
  where project_id = $1 and endpoint_id = $2 and id = any ($3::text[]) and completed_at is null and (locked_until is null or locked_until < now())`

export const cancelDeliveries = (sql: Queryable, { id, projectId, since }: Cancelling, ids: readonly string[]) =>
  sql.unsafe(CANCEL, [projectId, id, ids as string[], since], planned)
