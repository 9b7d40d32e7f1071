import { expectOne, json, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { EndpointFamily } from './events.ts'
import type { WebhookEndpoint } from './webhooks.model.ts'

/** Owner of endpoints: a project, or the store that it backs. */
export interface EndpointOwner {
  readonly projectId: string
  readonly audience: EndpointFamily
}

/** Names an endpoint by its project and its id. */
export type EndpointRef = Pick<WebhookEndpoint, 'projectId' | 'id'>

/** Encrypted secret. `until` is the end of its validity; null for the current one. */
export interface StoredSecret {
  readonly sealed: string
  readonly until: string | null
}

const columns = [
  'id',
  'projectId',
  'url',
  'description',
  'events',
  'ordered',
  'maxPerSecond',
  'enabled',
  'disabledReason',
  'failingSince',
  'createdAt',
  'updatedAt',
] as const

/** Builds a list of endpoints to join: their projects, then their ids. */
export const endpointList = (sql: Queryable, endpoints: readonly EndpointRef[]) =>
  sql`unnest(${endpoints.map(({ projectId }) => projectId)}::text[], ${endpoints.map(({ id }) => id)}::text[])`

const owned = (sql: Queryable, { projectId, audience }: EndpointOwner) => sql`project_id = ${projectId} and audience = ${audience}`

/** Inserts an endpoint. */
export const insertEndpoint = async (sql: Queryable, endpoint: Record<string, unknown>, secrets: readonly StoredSecret[]) =>
  expectOne(
    await sql<
      WebhookEndpoint[]
    >`insert into webhook_endpoints ${rowValues(sql, { ...endpoint, secrets }, ['secrets'])} returning ${sql(columns)}`,
  )

/** Finds an endpoint of an owner. */
export const findEndpoint = async (sql: Queryable, owner: EndpointOwner, id: string) =>
  (await sql<WebhookEndpoint[]>`select ${sql(columns)} from webhook_endpoints where ${owned(sql, owner)} and id = ${id}`)[0]

/** Finds the secrets of an endpoint. */
export const findSecrets = async (sql: Queryable, { projectId, id }: EndpointRef) =>
  (await sql<{ secrets: StoredSecret[] }[]>`select secrets from webhook_endpoints where project_id = ${projectId} and id = ${id}`)[0]
    ?.secrets

/** Locks an endpoint and returns its secrets. Undefined if the owner has no such endpoint. */
export const lockSecrets = async (sql: Tx, owner: EndpointOwner, id: string) =>
  (await sql<{ secrets: StoredSecret[] }[]>`select secrets from webhook_endpoints where ${owned(sql, owner)} and id = ${id} for update`)[0]
    ?.secrets

/** Locks an endpoint and returns whether it is enabled. Undefined if the owner has no such endpoint. */
export const lockEnabled = async (sql: Tx, owner: EndpointOwner, id: string) =>
  (await sql<{ enabled: boolean }[]>`select enabled from webhook_endpoints where ${owned(sql, owner)} and id = ${id} for update`)[0]
    ?.enabled

/** Lists the endpoints of an owner, newest first, before an id. */
export const listEndpoints = (sql: Queryable, owner: EndpointOwner, before: string | null, take: number) =>
  sql<
    WebhookEndpoint[]
  >`select ${sql(columns)} from webhook_endpoints where ${owned(sql, owner)} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Counts the endpoints of an owner. Locks their number until the transaction ends. */
export const countAndLock = async (sql: Tx, owner: EndpointOwner) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${owner.audience} ${owner.projectId}`}, 0))`
  return expectOne(await sql<{ count: number }[]>`select count(*) from webhook_endpoints where ${owned(sql, owner)}`).count
}

/** Updates an endpoint. Throws if it does not exist. */
export const updateEndpoint = async (sql: Queryable, owner: EndpointOwner, id: string, change: Record<string, unknown>) =>
  expectOne(
    await sql<
      WebhookEndpoint[]
    >`update webhook_endpoints set ${rowValues(sql, { ...change, updatedAt: new Date() })} where ${owned(sql, owner)} and id = ${id} returning ${sql(columns)}`,
  )

/** Replaces the secrets of an endpoint. Throws if it does not exist. */
export const updateSecrets = async (sql: Queryable, { projectId, id }: EndpointRef, secrets: readonly StoredSecret[]) =>
  expectOne(
    await sql<
      WebhookEndpoint[]
    >`update webhook_endpoints set secrets = ${json(sql, secrets)}, updated_at = now() where project_id = ${projectId} and id = ${id} returning ${sql(columns)}`,
  )

/** Deletes an endpoint, which also stops its pending deliveries. Returns false if the owner has no such endpoint. */
export const deleteEndpoint = async (sql: Queryable, owner: EndpointOwner, id: string) =>
  (await sql`delete from webhook_endpoints where ${owned(sql, owner)} and id = ${id}`).count > 0
