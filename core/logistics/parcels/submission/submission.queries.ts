import { json, type Queryable, type Tx } from '../../../data/sql.ts'
import type { Actor } from '../../../data/tenant-context.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'
import type { ParcelRow } from '../parcels.queries.ts'

/** Queues parcels for submission, and clears the errors and notices of the last one. Skips parcels without a carrier. */
export const enqueueSubmissions = (sql: Queryable, projectId: string, ids: readonly string[], by: Actor | null) =>
  sql`update parcels set sent_by = ${by && json(sql, by)}::jsonb, submit_at = now(), submit_attempts = 0, last_error = null, told = null
    where project_id = ${projectId} and id = any (${ids as string[]}) and status = 'created' and carrier_account_id is not null`

/** Connection with due submissions. */
export interface DueConnection {
  readonly connectionId: string
  readonly projectId: string
}

/**
 * Lists connections with due submissions, longest waiting first. Skips through the index of queued parcels, so that a long queue of one
 * connection does not slow down the others.
 */
export const listDueConnections = (
  sql: Queryable,
  {
    excludedConnections,
    excludedProjects,
    take,
  }: { excludedConnections: readonly string[]; excludedProjects: readonly string[]; take: number },
) =>
  sql<DueConnection[]>`
    with recursive lanes (connection_id) as (
      (select carrier_account_id from parcels where submit_at is not null and carrier_account_id is not null order by carrier_account_id limit 1)
      union all
      select (select p.carrier_account_id from parcels p where p.submit_at is not null and p.carrier_account_id > l.connection_id
        order by p.carrier_account_id limit 1)
      from lanes l where l.connection_id is not null
    )
    select l.connection_id, d.project_id from lanes l cross join lateral (
      select p.project_id, p.submit_at from parcels p where p.carrier_account_id = l.connection_id and p.submit_at <= now() order by p.submit_at limit 1
    ) d
    where l.connection_id <> all (${excludedConnections as string[]}) and d.project_id <> all (${excludedProjects as string[]}) order by d.submit_at limit ${take}`

/** Due parcels of a connection. Their queue is an index that begins with the connection, so that it can be skipped through. */
const dueRows = (sql: Queryable, { id }: ConnectionRef, take: number, where = sql``) => sql`
  select p.project_id, p.id, p.status, p.submit_at from parcels p
  where p.carrier_account_id = ${id} and p.submit_at <= now() ${where}
  order by p.submit_at limit ${take} for update of p skip locked`

/** Claimed parcel as stored. */
export type ClaimedRow = ParcelRow & {
  /** True when an earlier claim did not finish. */
  readonly begun: boolean
}

/**
 * Claims due parcels under a lease, and stores the process and the start of their submission. Claims nothing when the connection or its
 * store is deleted or disabled.
 */
export const claimDueSubmissions = (
  sql: Queryable,
  connection: ConnectionRef,
  take: number,
  { leaseMs, by }: { leaseMs: number; by: number },
) => sql<ClaimedRow[]>`
  with account as materialized (
    select 1 from integrations i join stores s on s.project_id = i.project_id and s.deleted_at is null
    where i.project_id = ${connection.projectId} and i.id = ${connection.id} and i.deleted_at is null and i.enabled for key share of i, s
  ), due as materialized (${dueRows(sql, connection, take, sql`and exists (select from account)`)})
  update parcels p set status = 'submitting', submit_at = now() + ${leaseMs} * interval '1 millisecond', submitting_by = ${by}, updated_at = now(),
    submitting_since = case when d.status = 'created' then date_trunc('milliseconds', now()) else p.submitting_since end,
    submit_attempts = p.submit_attempts + case when d.status = 'created' then 1 else 0 end,
    last_error = case when d.status <> 'created' then p.last_error end
  from due d where p.project_id = d.project_id and p.id = d.id
  returning p.*, d.status <> 'created' as begun`

/** Renews the lease of those parcels that still belong to the given claims, and returns them. */
export const renewClaims = (
  sql: Queryable,
  projectId: string,
  claimed: readonly Pick<ParcelRow, 'id' | 'submittingSince' | 'submittingBy'>[],
  leaseMs: number,
) =>
  sql<{ id: string; submittingSince: string }[]>`
    update parcels p set submit_at = now() + ${leaseMs} * interval '1 millisecond', submitting_since = date_trunc('milliseconds', now())
    from unnest(${claimed.map(({ id }) => id)}::text[], ${claimed.map(({ submittingSince }) => submittingSince)}::timestamptz[],
      ${claimed.map(({ submittingBy }) => submittingBy)}::bigint[]) as c (id, since, by)
    where p.project_id = ${projectId} and p.id = c.id and p.status = 'submitting' and p.submitting_since = c.since and p.submitting_by = c.by returning p.id, p.submitting_since`

/** Locks and returns due parcels. */
export const lockDueSubmissions = (sql: Tx, connection: ConnectionRef, take: number) =>
  sql<ParcelRow[]>`select p.* from parcels p join (${dueRows(sql, connection, take)}) d on p.project_id = d.project_id and p.id = d.id`

/** Rate at which postponed parcels become due. */
export interface PostponementPace {
  readonly waitMs: number
  /** Number of parcels that become due in each interval of `everyMs`, after `waitMs`. */
  readonly at: number
  readonly everyMs: number
}

/** Postpones due parcels by their position in the queue, and notes the reason in parcels that no carrier has. */
export const postponeDueSubmissions = (
  sql: Queryable,
  connection: ConnectionRef,
  take: number,
  { waitMs, at, everyMs }: PostponementPace,
) => sql<{ id: string }[]>`
  with due as (${dueRows(sql, connection, take)}), later as (
    select project_id, id, ${waitMs} + floor((row_number() over (order by submit_at, id) - 1) / ${at}::float8) * ${everyMs}::float8 as ms from due
  )
  update parcels p set submit_at = now() + l.ms * interval '1 millisecond',
    last_error = case when p.status = 'created' then jsonb_build_object('code', 'rate_limited', 'message',
      format('The carrier takes no more calls of this account for now; it is sent by itself in about %s s.', ceil(l.ms / 1000))) else p.last_error end
  from later l where p.project_id = l.project_id and p.id = l.id
  returning p.id`

/** Expires the leases of processes that have died, so that their parcels are resumed immediately. */
export const expireLeasesOfDeadProcesses = async (sql: Queryable) => {
  await sql`
  update parcels set submit_at = now()
  where submitting_by is not null and submitting_by <> all (array(select number from processes)) and status = 'submitting'
    and submit_at > now() and not outcome_unknown`
}
