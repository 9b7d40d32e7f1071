import { equalsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../../data/keyset-page.ts'
import { json, type Queryable } from '../../../data/sql.ts'
import { DAY_MS } from '../../../lib/durations.ts'
import { lowestIdAt } from '../../../lib/ids.ts'
import { WAKE_CHANNEL } from '../emit.queries.ts'
import type { EndpointRef } from '../endpoints.queries.ts'
import type { Delivery, DeliveryAttempt, DeliveryQuery } from '../webhooks.model.ts'
import { isCancelledCondition, isCancelling } from './cancel.queries.ts'
import { AFTER_ALL_IDS, withoutPreparing } from './pending.queries.ts'
import { DELIVERY_RETENTION_DAYS } from './schedule.ts'

/** Row of a delivery with its event and endpoint. */
export interface DeliveryRow extends Omit<Delivery, 'request' | 'response' | 'nextAttemptAt'> {
  readonly nextAttemptAt: string
  readonly url: string | null
  readonly body: string | null
}

const columns = (
  sql: Queryable,
) => sql`d.id, d.endpoint_id, d.event_id, d.event_type, d.attempt_count, d.next_attempt_at, d.attempts, d.redelivery_of, d.created_at, e.body, p.url,
  case when d.status = 'pending' and ${isCancelledCondition(sql)} then 'cancelled' else d.status end as status,
  case when d.status = 'pending' and ${isCancelledCondition(sql)} then p.cancelling_since else d.completed_at end as completed_at`

/** Joins deliveries with their events, each looked up in its partition, and their endpoints. */
const joinedDeliveries = (sql: Queryable) => sql`webhook_deliveries d
    left join lateral (select body from events where project_id = d.project_id and id = d.event_id limit 1) e on true
    left join webhook_endpoints p on p.project_id = d.project_id and p.id = d.endpoint_id`

const owned = (sql: Queryable, { id, projectId }: EndpointRef) => sql`d.project_id = ${projectId} and d.endpoint_id = ${id}`

/** Lists the deliveries of an endpoint within the retention time. Expired rows remain until their partition is dropped. */
export async function listDeliveries(
  sql: Queryable,
  receiver: EndpointRef,
  { filter: { status, eventType }, page: part }: DeliveryQuery,
): Promise<(DeliveryRow & SortedRow)[]> {
  const isBehind = status === 'cancelled' && (await isCancelling(sql, receiver))
  return sql<(DeliveryRow & SortedRow)[]>`
    select ${columns(sql)} ${sortValueColumn(sql, part)}
    from ${joinedDeliveries(sql)}
    where ${owned(sql, receiver)} and d.id >= ${lowestIdAt('dlv', Date.now() - DELIVERY_RETENTION_DAYS * DAY_MS)} ${statusCondition(sql, status, { isBehind })} ${equalsCondition(sql, { 'd.event_type': eventType })} ${keysetPage(sql, part, 'd.id')}`
}

/** Builds the condition on the status. `isBehind`: cancelled rows may still have the status `pending`. */
function statusCondition(sql: Queryable, status: Delivery['status'] | undefined, { isBehind }: { readonly isBehind: boolean }) {
  if (status === undefined) return sql``
  if (status === 'pending') return sql`and d.status = 'pending' and not ${isCancelledCondition(sql)}`
  if (isBehind) return sql`and (d.status = 'cancelled' or (d.status = 'pending' and ${isCancelledCondition(sql)}))`
  return sql`and d.status = ${status}`
}

/** Finds a delivery of an endpoint. */
export const findDelivery = async (sql: Queryable, receiver: EndpointRef, id: string) =>
  (await sql<DeliveryRow[]>`select ${columns(sql)} from ${joinedDeliveries(sql)} where ${owned(sql, receiver)} and d.id = ${id}`)[0]

/** Inserts a redelivery: a new delivery of the same event with attempts of its own and no ordering. Returns false if the event is gone. */
export const insertRedelivery = async (sql: Queryable, receiver: EndpointRef, of: string, id: string) => {
  const [made] = await sql`insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, redelivery_of)
    select d.endpoint_id, ${id}, d.project_id, d.event_id, d.event_type, d.id
    from webhook_deliveries d join events e on e.project_id = d.project_id and e.id = d.event_id
    where ${owned(sql, receiver)} and d.id = ${of} returning id`
  if (made) await sql`select pg_notify(${WAKE_CHANNEL}, '')`
  return made !== undefined
}

/** Completed delivery to insert. */
export interface CompletedDelivery {
  readonly endpointId: string
  readonly id: string
  readonly projectId: string
  readonly event: { readonly id: string; readonly type: string; readonly body: string; readonly createdAt: string }
  readonly status: Delivery['status']
  readonly attempt: DeliveryAttempt
}

/** Inserts a delivery with its only attempt, and its event. */
export const insertCompletedDelivery = (sql: Queryable, { endpointId, id, projectId, event, status, attempt }: CompletedDelivery) => sql`
  with told as (insert into events (id, project_id, type, body, created_at) values (${event.id}, ${projectId}, ${event.type}, ${event.body}, ${event.createdAt}))
  insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, status, attempt_count, attempts, created_at, completed_at)
  values (${endpointId}, ${id}, ${projectId}, ${event.id}, ${event.type}, ${status}, 1, ${json(sql, [attempt])}, ${event.createdAt}, now())`

/** Returns the id of the last delivery in the next batch; undefined if fewer are left. */
export const findLastOfBatch = async (sql: Queryable, receiver: EndpointRef, after: string, take: number) =>
  (await sql.unsafe<{ id: string }[]>(LAST_OF_SLICE, [receiver.projectId, receiver.id, after, take - 1], withoutPreparing))[0]?.id

const LAST_OF_SLICE =
  'select id from webhook_deliveries where project_id = $1 and endpoint_id = $2 and id > $3 order by id offset $4::integer limit 1'

/** Deletes deliveries up to `last`, or all if it is undefined. */
export const deleteDeliveries = (sql: Queryable, receiver: EndpointRef, after: string, last: string | undefined) =>
  sql.unsafe(DELETE_SLICE, [receiver.projectId, receiver.id, after, last ?? AFTER_ALL_IDS], withoutPreparing)

const DELETE_SLICE = 'delete from webhook_deliveries where project_id = $1 and endpoint_id = $2 and id > $3 and id <= $4'
