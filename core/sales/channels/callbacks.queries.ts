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

export const forgetCallbacks = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from channel_callbacks where id in (
      select id from channel_callbacks where received_at < now() - ${days} * interval '1 day' limit ${take})`
  ).count
