import { matching, type Sorted, slice, sortValue } from '../../data/slice.ts'
import { json, type Queryable } from '../../data/sql.ts'
import { WAKE_CHANNEL } from './emit.queries.ts'
import type { AskedDeliveries, Attempt, Delivery } from './webhooks.model.ts'

export interface DeliveryRow extends Omit<Delivery, 'request' | 'response' | 'nextAttemptAt'> {
  readonly nextAttemptAt: string
  readonly url: string | null
  readonly body: string | null
}

const columns = (
  sql: Queryable,
) => sql`d.id, d.endpoint_id, d.event_id, d.event_type, d.status, d.attempt_count, d.next_attempt_at, d.attempts, d.redelivery_of,
  d.created_at, d.completed_at, e.body, p.url`

export const listDeliveries = (sql: Queryable, endpointId: string, { filter: { status, eventType }, slice: part }: AskedDeliveries) =>
  sql<(DeliveryRow & Sorted)[]>`
    select ${columns(sql)} ${sortValue(sql, part)}
    from webhook_deliveries d left join events e on e.id = d.event_id left join webhook_endpoints p on p.id = d.endpoint_id
    where d.endpoint_id = ${endpointId} ${matching(sql, { 'd.status': status, 'd.event_type': eventType })} ${slice(sql, part, 'd.id')}`

export const findDelivery = async (sql: Queryable, endpointId: string, id: string) =>
  (
    await sql<
      DeliveryRow[]
    >`select ${columns(sql)} from webhook_deliveries d left join events e on e.id = d.event_id left join webhook_endpoints p on p.id = d.endpoint_id
    where d.endpoint_id = ${endpointId} and d.id = ${id}`
  )[0]

/** The same event once more, as a delivery of its own with all its attempts; outside of any order. */
export const insertRedelivery = async (sql: Queryable, endpointId: string, of: string, id: string) => {
  const [made] = await sql`insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, redelivery_of)
    select d.endpoint_id, ${id}, d.project_id, d.event_id, d.event_type, d.id from webhook_deliveries d join events e on e.id = d.event_id
    where d.endpoint_id = ${endpointId} and d.id = ${of} returning id`
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

const BATCH = 5_000

/** Endpoints that have deliveries, those that are gone included. */
export const endpointsWithDeliveries = async (sql: Queryable) =>
  (
    await sql<{ endpointId: string }[]>`
    with recursive found (endpoint_id) as (
      (select endpoint_id from webhook_deliveries order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from webhook_deliveries d where d.endpoint_id > f.endpoint_id order by d.endpoint_id limit 1) from found f where f.endpoint_id is not null
    ) select endpoint_id from found where endpoint_id is not null`
  ).map((row) => row.endpointId)

/** One batch, from the oldest on; how many there were. */
export const deleteOldDeliveries = async (sql: Queryable, endpointId: string, days: number) =>
  (
    await sql`delete from webhook_deliveries where endpoint_id = ${endpointId} and created_at < now() - ${days} * interval '1 day'
    and id in (select id from webhook_deliveries where endpoint_id = ${endpointId} order by id limit ${BATCH})`
  ).count

export const deleteOldEvents = async (sql: Queryable, days: number) =>
  (
    await sql`delete from events where id in (select id from events order by id limit ${BATCH}) and created_at < now() - ${days} * interval '1 day'`
  ).count
