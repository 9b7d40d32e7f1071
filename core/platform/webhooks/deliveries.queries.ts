import { matching, type Sorted, slice, sortValue } from '../../data/slice.ts'
import { json, type Queryable } from '../../data/sql.ts'
import { momentOfIds } from '../../lib/ids.ts'
import { WAKE_CHANNEL } from './emit.queries.ts'
import { DELIVERIES_KEPT_DAYS } from './schedule.ts'
import type { AskedDeliveries, Attempt, Delivery } from './webhooks.model.ts'

const DAY_MS = 86_400_000

/** Whose deliveries. */
export interface Receiver {
  readonly id: string
  readonly projectId: string
}

export interface DeliveryRow extends Omit<Delivery, 'request' | 'response' | 'nextAttemptAt'> {
  readonly nextAttemptAt: string
  readonly url: string | null
  readonly body: string | null
}

const columns = (
  sql: Queryable,
) => sql`d.id, d.endpoint_id, d.event_id, d.event_type, d.status, d.attempt_count, d.next_attempt_at, d.attempts, d.redelivery_of,
  d.created_at, d.completed_at, e.body, p.url`

/** Deliveries, each with its event, which is looked for in the one partition that it can be in. */
const described = (sql: Queryable) => sql`webhook_deliveries d
    left join lateral (select body from events where project_id = d.project_id and id = d.event_id limit 1) e on true
    left join webhook_endpoints p on p.id = d.endpoint_id`

const owned = (sql: Queryable, { id, projectId }: Receiver) => sql`d.project_id = ${projectId} and d.endpoint_id = ${id}`

/** Those that are kept; some lie there a few days longer, until all of their partition goes. */
export const listDeliveries = (sql: Queryable, receiver: Receiver, { filter: { status, eventType }, slice: part }: AskedDeliveries) =>
  sql<(DeliveryRow & Sorted)[]>`
    select ${columns(sql)} ${sortValue(sql, part)}
    from ${described(sql)}
    where ${owned(sql, receiver)} and d.id >= ${momentOfIds('dlv', Date.now() - DELIVERIES_KEPT_DAYS * DAY_MS)} ${matching(sql, { 'd.status': status, 'd.event_type': eventType })} ${slice(sql, part, 'd.id')}`

export const findDelivery = async (sql: Queryable, receiver: Receiver, id: string) =>
  (await sql<DeliveryRow[]>`select ${columns(sql)} from ${described(sql)} where ${owned(sql, receiver)} and d.id = ${id}`)[0]

/** The same event once more, as a delivery of its own with all its attempts; outside of any order. */
export const insertRedelivery = async (sql: Queryable, receiver: Receiver, of: string, id: string) => {
  const [made] = await sql`insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, redelivery_of)
    select d.endpoint_id, ${id}, d.project_id, d.event_id, d.event_type, d.id
    from webhook_deliveries d join events e on e.project_id = d.project_id and e.id = d.event_id
    where ${owned(sql, receiver)} and d.id = ${of} returning id`
  if (made) await sql`select pg_notify(${WAKE_CHANNEL}, '')`
  return made !== undefined
}

export interface Finished {
  readonly endpointId: string
  readonly id: string
  readonly projectId: string
  readonly event: { readonly id: string; readonly type: string; readonly body: string; readonly createdAt: string }
  readonly status: Delivery['status']
  readonly attempt: Attempt
}

/** A delivery that has had its only attempt, and its event. */
export const insertFinished = (sql: Queryable, { endpointId, id, projectId, event, status, attempt }: Finished) => sql`
  with told as (insert into events (id, project_id, type, body, created_at) values (${event.id}, ${projectId}, ${event.type}, ${event.body}, ${event.createdAt}))
  insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, status, attempt_count, attempts, created_at, completed_at)
  values (${endpointId}, ${id}, ${projectId}, ${event.id}, ${event.type}, ${status}, 1, ${json(sql, [attempt])}, ${event.createdAt}, now())`
