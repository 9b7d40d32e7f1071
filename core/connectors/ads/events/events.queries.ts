import { projectIdOf } from '../../../data/project-ids.ts'
import type { Queryable, Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'

/** Event of an order that is sent to a pixel, as it is stored. */
export interface AdsEventRow {
  readonly connectionId: string
  readonly orderId: string
  readonly event: string
  readonly pixelId: string
  readonly projectId: string
  readonly withValue: boolean
  readonly at: string
  readonly attempts: number
}
type State = 'waiting' | 'sent' | 'refused' | 'late'

/** Counts the events of a connection by state. */
export async function countEvents(sql: Queryable, { id, projectId }: ConnectionRef): Promise<Record<State, number>> {
  const rows = await sql<
    { state: State; count: number }[]
  >`select state, count(*)::int as count from ads_events where project_id = ${projectId} and connection_id = ${id} group by state`
  const counted = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  return { waiting: counted.waiting ?? 0, sent: counted.sent ?? 0, refused: counted.refused ?? 0, late: counted.late ?? 0 }
}

/** Lists connections with due events, and their projects. */
export const listConnectionsWithDueEvents = (sql: Queryable, limit: number) =>
  sql<{ connectionId: string; projectId: string }[]>`
    select distinct connection_id, project_id from (
      select connection_id, project_id from ads_events where state = 'waiting' and due_at <= now() order by due_at limit 50000) due
    limit ${limit}`

/** Claims due events for `seconds`, so that no other process sends them. A crashed process releases its claim by expiry. */
export const claimEvents = (sql: Queryable, { id, projectId }: ConnectionRef, limit: number, seconds: number) =>
  sql<AdsEventRow[]>`
    update ads_events e set due_at = now() + ${seconds} * interval '1 second', attempts = e.attempts + 1
    from (select connection_id, order_id, event, pixel_id from ads_events
      where project_id = ${projectId} and connection_id = ${id} and state = 'waiting' and due_at <= now()
      order by due_at, order_id limit ${limit} for update skip locked) c
    where e.project_id = ${projectId} and e.connection_id = c.connection_id and e.order_id = c.order_id and e.event = c.event and e.pixel_id = c.pixel_id
    returning e.connection_id, e.order_id, e.event, e.pixel_id, e.project_id, e.with_value, e.at, e.attempts`

/** Marks waiting events that are older than the platform accepts; they are not sent. */
export const markEventsLate = (sql: Queryable, { id, projectId }: ConnectionRef, seconds: number) =>
  sql`update ads_events set state = 'late', settled_at = now(), message = 'It was too old for the platform.'
    where project_id = ${projectId} and connection_id = ${id} and state = 'waiting' and at < now() - ${seconds} * interval '1 second'`

type Key = Pick<AdsEventRow, 'projectId' | 'connectionId' | 'orderId' | 'event' | 'pixelId'>

/** Records the outcome of one waiting event. */
export const recordEventOutcome = (sql: Queryable, key: Key, state: 'sent' | 'refused', message: string | null) =>
  sql`update ads_events set state = ${state}, settled_at = now(), message = ${message}
    where project_id = ${key.projectId} and connection_id = ${key.connectionId} and order_id = ${key.orderId} and event = ${key.event} and pixel_id = ${key.pixelId} and state = 'waiting'`

/** Marks waiting events of one pixel and one name as sent. */
export const markEventsSent = (
  sql: Queryable,
  { projectId, connectionId, event, pixelId }: Omit<Key, 'orderId'>,
  orderIds: readonly string[],
) =>
  sql`update ads_events set state = 'sent', settled_at = now(), message = null
    where project_id = ${projectId} and connection_id = ${connectionId} and event = ${event} and pixel_id = ${pixelId} and order_id = any (${orderIds as string[]}) and state = 'waiting'`

/** Delays waiting events of one pixel and one name, and records why. */
export const delayEvents = (
  sql: Queryable,
  { projectId, connectionId, event, pixelId }: Omit<Key, 'orderId'>,
  orderIds: readonly string[],
  seconds: number,
  message: string,
) =>
  sql`update ads_events set due_at = now() + ${seconds} * interval '1 second', message = ${message}
    where project_id = ${projectId} and connection_id = ${connectionId} and event = ${event} and pixel_id = ${pixelId} and order_id = any (${orderIds as string[]})
      and state = 'waiting'`

/** Deletes the events of a connection. */
export const deleteEvents = (sql: Queryable, { id, projectId }: ConnectionRef) =>
  sql`delete from ads_events where project_id = ${projectId} and connection_id = ${id}`

/** Deletes events that were finished at least `days` ago, since their orders no longer change. */
export const deleteFinishedEvents = (sql: Queryable, days: number, limit: number) =>
  sql`delete from ads_events where ctid = any (array(
    select ctid from ads_events where state <> 'waiting' and settled_at < now() - ${days} * interval '1 day' limit ${limit}))`

/** Delays all due events of a connection that is disabled. */
export const delayDueEvents = (sql: Queryable, { id, projectId }: ConnectionRef, seconds: number) =>
  sql`update ads_events set due_at = now() + ${seconds} * interval '1 second'
    where project_id = ${projectId} and connection_id = ${id} and state = 'waiting' and due_at <= now()`

/** Rule that an order matches in its present status. */
export interface MatchingRule {
  readonly connectionId: string
  readonly key: string
  readonly event: string
  readonly pixelId: string
  readonly withValue: boolean
  /** Time at which the order reached its status. */
  readonly at: string
  readonly isKnown: boolean
}

/** Lists the rules that an order matches in its present status; undefined if there is no such order. */
export async function listMatchingRules(sql: Queryable, storeId: string, orderId: string): Promise<MatchingRule[] | undefined> {
  const rows = await sql<(MatchingRule | { connectionId: null })[]>`
    select r.connection_id, i.key, r.event, r.pixel_id, r.with_value,
      coalesce((select max(c.created_at) from order_status_changes c
        where c.project_id = o.project_id and c.order_id = o.id and c.to_status = o.status
          and c.from_status is distinct from c.to_status), o.created_at) as at,
      exists (select 1 from ads_events e
        where e.project_id = r.project_id and e.connection_id = r.connection_id and e.order_id = o.id and e.event = r.event and e.pixel_id = r.pixel_id) as is_known
    from orders o left join ads_rules r on r.project_id = ${projectIdOf(storeId)} and r.status = o.status and o.exchange_of is null
    left join integrations i on i.project_id = r.project_id and i.id = r.connection_id
    where o.project_id = ${projectIdOf(storeId)} and o.id = ${orderId} and o.deleted_at is null`
  return rows.length === 0 ? undefined : rows.filter((row): row is MatchingRule => row.connectionId !== null)
}

/** Inserts the events of the rules that name the statuses which orders reached. Exchanges have none, nor has an order that moved before the rule existed. */
export const insertEventsOfRules = async (
  sql: Tx,
  moved: readonly { readonly projectId: string; readonly orderId: string; readonly toStatus: string; readonly at: string }[],
) =>
  void (await sql`insert into ads_events (connection_id, order_id, event, pixel_id, project_id, with_value, at)
    select r.connection_id, o.id, r.event, r.pixel_id, r.project_id, r.with_value, c.at
    from unnest(${moved.map(({ projectId }) => projectId)}::text[], ${moved.map(({ orderId }) => orderId)}::text[],
      ${moved.map(({ toStatus }) => toStatus)}::text[], ${moved.map(({ at }) => at)}::timestamptz[]) c (project_id, order_id, status, at)
    join ads_rules r on r.project_id = c.project_id and r.status = c.status and date_trunc('milliseconds', r.created_at) <= c.at
    join orders o on o.project_id = c.project_id and o.id = c.order_id and o.exchange_of is null
    order by r.project_id, r.connection_id, o.id, c.at on conflict do nothing`)

/** Inserts an event. Returns false if it exists. */
export async function insertEvent(sql: Queryable | Tx, event: Omit<AdsEventRow, 'attempts'>): Promise<boolean> {
  const { projectId, connectionId, orderId, pixelId, withValue, at } = event
  const rows = await sql`insert into ads_events (project_id, connection_id, order_id, event, pixel_id, with_value, at)
    values (${projectId}, ${connectionId}, ${orderId}, ${event.event}, ${pixelId}, ${withValue}, ${at}) on conflict do nothing returning 1`
  return rows.length > 0
}
