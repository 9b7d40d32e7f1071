import { type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { ConnectionRef } from '../../../integrations/connections/connections.model.ts'

/** Received webhook, as it is stored. */
export interface ReceivedWebhookRow {
  readonly projectId: string
  readonly id: string
  readonly connectionId: string
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  /** True if the shop signed the content. */
  readonly signed: boolean
  /** JSON of the events until they are processed; null if they are still to be read from the body. */
  readonly events: string | null
  readonly receivedAt: string
  readonly workedAt: string | null
}

/** Inserts a received webhook. */
export const insertReceivedWebhook = (
  sql: Tx,
  callback: Pick<ReceivedWebhookRow, 'projectId' | 'id' | 'connectionId' | 'url' | 'method' | 'headers' | 'body' | 'signed' | 'events'>,
) => sql`insert into connector_callbacks ${rowValues(sql, { ...callback, body: Buffer.from(callback.body) }, ['headers'])}`

/** Names a received webhook. */
export type ReceivedWebhookRef = Pick<ReceivedWebhookRow, 'projectId' | 'id'>

/** Finds a received webhook by its id alone. */
export const findReceivedWebhook = async (sql: Queryable, id: string) =>
  (await sql<ReceivedWebhookRow[]>`select * from connector_callbacks where id = ${id}`)[0]

/** Marks a webhook as processed, with the number of events in it. A replay reads them from the body again. */
export const markWebhookProcessed = (sql: Queryable, { projectId, id }: ReceivedWebhookRef, eventCount: number) =>
  sql`update connector_callbacks set worked_at = now(), news = ${eventCount}, events = null where project_id = ${projectId} and id = ${id}`

/** Lists webhooks that are still unprocessed `minutes` after their receipt. */
export const listUnprocessedWebhooks = (sql: Queryable, minutes: number, after: string, limit: number) =>
  sql<ReceivedWebhookRef[]>`select project_id, id from connector_callbacks
    where worked_at is null and id > ${after} and received_at < now() - ${minutes} * interval '1 minute' order by id limit ${limit}`

/** Position of a webhook in the order of receipt. The time is text, to keep the database's precision. */
export interface WebhookPosition {
  readonly at: string
  readonly id: string
}

/** Lists webhooks of a connection that were received until a time, after a position. */
export const listReceivedWebhooks = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  until: string,
  after: WebhookPosition,
  limit: number,
) =>
  sql<
    WebhookPosition[]
  >`select id, received_at::text as at from connector_callbacks where project_id = ${projectId} and connection_id = ${id}
    and (received_at, id) > (${after.at}::text::timestamptz, ${after.id}) and received_at <= ${until} order by received_at, id limit ${limit}`

/** Marks those webhooks as unprocessed and unread that were not processed since a time, and returns their ids. */
export const markWebhooksUnprocessed = (sql: Tx, projectId: string, ids: readonly string[], since: string) =>
  sql<{ id: string }[]>`update connector_callbacks set worked_at = null, events = null
    where project_id = ${projectId} and id = any (${ids as string[]}) and (worked_at is null or worked_at <= ${since}) returning id`

/**
 * Records the request of a replay; of several requests the earliest start counts. Each request gets a distinct time, so that finishing one
 * does not end another.
 */
export const recordReplayRequest = (sql: Tx, { projectId, id }: ConnectionRef, since: string) =>
  sql`update connectors set replay_since = least(replay_since, ${since}::timestamptz),
    replay_asked_at = greatest(date_trunc('milliseconds', now()), replay_asked_at + interval '1 millisecond')
    where project_id = ${projectId} and connection_id = ${id}`

/** Ends a replay, unless another was requested meanwhile. */
export const endReplay = (sql: Queryable, { projectId, id }: ConnectionRef, askedAt: string) =>
  sql`update connectors set replay_since = null, replay_asked_at = null
    where project_id = ${projectId} and connection_id = ${id} and replay_asked_at = ${askedAt}`

/** Returns true if a connection has stored orders or webhooks, which contain personal data. */
export const hasPersonalData = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (
    await sql`select 1 where exists (select 1 from connector_orders where project_id = ${projectId} and connection_id = ${id})
      or exists (select 1 from connector_callbacks where project_id = ${projectId} and connection_id = ${id})`
  ).length > 0

/** Deletes processed webhooks of a connection, whose customers can no longer be determined. Returns the number deleted. */
export const deleteProcessedWebhooks = async (sql: Queryable, { projectId, id }: ConnectionRef, limit: number) =>
  (
    await sql`delete from connector_callbacks where project_id = ${projectId} and id in (
      select id from connector_callbacks where project_id = ${projectId} and connection_id = ${id} and worked_at is not null limit ${limit})`
  ).count

/** Deletes webhooks that were received more than `days` ago, and returns the number deleted. */
export const deleteOldReceivedWebhooks = async (sql: Queryable, days: number, limit: number) =>
  (
    await sql`delete from connector_callbacks where (project_id, id) in (
      select project_id, id from connector_callbacks where received_at < now() - ${days} * interval '1 day' limit ${limit})`
  ).count
