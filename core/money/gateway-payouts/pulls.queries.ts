import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'

/** Row of `payout_pulls`: state of pulling one connection's payouts. `turn` is the number of the current pull. */
export interface PullRow {
  readonly connectionId: string
  readonly storeId: string
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

/** Inserts pull rows for enabled connections of these gateways that have none, of all stores or of one. */
export const insertMissingPulls = (sql: Queryable, gateways: readonly string[], storeId: string | null = null) => sql`
  insert into payout_pulls (connection_id, store_id)
  select i.id, s.id from integrations i join stores s on s.project_id = i.project_id
  where i.kind = 'payment' and i.key = any (${gateways as string[]}::text[]) and i.enabled and i.deleted_at is null and s.deleted_at is null
    and (${storeId}::text is null or s.id = ${storeId}) and not exists (select 1 from payout_pulls p where p.connection_id = i.id)
  on conflict do nothing`

/** Claims due pulls by moving their due time, so that a pull whose worker dies becomes due again. */
export const claimDuePulls = (sql: Queryable, most: number, putOffSeconds: number) =>
  sql<{ connectionId: string; projectId: string }[]>`
    with due as (select connection_id from payout_pulls where due_at <= now() order by due_at limit ${most} for update skip locked),
    put as (update payout_pulls p set due_at = now() + ${putOffSeconds} * interval '1 second' from due d
      where p.connection_id = d.connection_id returning p.connection_id, p.store_id)
    select p.connection_id, s.project_id from put p join stores s on s.id = p.store_id where s.deleted_at is null`

/** Finds the pull row of a connection. */
export const findPull = async (sql: Queryable, connectionId: string) =>
  (await sql<PullRow[]>`select * from payout_pulls where connection_id = ${connectionId}`)[0]

/** Locks the pull row of a connection until the transaction ends. */
export const lockPull = async (tx: Tx, connectionId: string) =>
  (await tx<PullRow[]>`select * from payout_pulls where connection_id = ${connectionId} for update`)[0]

/** Updates columns of a connection's pull row. */
export const updatePull = (sql: Queryable, connectionId: string, change: Partial<Omit<PullRow, 'connectionId' | 'storeId'>>) =>
  sql`update payout_pulls set ${rowValues(sql, change)} where connection_id = ${connectionId}`

/** Updates a pull row unless a newer pull has started since. */
export const updateCurrentPull = (
  sql: Queryable,
  { connectionId, turn }: PullRow,
  change: Partial<Omit<PullRow, 'connectionId' | 'storeId'>>,
) => sql`update payout_pulls set ${rowValues(sql, change)} where connection_id = ${connectionId} and turn = ${turn}`

/** Deletes the pull row of a connection. */
export const deletePull = (tx: Tx, connectionId: string) => tx`delete from payout_pulls where connection_id = ${connectionId}`

/** Lists pulls of a store with their gateways, in order of connection id, after the connection `after`. */
export const listPulls = (sql: Queryable, storeId: string, after: string | null, take: number) =>
  sql<(PullRow & { gateway: string })[]>`
    select p.*, i.key as gateway from payout_pulls p join integrations i on i.id = p.connection_id
    where p.store_id = ${storeId} and (${after}::text is null or p.connection_id > ${after}) order by p.connection_id limit ${take}`

/**
 * Returns the time from which to list payouts: `lookBackDays` days before the last pull, or a day before the first payment. Starts earlier
 * if an older payout is still in progress. Null without any payment.
 */
export const findPullStart = async (sql: Queryable, connectionId: string, lookBackDays: number) =>
  (
    await sql<{ since: string | null }[]>`
      select least(
        coalesce((select finished_at - ${lookBackDays} * interval '1 day' from payout_pulls where connection_id = ${connectionId}),
          (select min(paid_at) - interval '1 day' from payments where connection_id = ${connectionId} and paid_at is not null)),
        (select min(made_at) from gateway_payouts where connection_id = ${connectionId} and (not complete or status in ('pending', 'in_transit')))
      ) as since`
  )[0]?.since ?? null
