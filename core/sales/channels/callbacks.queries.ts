import { type Queryable, row, type Tx } from '../../data/sql.ts'

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
  sql`insert into channel_callbacks ${row(sql, { ...callback, body: Buffer.from(callback.body) }, ['headers'])}`

export const findCallback = async (sql: Queryable, id: string) =>
  (await sql<CallbackRow[]>`select * from channel_callbacks where id = ${id}`)[0]

export const markWorked = (sql: Queryable, id: string, news: number) =>
  sql`update channel_callbacks set worked_at = now(), news = ${news} where id = ${id}`

/** Those that nothing has come of for so long, or that one connection has to have worked again. */
export const listUnworked = (sql: Queryable, connectionId: string | null, minutes: number, after: string, take: number) =>
  sql<{ id: string }[]>`select id from channel_callbacks where worked_at is null and id > ${after}
    and (received_at < now() - ${minutes} * interval '1 minute' or connection_id = ${connectionId}) order by id limit ${take}`

export const markUnworked = (sql: Queryable, connectionId: string, since: string) =>
  sql`update channel_callbacks set worked_at = null where connection_id = ${connectionId} and received_at >= ${since}`

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
