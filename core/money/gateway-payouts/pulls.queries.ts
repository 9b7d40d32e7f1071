import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'

/** Row of `payout_pulls`: state of pulling one connection's payouts. `turn` is the number of the current pull. */
export interface PullRow {
  readonly projectId: string
  readonly connectionId: string
  readonly status: 'listing' | 'reading' | 'done' | 'failed'
  readonly turn: number
  readonly since: string | null
  readonly cursor: string | null
  readonly pages: number
  readonly message: string | null
  readonly failures: number
  readonly beganAt: string | null
  readonly finishedAt: string | null
  readonly dueAt: string
}

/** Primary key of a pull. */
export type PullKey = Pick<PullRow, 'projectId' | 'connectionId'>

/** Inserts pull rows for enabled connections of these gateways that have none, of all stores or of one. */
export const insertMissingPulls = (sql: Queryable, gateways: readonly string[], projectId: string | null = null) => sql`
  insert into payout_pulls (project_id, connection_id)
  select s.project_id, i.id from integrations i join stores s on s.project_id = i.project_id
  where i.kind = 'payment' and i.key = any (${gateways as string[]}::text[]) and i.enabled and i.deleted_at is null and s.deleted_at is null
    and (${projectId}::text is null or i.project_id = ${projectId})
    and not exists (select 1 from payout_pulls p where p.project_id = i.project_id and p.connection_id = i.id)
  on conflict do nothing`

/** Claims due pulls by moving their due time, so that a pull whose worker dies becomes due again. */
export const claimDuePulls = (sql: Queryable, most: number, putOffSeconds: number) =>
  sql<PullKey[]>`
    with due as (select project_id, connection_id from payout_pulls where due_at <= now() order by due_at limit ${most} for update skip locked),
    put as (update payout_pulls p set due_at = now() + ${putOffSeconds} * interval '1 second' from due d
      where p.project_id = d.project_id and p.connection_id = d.connection_id returning p.project_id, p.connection_id)
    select p.project_id, p.connection_id from put p join stores s on s.project_id = p.project_id where s.deleted_at is null`

/** Finds the pull row of a connection. */
export const findPull = async (sql: Queryable, { projectId, connectionId }: PullKey) =>
  (await sql<PullRow[]>`select * from payout_pulls where project_id = ${projectId} and connection_id = ${connectionId}`)[0]

/** Finds the pull row of a connection without its project, for jobs, which name the connection alone. */
export const findPullOfConnection = async (sql: Queryable, connectionId: string) =>
  (await sql<PullRow[]>`select * from payout_pulls where connection_id = ${connectionId}`)[0]

/** Locks the pull row of a connection until the transaction ends. */
export const lockPull = async (tx: Tx, { projectId, connectionId }: PullKey) =>
  (await tx<PullRow[]>`select * from payout_pulls where project_id = ${projectId} and connection_id = ${connectionId} for update`)[0]

/** Updates columns of a connection's pull row. */
export const updatePull = (
  sql: Queryable,
  { projectId, connectionId }: PullKey,
  change: Partial<Omit<PullRow, 'projectId' | 'connectionId'>>,
) => sql`update payout_pulls set ${rowValues(sql, change)} where project_id = ${projectId} and connection_id = ${connectionId}`

/** Updates a pull row unless a newer pull has started since. */
export const updateCurrentPull = (
  sql: Queryable,
  { projectId, connectionId, turn }: PullRow,
  change: Partial<Omit<PullRow, 'projectId' | 'connectionId'>>,
) =>
  sql`update payout_pulls set ${rowValues(sql, change)} where project_id = ${projectId} and connection_id = ${connectionId} and turn = ${turn}`

/** Deletes the pull row of a connection. */
export const deletePull = (tx: Tx, { projectId, connectionId }: PullKey) =>
  tx`delete from payout_pulls where project_id = ${projectId} and connection_id = ${connectionId}`

/** Lists pulls of a store with their gateways, in order of connection id, after the connection `after`. */
export const listPulls = (sql: Queryable, projectId: string, after: string | null, take: number) =>
  sql<(PullRow & { gateway: string })[]>`
    select p.*, i.key as gateway from payout_pulls p join integrations i on i.project_id = p.project_id and i.id = p.connection_id
    where p.project_id = ${projectId} and (${after}::text is null or p.connection_id > ${after}) order by p.connection_id limit ${take}`

/**
 * Returns the time from which to list payouts: `lookBackDays` days before the last pull, or a day before the first payment. Starts earlier
 * if an older payout is still in progress. Null without any payment.
 */
export const findPullStart = async (sql: Queryable, { projectId, connectionId }: PullKey, lookBackDays: number) =>
  (
    await sql<{ since: string | null }[]>`
      select least(
        coalesce((select finished_at - ${lookBackDays} * interval '1 day' from payout_pulls where project_id = ${projectId} and connection_id = ${connectionId}),
          (select min(paid_at) - interval '1 day' from payments
            where project_id = ${projectId} and connection_id = ${connectionId} and paid_at is not null)),
        (select min(made_at) from gateway_payouts
          where project_id = ${projectId} and connection_id = ${connectionId} and (not complete or status in ('pending', 'in_transit')))
      ) as since`
  )[0]?.since ?? null
