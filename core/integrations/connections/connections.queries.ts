import type { Meaning } from '../../../plugins/carrier/model.ts'
import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'

export interface ConnectionRow {
  readonly id: string
  readonly owner: 'store' | 'platform'
  /** Of the store and its project; empty where it is the platform's own. */
  readonly storeId: string
  readonly projectId: string
  readonly key: string
  readonly kind: string
  /** Tells several to one adapter apart; empty where there is one. */
  readonly name: string
  readonly enabled: boolean
  /** Sealed JSON. */
  readonly credentials: string
  readonly settings: Record<string, unknown>
  readonly status: 'untested' | 'connected' | 'failed'
  readonly statusMessage: string | null
  /** Why a person has to see to it, since when, and what could not be done. */
  readonly attention: string | null
  readonly attentionSince: string | null
  readonly attentionOperation: string | null
  readonly lastSuccessAt: string | null
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

const anyConnection = (sql: Queryable) => sql`i.*, coalesce(i.store_id, '') as store_id, coalesce(s.project_id, '') as project_id,
  (select jsonb_object_agg(r.folded, jsonb_strip_nulls(jsonb_build_object('status', r.status, 'cash', r.cash, 'flag', r.flag))) from status_rules r where r.connection_id = i.id) as status_rules
  from integrations i left join stores s on s.id = i.store_id where i.deleted_at is null`

/** Of stores that are there, and of the platform. */
const connection = (sql: Queryable) => sql`${anyConnection(sql)} and s.deleted_at is null`

/** Whose connections are meant: a store's, or with null the platform's own. */
export type OwnerId = string | null
const ownedBy = (sql: Queryable, storeId: OwnerId) => (storeId === null ? sql`i.store_id is null` : sql`i.store_id = ${storeId}`)

export const findConnection = async (sql: Queryable, id: string) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} and i.id = ${id}`)[0]

/** The same, of a store that is gone. */
export const findLeftBehind = async (sql: Queryable, id: string) =>
  (await sql<ConnectionRow[]>`select ${anyConnection(sql)} and s.deleted_at is not null and i.id = ${id}`)[0]

/** Those of stores that have been gone for so long, after this one. */
export const listLeftBehind = (sql: Queryable, hours: number, after: string, take: number) =>
  sql<
    ConnectionRow[]
  >`select ${anyConnection(sql)} and s.deleted_at < now() - ${hours} * interval '1 hour' and i.id > ${after} order by i.id limit ${take}`

/** Holds the connection's row until the transaction ends: no parcel is handed over with it meanwhile. */
export const lockConnection = (sql: Tx, id: string) => sql`select 1 from integrations where id = ${id} for update`

/** The same, as it is then; nothing where it is gone. */
export async function heldConnection(sql: Tx, id: string): Promise<ConnectionRow | undefined> {
  await lockConnection(sql, id)
  return findConnection(sql, id)
}

/** The connection to an adapter; the oldest where there are several. */
export const findConnectionByKey = async (sql: Queryable, storeId: string, key: string) => (await listByKey(sql, storeId, key, 1))[0]

/** All of them, the oldest first. */
export const listByKey = (sql: Queryable, storeId: OwnerId, key: string, take: number) =>
  sql<ConnectionRow[]>`select ${connection(sql)} and ${ownedBy(sql, storeId)} and i.key = ${key} order by i.id limit ${take}`

export const findConnectionByName = async (sql: Queryable, storeId: OwnerId, key: string, name: string) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} and ${ownedBy(sql, storeId)} and i.key = ${key} and i.name = ${name}`)[0]

export const listConnections = (sql: Queryable, storeId: OwnerId, before: string | null, take: number) =>
  sql<
    ConnectionRow[]
  >`select ${connection(sql)} and ${ownedBy(sql, storeId)} and (${before}::text is null or i.id < ${before}) order by i.id desc limit ${take}`

export const insertConnection = (
  sql: Queryable,
  connection: {
    id: string
    owner: ConnectionRow['owner']
    storeId: OwnerId
    key: string
    kind: string
    name: string
    enabled: boolean
    credentials: string
    settings: object
  },
) =>
  sql`insert into integrations ${rowValues(sql, connection, ['settings'])} on conflict (store_id, key, name) where deleted_at is null do nothing`

export const updateConnection = (
  sql: Queryable,
  id: string,
  change: {
    name?: string
    enabled?: boolean
    credentials?: string
    settings?: object
    status?: ConnectionRow['status']
    statusMessage?: string | null
    sync?: SyncState
  },
) => sql`update integrations set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['settings', 'sync'])} where id = ${id}`

export const mergeSettings = (sql: Queryable, id: string, settings: Readonly<Record<string, string>>) =>
  sql`update integrations set settings = settings || ${sql.json(settings)}, updated_at = now() where id = ${id}`

export const markConnectionDeleted = async (sql: Queryable, id: string) => {
  await sql`update integrations set deleted_at = now(), enabled = false, credentials = '' where id = ${id}`
}
