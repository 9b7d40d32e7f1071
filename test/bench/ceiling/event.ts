import type { ISql } from 'postgres'
import { WAKE_CHANNEL } from '../../../core/platform/webhooks/emit.queries.ts'

export interface BareEvent {
  readonly projectId: string
  readonly storeId?: string
  readonly type: string
  readonly topic?: string
  readonly orderKey: string
  readonly audience: string
  readonly data: object
}

const WAKE_LOCK = 7_233_009

/** The statement of `core/platform/webhooks/emit.queries.ts`. */
export function recordEvents(sql: ISql, events: readonly BareEvent[]) {
  const now = new Date().toISOString()
  const rows = events.map((event) => ({ ...event, id: `evt_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}` }))
  const bodies = rows.map(({ id, type, projectId, data }) => JSON.stringify({ id, type, createdAt: now, projectId, data }))
  return sql`
  with given as (
    select * from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.projectId)}::text[], ${rows.map((row) => row.storeId ?? '')}::text[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.topic ?? row.type)}::text[], ${rows.map((row) => row.orderKey)}::text[], ${bodies}::text[],
      ${rows.map(() => now)}::timestamptz[], ${rows.map((row) => row.audience)}::text[])
      with ordinality as g (id, project_id, store_id, type, topic, order_key, body, created_at, audience, place)
  ), wanted as (
    select g.*, p.id as endpoint_id, p.ordered from given g join webhook_endpoints p on p.project_id = g.project_id and p.enabled
      and case when p.store_id is null then g.audience <> 'store' else g.audience <> 'project' and g.store_id in ('', p.store_id) end
      and (p.all_events or g.type = any (p.event_names) or g.topic like any (p.topics))
  ), stored as (
    insert into events (id, project_id, store_id, type, body, created_at)
    select distinct on (id) id, project_id, nullif(store_id, ''), type, body, created_at from wanted order by id
  ), made as (
    insert into webhook_deliveries (endpoint_id, id, project_id, event_id, event_type, order_key, created_at)
    select endpoint_id, 'dlv_' || substr(id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16), project_id, id, type,
      case when ordered then nullif(order_key, '') end, created_at
    from wanted order by place returning 1
  )
  select pg_notify(${WAKE_CHANNEL}, '') from (select 1 from made limit 1) any_made where pg_try_advisory_xact_lock(${WAKE_LOCK})`
}
