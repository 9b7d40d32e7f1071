import { json, type Queryable, type Tx } from '../../../data/sql.ts'
import type { Actor } from '../../../data/tenant-context.ts'
import type { ParcelRow } from '../parcels.queries.ts'

/** Asks for a sending: what went wrong before is forgotten, so that whoever waits sees only what comes of this one. Of what has no carrier by now, none. */
export const putInLine = (sql: Queryable, projectId: string, ids: readonly string[], by: Actor | null) =>
  sql`update parcels set sent_by = ${by && json(sql, by)}::jsonb, submit_at = now(), submit_attempts = 0, last_error = null, told = null
    where project_id = ${projectId} and id = any (${ids as string[]}) and status = 'created' and carrier_account_id is not null`

export interface DueConnection {
  readonly connectionId: string
  readonly projectId: string
}

/**
 * Accounts that have something to be taken up, who waited longest first. They are found by skipping through the index of what waits, so
 * that a long queue of one costs the others nothing.
 */
export const listDueConnections = (
  sql: Queryable,
  { but, butOf, take }: { but: readonly string[]; butOf: readonly string[]; take: number },
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
    where l.connection_id <> all (${but as string[]}) and d.project_id <> all (${butOf as string[]}) order by d.submit_at limit ${take}`

const due = (sql: Queryable, connectionId: string, take: number, where = sql``) => sql`
  select p.project_id, p.id, p.status, p.submit_at from parcels p
  where p.carrier_account_id = ${connectionId} and p.submit_at <= now() ${where}
  order by p.submit_at limit ${take} for update of p skip locked`

export type ClaimedRow = ParcelRow & {
  /** Whether somebody began with it before, and did not finish. */
  readonly begun: boolean
}

/**
 * Takes up what is due, under a lease, and marks when its sending began and who took it up. Nothing where the connection or its store is gone
 * or off.
 */
export const claimDue = (sql: Queryable, connectionId: string, take: number, { leaseMs, by }: { leaseMs: number; by: number }) => sql<
  ClaimedRow[]
>`
  with account as materialized (
    select 1 from integrations i join stores s on s.id = i.store_id and s.deleted_at is null
    where i.id = ${connectionId} and i.deleted_at is null and i.enabled for key share of i, s
  ), due as materialized (${due(sql, connectionId, take, sql`and exists (select from account)`)})
  update parcels p set status = 'submitting', submit_at = now() + ${leaseMs} * interval '1 millisecond', submitting_by = ${by}, updated_at = now(),
    submitting_since = case when d.status = 'created' then date_trunc('milliseconds', now()) else p.submitting_since end,
    submit_attempts = p.submit_attempts + case when d.status = 'created' then 1 else 0 end,
    last_error = case when d.status <> 'created' then p.last_error end
  from due d where p.project_id = d.project_id and p.id = d.id
  returning p.*, d.status <> 'created' as begun`

/** Of those that are still in the hands that claimed them. */
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

/** Holds what is due. */
export const lockDue = (sql: Tx, connectionId: string, take: number) =>
  sql<ParcelRow[]>`select p.* from parcels p join (${due(sql, connectionId, take)}) d on p.project_id = d.project_id and p.id = d.id`

export interface Pace {
  readonly waitMs: number
  /** So many may go in every `everyMs` after that. */
  readonly at: number
  readonly everyMs: number
}

/** Puts off what is due until its turn comes, each by its place in the line, and says so on what no carrier has. */
export const putOff = (sql: Queryable, connectionId: string, take: number, { waitMs, at, everyMs }: Pace) => sql<{ id: string }[]>`
  with due as (${due(sql, connectionId, take)}), later as (
    select project_id, id, ${waitMs} + floor((row_number() over (order by submit_at, id) - 1) / ${at}::float8) * ${everyMs}::float8 as ms from due
  )
  update parcels p set submit_at = now() + l.ms * interval '1 millisecond',
    last_error = case when p.status = 'created' then jsonb_build_object('code', 'rate_limited', 'message',
      format('The carrier takes no more calls of this account for now; it is sent by itself in about %s s.', ceil(l.ms / 1000))) else p.last_error end
  from later l where p.project_id = l.project_id and p.id = l.id
  returning p.id`

/** What those took up who live no more is taken up again at once. */
export const endLeasesOfDead = (sql: Queryable) => sql`
  update parcels set submit_at = now()
  where submitting_by is not null and submitting_by <> all (array(select number from processes)) and status = 'submitting'
    and submit_at > now() and not outcome_unknown`
