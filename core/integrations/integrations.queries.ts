import type { Meaning } from '../../plugins/carrier/model.ts'
import type { Queryable } from '../data/sql.ts'

export interface AccountRow {
  readonly id: string
  readonly storeId: string
  readonly projectId: string
  readonly key: string
  readonly kind: string
  readonly enabled: boolean
  /** Sealed JSON. */
  readonly credentials: string
  readonly settings: Record<string, unknown>
  readonly status: 'untested' | 'connected' | 'failed'
  readonly statusMessage: string | null
  readonly sync: SyncState | null
  /** What raw statuses mean for this connection, by their folded words, as a person said. */
  readonly statusRules: Readonly<Record<string, Meaning>> | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface SyncState {
  readonly status: 'queued' | 'running' | 'done' | 'failed'
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly parcels: number
  readonly changed: number
  readonly message: string | null
}

const account = (sql: Queryable) => sql`i.*, s.project_id,
  (select jsonb_object_agg(r.folded, jsonb_strip_nulls(jsonb_build_object('status', r.status, 'cash', r.cash, 'flag', r.flag))) from status_rules r where r.connection_id = i.id) as status_rules
  from integrations i join stores s on s.id = i.store_id and s.deleted_at is null`

export const findAccount = async (sql: Queryable, id: string) =>
  (await sql<AccountRow[]>`select ${account(sql)} where i.id = ${id} and i.deleted_at is null`)[0]

export const findAccountByKey = async (sql: Queryable, storeId: string, key: string) =>
  (await sql<AccountRow[]>`select ${account(sql)} where i.store_id = ${storeId} and i.key = ${key} and i.deleted_at is null`)[0]

export const listAccounts = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<
    AccountRow[]
  >`select ${account(sql)} where i.store_id = ${storeId} and i.deleted_at is null and (${before}::text is null or i.id < ${before}) order by i.id desc limit ${take}`

export const insertAccount = (
  sql: Queryable,
  row: { id: string; storeId: string; key: string; kind: string; enabled: boolean; credentials: string; settings: object },
) =>
  sql`insert into integrations ${sql({ ...row, settings: sql.json(row.settings as never) } as never)} on conflict (store_id, key) where deleted_at is null do nothing`

export const updateAccount = (
  sql: Queryable,
  id: string,
  change: {
    enabled?: boolean
    credentials?: string
    settings?: object
    status?: AccountRow['status']
    statusMessage?: string | null
    sync?: SyncState
  },
) =>
  sql`update integrations set ${sql({
    ...change,
    ...(change.settings && { settings: sql.json(change.settings as never) }),
    ...(change.sync && { sync: sql.json(change.sync as never) }),
    updatedAt: new Date(),
  } as never)} where id = ${id}`

export const markAccountDeleted = async (sql: Queryable, id: string) => {
  await sql`update integrations set deleted_at = now(), enabled = false, credentials = '' where id = ${id}`
}

/** Handed over, or about to be, and not at their end. */
export const openParcelsOf = async (sql: Queryable, accountId: string) =>
  (
    await sql<
      { count: number }[]
    >`select count(*)::int as count from parcels where carrier_account_id = ${accountId} and status not in ('created', 'delivered', 'returned', 'cancelled', 'lost')`
  )[0]!.count

/** Whether any parcel of it is being handed over now. */
export const isSending = async (sql: Queryable, accountId: string) =>
  (await sql`select 1 from parcels where carrier_account_id = ${accountId} and status = 'submitting' limit 1`).length > 0

export const memoryGet = async (sql: Queryable, connectionId: string, key: string) =>
  (await sql<{ value: unknown }[]>`select value from adapter_memory where connection_id = ${connectionId} and key = ${key}`)[0]?.value

export const memorySet = (sql: Queryable, connectionId: string, key: string, value: unknown) =>
  sql`insert into adapter_memory (connection_id, key, value) values (${connectionId}, ${key}, ${sql.json(value as never)})
    on conflict (connection_id, key) do update set value = excluded.value`

export const memoryAdd = async (sql: Queryable, connectionId: string, key: string, value: unknown) =>
  (
    await sql`insert into adapter_memory (connection_id, key, value) values (${connectionId}, ${key}, ${sql.json(value as never)}) on conflict do nothing`
  ).count > 0

export const memoryDelete = (sql: Queryable, connectionId: string, key: string) =>
  sql`delete from adapter_memory where connection_id = ${connectionId} and key = ${key}`

export const memoryList = (sql: Queryable, connectionId: string, prefix: string, after: string, limit: number) =>
  sql<
    { key: string; value: unknown }[]
  >`select key, value from adapter_memory where connection_id = ${connectionId} and starts_with(key, ${prefix}) and key > ${after} order by key limit ${limit}`

/** Parcels of an account, counted by status. */
export const countParcels = (sql: Queryable, accountId: string) =>
  sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from parcels where carrier_account_id = ${accountId} group by status`

/**
 * What became of this phone's parcels: numbers, and nothing that tells whose they are. Of other stores only what ended is counted, so that
 * nobody sees what another has under way.
 */
export const countOutcomes = async (sql: Queryable, projectId: string, phone: string) =>
  (
    await sql<{ parcels: number; delivered: number; returned: number }[]>`
    select count(*)::int as parcels, count(*) filter (where status = 'delivered')::int as delivered, count(*) filter (where status in ('returning', 'returned'))::int as returned
    from parcels where recipient->>'phone' = ${phone} and status not in ('created', 'cancelled') and (status in ('delivered', 'returned') or project_id = ${projectId})`
  )[0]!

/** Parcels that the carrier may have news of, oldest word first. */
export const listOpenParcels = (sql: Queryable, accountId: string, after: string, take: number) =>
  sql<
    { id: string; trackingId: string }[]
  >`select id, tracking_id from parcels where carrier_account_id = ${accountId} and tracking_id is not null
    and status not in ('returned', 'cancelled', 'lost', 'created') and id > ${after} order by id limit ${take}`
