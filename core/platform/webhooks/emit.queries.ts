import type { Queryable } from '../../data/sql.ts'
import type { EndpointFamily } from './events.ts'

/** Row of an event to insert. */
export interface EventRow {
  readonly id: string
  readonly projectId: string
  readonly type: string
  readonly topic: string
  readonly orderKey: string
  /** Exact body that is sent. */
  readonly body: string
  readonly createdAt: string
  readonly audience: EndpointFamily | 'both'
}

/** Notification channel that wakes dispatchers. */
export const WAKE_CHANNEL = 'serai_webhooks'
/** Key of the advisory lock. All processes must use the same number. */
const WAKE_LOCK = 7_233_009

/**
 * Inserts the events that have subscribers, with one delivery per endpoint. `only` sends to this endpoint alone, subscribed or not. A
 * committing notification blocks all other notifiers, so only one open transaction notifies at a time. The dispatcher polls again shortly
 * after it was woken, and finds the rows of the others.
 */
export const insertEvents = (sql: Queryable, rows: readonly EventRow[], only: string | null = null) => sql`
  with given as (
    select * from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.projectId)}::text[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.topic)}::text[], ${rows.map((row) => row.orderKey)}::text[], ${rows.map((row) => row.body)}::text[],
      ${rows.map((row) => row.createdAt)}::timestamptz[], ${rows.map((row) => row.audience)}::text[])
      with ordinality as g (id, project_id, type, topic, order_key, body, created_at, audience, place)
  ), wanted as (
    select g.*, p.id as endpoint_id, p.ordered from given g join webhook_endpoints p on p.project_id = g.project_id and p.enabled
      and g.audience in ('both', p.audience)
      and case when ${only}::text is null then p.all_events or g.type = any (p.event_names) or g.topic like any (p.topics) else p.id = ${only} end
  ), stored as (
    insert into events (id, project_id, type, body, created_at)
    select distinct on (id) id, project_id, type, body, created_at from wanted order by id
  ), made as (
    insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, order_key, created_at)
    select endpoint_id, 'dlv_' || substr(id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), project_id, id, type,
      case when ordered then nullif(order_key, '') end, created_at
    from wanted order by place returning 1
  )
  select pg_notify(${WAKE_CHANNEL}, '') from (select 1 from made limit 1) any_made where pg_try_advisory_xact_lock(${WAKE_LOCK})`
