import type { Queryable } from '../../../data/sql.ts'
import type { ConnectionRef } from '../connections.model.ts'

interface Attention {
  readonly attention: string
  readonly operation: string
  /** Sealed credentials that the provider rejected. Credentials that were entered since are not affected. */
  readonly credentials: string
}

/** Marks a connection as needing attention. Returns false if it is already marked, deleted, or has other credentials by now. */
export const markNeedsAttention = async (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  { attention, operation, credentials }: Attention,
) =>
  (
    await sql`update integrations set attention = ${attention}, attention_since = now(), attention_operation = ${operation}
      where project_id = ${projectId} and id = ${id} and attention is null and deleted_at is null and credentials = ${credentials}`
  ).count > 0

/** Clears the mark; if an operation is given, only when that operation set it. */
export const clearAttention = (sql: Queryable, { projectId, id }: ConnectionRef, operation: string | null = null) =>
  sql`update integrations set attention = null, attention_since = null, attention_operation = null
    where project_id = ${projectId} and id = ${id} and attention is not null and (${operation}::text is null or attention_operation = ${operation})`

/** Records a success now for connections whose last one is older than `seconds`. Skips rows that are locked. */
export const recordSuccesses = (sql: Queryable, connections: readonly ConnectionRef[], seconds: number) =>
  sql`with free as (select i.project_id, i.id from integrations i
      join unnest(${connections.map(({ projectId }) => projectId)}::text[], ${connections.map(({ id }) => id)}::text[]) as r (project_id, id)
        on i.project_id = r.project_id and i.id = r.id
      where i.last_success_at is null or i.last_success_at < now() - ${seconds} * interval '1 second'
      for no key update of i skip locked)
    update integrations i set last_success_at = now() from free f where i.project_id = f.project_id and i.id = f.id`

/** Data of the email about a connection that needs attention. */
export interface AttentionEmail {
  readonly key: string
  readonly name: string
  readonly projectId: string
  readonly storeName: string | null
  readonly attention: string
  readonly attentionSince: string
  /** Addresses of the store's owner, or of all administrators for a connection of the platform. */
  readonly to: readonly string[]
}

/** Finds the data of the email by the id of the connection, which the job alone knows; undefined if the connection no longer needs attention. */
export const findAttentionEmail = async (sql: Queryable, connectionId: string) =>
  (
    await sql<AttentionEmail[]>`select i.key, i.name, i.project_id, s.name as store_name, i.attention, i.attention_since,
      array(select u.email from users u where case when i.project_id = '' then u.is_admin else u.id = s.owner_id end order by u.id) as to
      from integrations i left join stores s on s.project_id = i.project_id
      where i.id = ${connectionId} and i.attention is not null and i.deleted_at is null`
  )[0]
