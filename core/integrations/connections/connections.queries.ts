import type { Meaning } from '../../../plugins/carrier/model.ts'
import { ownerProjectIdOf } from '../../data/project-ids.ts'
import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ConnectionRef } from './connections.model.ts'

/** Connection as it is stored. */
export interface ConnectionRow {
  readonly id: string
  readonly owner: 'store' | 'platform'
  /** Project of the connection; empty if it belongs to the platform. */
  readonly projectId: string
  /** Store of the connection; empty if it belongs to the platform. */
  readonly storeId: string
  readonly key: string
  readonly kind: string
  /** Distinguishes several connections to one adapter; empty if there is one. */
  readonly name: string
  readonly enabled: boolean
  /** Sealed JSON. */
  readonly credentials: string
  readonly settings: Record<string, unknown>
  readonly status: 'untested' | 'connected' | 'failed'
  readonly statusMessage: string | null
  /** Reason for which a user must act; the next two fields hold since when, and the operation that failed. */
  readonly attention: string | null
  readonly attentionSince: string | null
  readonly attentionOperation: string | null
  readonly lastSuccessAt: string | null
  readonly sync: SyncState | null
  /** Meanings of raw statuses, by folded status text, as the store configured them. */
  readonly statusRules: Readonly<Record<string, Meaning>> | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Progress of the last synchronisation of parcels. */
export interface SyncState {
  readonly status: 'queued' | 'running' | 'done' | 'failed'
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly parcels: number
  readonly changed: number
  readonly message: string | null
}

const anyConnection = (sql: Queryable) => sql`i.*, case i.project_id when '' then '' else 'sto_' || substr(i.project_id, 5) end as store_id,
  (select jsonb_object_agg(r.folded, jsonb_strip_nulls(jsonb_build_object('status', r.status, 'cash', r.cash, 'flag', r.flag))) from status_rules r where r.project_id = i.project_id and r.connection_id = i.id) as status_rules
  from integrations i left join stores s on s.project_id = i.project_id where i.deleted_at is null`

/** Selects connections of existing stores and of the platform. */
const connection = (sql: Queryable) => sql`${anyConnection(sql)} and s.deleted_at is null`

/** Id of the store that owns a connection; null for the platform. */
export type ConnectionOwnerId = string | null
const ownedBy = (sql: Queryable, storeId: ConnectionOwnerId) => sql`i.project_id = ${ownerProjectIdOf(storeId)}`

/** Finds a connection by its id alone, for jobs and addresses, which name nothing else. */
export const findConnectionById = async (sql: Queryable, id: string) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} and i.id = ${id}`)[0]

/** Finds a connection; undefined if it or its store was deleted. */
export const findConnection = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} and i.project_id = ${projectId} and i.id = ${id}`)[0]

/** Finds the project of a connection that is named by its id alone. Finds deleted ones too. */
export const findConnectionRef = async (sql: Queryable, id: string) =>
  (await sql<ConnectionRef[]>`select project_id, id from integrations where id = ${id}`)[0]

/** Finds a connection of a deleted store. */
export const findOrphanedConnection = async (sql: Queryable, id: string) =>
  (await sql<ConnectionRow[]>`select ${anyConnection(sql)} and s.deleted_at is not null and i.id = ${id}`)[0]

/** Lists connections of stores that were deleted at least `hours` ago, by id, after the given id. */
export const listOrphanedConnections = (sql: Queryable, hours: number, after: string, limit: number) =>
  sql<
    ConnectionRow[]
  >`select ${anyConnection(sql)} and s.deleted_at < now() - ${hours} * interval '1 hour' and i.id > ${after} order by i.id limit ${limit}`

/** Locks the row until the transaction ends. Parcels cannot be submitted with the connection meanwhile. */
export const lockConnection = (sql: Tx, { projectId, id }: ConnectionRef) =>
  sql`select 1 from integrations where project_id = ${projectId} and id = ${id} for update`

/** Locks a connection and returns it as it then is; undefined if it was deleted. */
export async function lockAndFindConnection(sql: Tx, ref: ConnectionRef): Promise<ConnectionRow | undefined> {
  await lockConnection(sql, ref)
  return findConnection(sql, ref)
}

/** Finds the connection of a store to an adapter; the oldest if there are several. */
export const findConnectionByKey = async (sql: Queryable, storeId: string, key: string) =>
  (await listConnectionsByKey(sql, storeId, key, 1))[0]

/** Lists the connections of an owner to an adapter, oldest first. */
export const listConnectionsByKey = (sql: Queryable, storeId: ConnectionOwnerId, key: string, limit: number) =>
  sql<ConnectionRow[]>`select ${connection(sql)} and ${ownedBy(sql, storeId)} and i.key = ${key} order by i.id limit ${limit}`

/** Finds the connection of an owner to an adapter by its name. */
export const findConnectionByName = async (sql: Queryable, storeId: ConnectionOwnerId, key: string, name: string) =>
  (await sql<ConnectionRow[]>`select ${connection(sql)} and ${ownedBy(sql, storeId)} and i.key = ${key} and i.name = ${name}`)[0]

/** Lists the connections of an owner, newest first, before the given id. */
export const listConnections = (sql: Queryable, storeId: ConnectionOwnerId, before: string | null, limit: number) =>
  sql<
    ConnectionRow[]
  >`select ${connection(sql)} and ${ownedBy(sql, storeId)} and (${before}::text is null or i.id < ${before}) order by i.id desc limit ${limit}`

/** Lists the connections of a project of some kinds, those in use first, also those that were removed. */
export const listConnectionsOfKinds = <K extends string>(sql: Queryable, projectId: string, kinds: readonly K[], limit: number) =>
  sql<(Pick<ConnectionRow, 'id' | 'key' | 'name' | 'enabled'> & { readonly kind: K; readonly isRemoved: boolean })[]>`
    select id, kind, key, name, enabled, deleted_at is not null as is_removed from integrations
    where project_id = ${projectId} and kind = any (${[...kinds] as string[]}) order by deleted_at is not null, id limit ${limit}`

/** Inserts a connection, unless the owner already has one to this adapter with this name. */
export const insertConnection = (
  sql: Queryable,
  connection: {
    projectId: string
    id: string
    owner: ConnectionRow['owner']
    key: string
    kind: string
    name: string
    enabled: boolean
    credentials: string
    settings: object
  },
) =>
  sql`insert into integrations ${rowValues(sql, connection, ['settings'])} on conflict (project_id, key, name) where deleted_at is null do nothing`

/** Updates the given columns of a connection. */
export const updateConnection = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  change: {
    name?: string
    enabled?: boolean
    credentials?: string
    settings?: object
    status?: ConnectionRow['status']
    statusMessage?: string | null
    sync?: SyncState
  },
) => sql`update integrations set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['settings', 'sync'])}
  where project_id = ${projectId} and id = ${id}`

/** Merges settings into those of a connection. */
export const mergeConnectionSettings = (sql: Queryable, { projectId, id }: ConnectionRef, settings: Readonly<Record<string, string>>) =>
  sql`update integrations set settings = settings || ${sql.json(settings)}, updated_at = now()
    where project_id = ${projectId} and id = ${id}`

/** Marks a connection as deleted and clears its credentials. */
export const markConnectionDeleted = async (sql: Queryable, { projectId, id }: ConnectionRef) => {
  await sql`update integrations set deleted_at = now(), enabled = false, credentials = '' where project_id = ${projectId} and id = ${id}`
}
