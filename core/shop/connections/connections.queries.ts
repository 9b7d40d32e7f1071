import type { Meaning } from '../../../plugins/carrier/model.ts'
import { json, type Queryable, row, type Tx } from '../../data/sql.ts'

export interface ConnectionRow {
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

const connection = (sql: Queryable) => sql`i.*, s.project_id,
  (select jsonb_object_agg(r.folded, jsonb_strip_nulls(jsonb_build_object('status', r.status, 'cash', r.cash, 'flag', r.flag))) from status_rules r where r.connection_id = i.id) as status_rules
  from integrations i join stores s on s.id = i.store_id and s.deleted_at is null`

export const findConnection = async (sql: Queryable, id: string) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} where i.id = ${id} and i.deleted_at is null`)[0]

/** Holds the connection's row until the transaction ends: no parcel is handed over with it meanwhile. */
export const lockConnection = (sql: Tx, id: string) => sql`select 1 from integrations where id = ${id} for update`

export const findConnectionByKey = async (sql: Queryable, storeId: string, key: string) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} where i.store_id = ${storeId} and i.key = ${key} and i.deleted_at is null`)[0]

export const listConnections = (sql: Queryable, storeId: string, before: string | null, take: number) =>
  sql<
    ConnectionRow[]
  >`select ${connection(sql)} where i.store_id = ${storeId} and i.deleted_at is null and (${before}::text is null or i.id < ${before}) order by i.id desc limit ${take}`

export const insertConnection = (
  sql: Queryable,
  connection: { id: string; storeId: string; key: string; kind: string; enabled: boolean; credentials: string; settings: object },
) => sql`insert into integrations ${row(sql, connection, ['settings'])} on conflict (store_id, key) where deleted_at is null do nothing`

export const updateConnection = (
  sql: Queryable,
  id: string,
  change: {
    enabled?: boolean
    credentials?: string
    settings?: object
    status?: ConnectionRow['status']
    statusMessage?: string | null
    sync?: SyncState
  },
) => sql`update integrations set ${row(sql, { ...change, updatedAt: new Date() }, ['settings', 'sync'])} where id = ${id}`

export const markConnectionDeleted = async (sql: Queryable, id: string) => {
  await sql`update integrations set deleted_at = now(), enabled = false, credentials = '' where id = ${id}`
}

export const memoryGet = async (sql: Queryable, connectionId: string, key: string) =>
  (await sql<{ value: unknown }[]>`select value from adapter_memory where connection_id = ${connectionId} and key = ${key}`)[0]?.value

export const memorySet = (sql: Queryable, connectionId: string, key: string, value: unknown) =>
  sql`insert into adapter_memory (connection_id, key, value) values (${connectionId}, ${key}, ${json(sql, value)})
    on conflict (connection_id, key) do update set value = excluded.value`

export const memoryAdd = async (sql: Queryable, connectionId: string, key: string, value: unknown) =>
  (
    await sql`insert into adapter_memory (connection_id, key, value) values (${connectionId}, ${key}, ${json(sql, value)}) on conflict do nothing`
  ).count > 0

export const memoryReplace = async (sql: Queryable, connectionId: string, key: string, expected: unknown, value: unknown) =>
  (
    await sql`update adapter_memory set value = ${json(sql, value)}
      where connection_id = ${connectionId} and key = ${key} and value = ${json(sql, expected)}::jsonb`
  ).count > 0

export const memoryDelete = (sql: Queryable, connectionId: string, key: string) =>
  sql`delete from adapter_memory where connection_id = ${connectionId} and key = ${key}`

export const memoryList = (sql: Queryable, connectionId: string, prefix: string, after: string, limit: number) =>
  sql<
    { key: string; value: unknown }[]
  >`select key, value from adapter_memory where connection_id = ${connectionId} and starts_with(key, ${prefix}) and key > ${after} order by key limit ${limit}`
