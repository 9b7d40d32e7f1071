import { json, type Queryable } from '../../../data/sql.ts'
import { type EndpointRef, endpointList, type StoredSecret } from '../endpoints.queries.ts'
import type { DeliveryAttempt } from '../webhooks.model.ts'
import { hasPending, pendingRange, withoutPreparing } from './pending.queries.ts'
import { LEASE_MS, ORDER_WAIT_MS } from './schedule.ts'

/** Delivery that a process has claimed. */
export interface ClaimedDelivery {
  readonly projectId: string
  readonly endpointId: string
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly body: string
  readonly orderKey: string | null
  readonly attemptCount: number
  /** Delivery that this one repeats. */
  readonly redeliveryOf: string | null
  readonly url: string
  readonly secrets: readonly StoredSecret[]
  readonly maxPerSecond: number | null
  readonly failingSince: string | null
  /** Number of the process that claimed it. */
  readonly holder: number
}

/** Deliveries of a project that may be claimed: in total, and per endpoint that is not listed. */
export interface ProjectShare {
  readonly places: number
  readonly others: number
}

/** Deliveries that may be claimed: in total, per endpoint, and `others` for each endpoint that is not listed. */
export interface ClaimLimits {
  readonly total: number
  readonly others: number
  readonly byEndpoint: ReadonlyMap<string, number>
  /** Limits per project; `others` for each project that is not listed. Without them, projects have no limit. */
  readonly projects?: { readonly byId: ReadonlyMap<string, ProjectShare>; readonly others: number }
}

// Passes the whole key of a known delivery and tests `completed_at`. The planner has no statistics of new rows and would otherwise scan the
// endpoint's whole queue for each of them.

/**
 * Claims due deliveries under a lease, up to the room of each endpoint and the share of each project. The lease ends with its time or its
 * process. Endpoints are found by skipping through the index of pending deliveries, so one long queue does not slow the others. Projects
 * with the fewest claimed deliveries come first. An ordered delivery waits while another one of its key is under way, and for recent
 * earlier ones. Cancelled deliveries are neither sent nor waited for.
 */
const CLAIM = `
  with recursive waiting (endpoint_id) as (
    (select endpoint_id from webhook_deliveries where status = 'pending' and id >= $6 and id < $7 order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d where d.status = 'pending' and d.id >= $6 and d.id < $7 and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
    from waiting w where w.endpoint_id is not null
  ), room (endpoint_id, places) as (
    select * from unnest($1::text[], $2::integer[])
  ), share (project_id, places, others) as (
    select * from unnest($8::text[], $9::integer[], $10::integer[])
  ), living (numbers) as materialized (
    select array(select number from processes)
  ), lanes as materialized (
    select p.project_id, p.id, p.url, p.secrets, p.failing_since, p.max_per_second, p.cancelled_to,
      coalesce(room.places, share.others, $3::integer) as places, coalesce(share.places, $11::integer) as of_project
    from waiting w join webhook_endpoints p on p.id = w.endpoint_id and p.enabled
      left join room on room.endpoint_id = p.id left join share on share.project_id = p.project_id
  ), sharing as materialized (
    select project_id, of_project, array_agg(id) as ids, array_agg(places) as places, array_agg(cancelled_to) as cancelled_to
    from (select * from lanes where places > 0 and of_project > 0 order by random()) l group by project_id, of_project
  ), due as materialized (
    select s.project_id, d.endpoint_id, d.id from (select * from sharing order by of_project desc, random()) s cross join lateral (
      select l.id as endpoint_id, d.id from unnest(s.ids, s.places, s.cancelled_to) as l (id, places, cancelled_to) cross join lateral (
        select d.id from webhook_deliveries d
        where d.project_id = s.project_id and d.endpoint_id = l.id and d.status = 'pending' and d.id >= $6 and d.id < $7 and d.next_attempt_at <= now()
          and d.position > l.cancelled_to and (d.locked_until is null or d.locked_until < now() or d.locked_by <> all ((select numbers from living)::bigint[]))
          and (d.order_key is null or not exists (
            select 1 from webhook_deliveries b where b.project_id = d.project_id and b.endpoint_id = d.endpoint_id and b.order_key = d.order_key and b.status = 'pending' and b.id >= $6 and b.id < $7 and b.position <> d.position
              and ((b.locked_until > now() and b.locked_by = any ((select numbers from living)::bigint[]))
                or (b.position < d.position and b.position > l.cancelled_to and b.created_at > now() - interval '${ORDER_WAIT_MS} milliseconds'))))
        order by d.next_attempt_at, d.position limit l.places for update of d skip locked
      ) d limit s.of_project
    ) d limit $4::integer
  ), taken as (
    update webhook_deliveries d set locked_until = now() + interval '${LEASE_MS} milliseconds', locked_by = $5
    from due where d.project_id = due.project_id and d.endpoint_id = due.endpoint_id and d.id = due.id and d.id >= $6 and d.id < $7 and d.completed_at is null
    returning d.project_id, d.endpoint_id, d.id, d.event_id, d.event_type, d.order_key, d.attempt_count, d.redelivery_of, d.position
  )
  select $5::bigint as holder, t.project_id, t.endpoint_id, t.id, t.event_id, t.event_type, t.order_key, t.attempt_count, t.redelivery_of, e.body, l.url, l.secrets, l.failing_since, l.max_per_second
  from taken t cross join lateral (select e.body from events e where e.project_id = t.project_id and e.id = t.event_id limit 1) e join lanes l on l.project_id = t.project_id and l.id = t.endpoint_id order by t.position`

/** Claims due deliveries for a process. Returns them in queue order. */
export const claimDue = async (sql: Queryable, { total, others, byEndpoint, projects }: ClaimLimits, holder: number) => {
  const range = await pendingRange(sql)
  if (!(await hasPending(sql, range))) return []
  const shares = [...(projects?.byId ?? [])]
  const ofProjects = [
    shares.map(([id]) => id),
    shares.map(([, { places }]) => String(places)),
    shares.map(([, share]) => String(share.others)),
    projects?.others ?? total,
  ]
  const values = [
    [...byEndpoint.keys()],
    [...byEndpoint.values()].map(String),
    others,
    total,
    holder,
    range.from,
    range.before,
    ...ofProjects,
  ]
  return sql.unsafe<ClaimedDelivery[]>(CLAIM, values, withoutPreparing)
}

/** Outcome of an attempt to write. */
export interface DeliveryOutcome {
  readonly projectId: string
  readonly endpointId: string
  readonly id: string
  /** Attempts before this one. If it or `holder` has changed, another process took over, and only a success is written. */
  readonly attemptCount: number
  readonly holder: number
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly delayMs: number
  readonly attempt: DeliveryAttempt
}

const WRITE = `
  update webhook_deliveries d set
    status = case when o.status = 'pending' and (p.enabled is not true or d.position <= p.cancelled_to) then 'cancelled' else o.status end,
    completed_at = case when o.status <> 'pending' or p.enabled is not true or d.position <= p.cancelled_to then now() end,
    next_attempt_at = case when o.status = 'pending' then now() + o."delayMs" * interval '1 millisecond' else d.next_attempt_at end,
    attempt_count = d.attempt_count + 1, attempts = d.attempts || o.attempt, locked_until = null
  from jsonb_to_recordset($1::jsonb) as o ("projectId" text, "endpointId" text, id text, "attemptCount" integer, holder bigint, status text, "delayMs" float8, attempt jsonb)
    left join webhook_endpoints p on p.project_id = o."projectId" and p.id = o."endpointId"
  where d.project_id = o."projectId" and d.endpoint_id = o."endpointId" and d.id = o.id and d.id between $2 and $3 and d.completed_at is null and (o.status = 'delivered' or (d.attempt_count = o."attemptCount" and d.locked_by = o.holder))`

/** Writes outcomes. Bounds the ids, so that only their partitions are opened. */
export const writeOutcomes = (sql: Queryable, outcomes: readonly DeliveryOutcome[]) => {
  const ids = outcomes.map(({ id }) => id).sort()
  return sql.unsafe(WRITE, [json(sql, outcomes), ids[0] ?? '', ids.at(-1) ?? ''], withoutPreparing)
}

const END_REPEATED = `
  with recursive repeated (project_id, endpoint_id, id) as (
    select d.project_id, d.endpoint_id, d.redelivery_of from unnest($1::text[], $2::text[], $3::text[]) as o (project_id, endpoint_id, id)
      join webhook_deliveries d on d.project_id = o.project_id and d.endpoint_id = o.endpoint_id and d.id = o.id
    union
    select d.project_id, d.endpoint_id, d.redelivery_of from repeated r
      join webhook_deliveries d on d.project_id = r.project_id and d.endpoint_id = r.endpoint_id and d.id = r.id
    where d.redelivery_of is not null
  )
  update webhook_deliveries d set status = 'cancelled', completed_at = now(), locked_until = null
  from repeated r where d.project_id = r.project_id and d.endpoint_id = r.endpoint_id and d.id = r.id and d.completed_at is null`

/** Cancels the earlier deliveries of an event that a redelivery has delivered. */
export const cancelRepeated = (sql: Queryable, repeating: readonly Pick<ClaimedDelivery, 'projectId' | 'endpointId' | 'id'>[]) =>
  sql.unsafe(
    END_REPEATED,
    [repeating.map((one) => one.projectId), repeating.map((one) => one.endpointId), repeating.map((one) => one.id)],
    withoutPreparing,
  )

/** Releases the leases of claimed deliveries that were not sent. */
export const releaseLeases = (
  sql: Queryable,
  claimed: readonly Pick<ClaimedDelivery, 'projectId' | 'endpointId' | 'id' | 'holder'>[],
) => sql`
  update webhook_deliveries d set locked_until = null
  from unnest(${claimed.map((one) => one.projectId)}::text[], ${claimed.map((one) => one.endpointId)}::text[], ${claimed.map((one) => one.id)}::text[],
    ${claimed.map((one) => one.holder)}::bigint[]) as c (project_id, endpoint_id, id, holder)
  where d.project_id = c.project_id and d.endpoint_id = c.endpoint_id and d.id = c.id and d.completed_at is null and d.locked_by = c.holder`

/** Endpoint that is failing. */
export interface FailingEndpoint extends EndpointRef {
  readonly url: string
  readonly failingMs: number
  readonly toldPercent: number
}

/** Clears the failure of endpoints. */
export const markRecovered = (sql: Queryable, endpoints: readonly EndpointRef[]) =>
  sql`update webhook_endpoints p set failing_since = null, last_failed_at = null, told_percent = 0
    from ${endpointList(sql, endpoints)} r (project_id, id) where p.project_id = r.project_id and p.id = r.id and p.failing_since is not null`

/** Marks endpoints as failing. Locks them in one order to avoid deadlocks. */
export const markFailing = (sql: Queryable, endpoints: readonly EndpointRef[]) => sql<FailingEndpoint[]>`
  with failing as (select p.project_id, p.id from webhook_endpoints p
    join ${endpointList(sql, endpoints)} r (project_id, id) on p.project_id = r.project_id and p.id = r.id order by p.id for update of p)
  update webhook_endpoints p set last_failed_at = now(), failing_since = coalesce(p.failing_since, now())
  from failing f where p.project_id = f.project_id and p.id = f.id
  returning p.id, p.project_id, p.url, p.told_percent, (extract(epoch from now() - p.failing_since) * 1000)::float8 as failing_ms`

/** Disables endpoints that are enabled. Returns those it disabled. */
export const disableEndpoints = async (sql: Queryable, endpoints: readonly EndpointRef[], reason: 'gone' | 'failing') =>
  sql<FailingEndpoint[]>`update webhook_endpoints p set enabled = false, disabled_reason = ${reason}, told_percent = 100, updated_at = now()
    from ${endpointList(sql, endpoints)} r (project_id, id) where p.project_id = r.project_id and p.id = r.id and p.enabled
    returning p.id, p.project_id, p.url, p.told_percent, 0::float8 as failing_ms`

/** Records the last percentage that the owner was notified of. */
export const setNoticePercent = (sql: Queryable, { projectId, id }: EndpointRef, percent: number) =>
  sql`update webhook_endpoints set told_percent = ${percent} where project_id = ${projectId} and id = ${id}`
