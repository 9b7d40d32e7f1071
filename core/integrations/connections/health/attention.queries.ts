import type { Queryable } from '../../../data/sql.ts'

interface Attention {
  readonly attention: string
  readonly operation: string
  /** The credentials that were not taken: those that a person has typed in since are not blamed for it. */
  readonly credentials: string
}

/** Whether it begins now: where a person has been told already, nothing does. */
export const beginAttention = async (sql: Queryable, id: string, { attention, operation, credentials }: Attention) =>
  (
    await sql`update integrations set attention = ${attention}, attention_since = now(), attention_operation = ${operation}
      where id = ${id} and attention is null and deleted_at is null and credentials = ${credentials}`
  ).count > 0

/** What was to be seen to has been; of one operation, if that is said. */
export const clearAttention = (sql: Queryable, id: string, operation: string | null = null) =>
  sql`update integrations set attention = null, attention_since = null, attention_operation = null
    where id = ${id} and attention is not null and (${operation}::text is null or attention_operation = ${operation})`

/** Whoever holds a row for longer is not waited for: it is noted the next time. */
export const noteSuccesses = (sql: Queryable, ids: readonly string[], seconds: number) =>
  sql`update integrations set last_success_at = now() where id = any (array(
    select id from integrations where id = any (${ids as string[]}) and (last_success_at is null or last_success_at < now() - ${seconds} * interval '1 second')
    for no key update skip locked))`

export interface Letter {
  readonly key: string
  readonly name: string
  readonly storeId: string | null
  readonly storeName: string | null
  readonly attention: string
  readonly attentionSince: string
  /** The owner of the store; of the platform's own, whoever administers it. */
  readonly to: readonly string[]
}

/** What the owner is told, where it still is so. */
export const findLetter = async (sql: Queryable, connectionId: string) =>
  (
    await sql<Letter[]>`select i.key, i.name, i.store_id, s.name as store_name, i.attention, i.attention_since,
      array(select u.email from users u where case when i.store_id is null then u.is_admin else u.id = s.owner_id end order by u.id) as to
      from integrations i left join stores s on s.id = i.store_id
      where i.id = ${connectionId} and i.attention is not null and i.deleted_at is null`
  )[0]
