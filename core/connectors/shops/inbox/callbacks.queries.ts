import { type Queryable, rowValues, type Tx } from '../../../data/sql.ts'

export interface CallbackRow {
  readonly id: string
  readonly connectionId: string
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  readonly receivedAt: string
  readonly workedAt: string | null
}

export const insertCallback = (sql: Tx, callback: Pick<CallbackRow, 'id' | 'connectionId' | 'url' | 'method' | 'headers' | 'body'>) =>
  sql`insert into channel_callbacks ${rowValues(sql, { ...callback, body: Buffer.from(callback.body) }, ['headers'])}`

export const findCallback = async (sql: Queryable, id: string) =>
  (await sql<CallbackRow[]>`select * from channel_callbacks where id = ${id}`)[0]

export const markWorked = (sql: Queryable, id: string, news: number) =>
  sql`update channel_callbacks set worked_at = now(), news = ${news} where id = ${id}`

/** Those that nothing has come of for so long. */
export const listUnworked = (sql: Queryable, minutes: number, after: string, take: number) =>
  sql<{ id: string; projectId: string }[]>`select c.id, s.project_id from channel_callbacks c
    join integrations i on i.id = c.connection_id join stores s on s.id = i.store_id
    where c.worked_at is null and c.id > ${after} and c.received_at < now() - ${minutes} * interval '1 minute' order by c.id limit ${take}`

/** A callback's place in the order in which they came, the time as the database writes it. */
export interface Place {
  readonly at: string
  readonly id: string
}

/** Those of a connection that came by then, behind a place. */
export const listCame = (sql: Queryable, connectionId: string, until: string, after: Place, take: number) =>
  sql<Place[]>`select id, received_at::text as at from channel_callbacks where connection_id = ${connectionId}
    and (received_at, id) > (${after.at}::text::timestamptz, ${after.id}) and received_at <= ${until} order by received_at, id limit ${take}`

/** Those of these that nobody has worked since then. */
export const markUnworked = (sql: Tx, ids: readonly string[], since: string) =>
  sql<{ id: string }[]>`update channel_callbacks set worked_at = null
    where id = any (${ids as string[]}) and (worked_at is null or worked_at <= ${since}) returning id`

/** Keeps the earlier time of several requests. Each is told apart by its moment, also within one millisecond, so that none ends another's. */
export const noteReplay = (sql: Tx, connectionId: string, since: string) =>
  sql`update channels set replay_since = least(replay_since, ${since}::timestamptz),
    replay_asked_at = greatest(date_trunc('milliseconds', now()), replay_asked_at + interval '1 millisecond')
    where connection_id = ${connectionId}`

/** Unless somebody has asked once more. */
export const endReplay = (sql: Queryable, connectionId: string, askedAt: string) =>
  sql`update channels set replay_since = null, replay_asked_at = null where connection_id = ${connectionId} and replay_asked_at = ${askedAt}`

/** Whether anything is kept that names people. */
export const knowsPeople = async (sql: Queryable, connectionId: string) =>
  (
    await sql`select 1 where exists (select 1 from channel_orders where connection_id = ${connectionId})
      or exists (select 1 from channel_callbacks where connection_id = ${connectionId})`
  ).length > 0

/** What came before cannot be asked any more whom it names. */
export const forgetWorked = async (sql: Queryable, connectionId: string, take: number) =>
  (
    await sql`delete from channel_callbacks where id in (
      select id from channel_callbacks where connection_id = ${connectionId} and worked_at is not null limit ${take})`
  ).count

export const forgetCallbacks = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from channel_callbacks where id in (
      select id from channel_callbacks where received_at < now() - ${days} * interval '1 day' limit ${take})`
  ).count
