import { expectOne, type Queryable, row, type Tx } from '../../../data/sql.ts'
import type { QueueItem } from '../chat.model.ts'

export type WaitingRow = Omit<QueueItem, 'problem'>

const item = (sql: Queryable) => sql`id, position, text, created_at`

export const queueOf = (sql: Queryable, conversationId: string, take: number) =>
  sql<WaitingRow[]>`select ${item(sql)} from chat_queue where conversation_id = ${conversationId} order by position, id limit ${take}`

export const insertItem = async (sql: Tx, of: { storeId: string; id: string; conversationId: string; position: number; text: string }) =>
  expectOne(await sql<WaitingRow[]>`insert into chat_queue ${row(sql, of)} returning ${item(sql)}`)

export const updateItem = async (sql: Queryable, conversationId: string, id: string, text: string) =>
  (
    await sql<
      WaitingRow[]
    >`update chat_queue set text = ${text} where conversation_id = ${conversationId} and id = ${id} returning ${item(sql)}`
  )[0]

export const deleteItem = async (sql: Queryable, conversationId: string, id: string) =>
  (await sql`delete from chat_queue where conversation_id = ${conversationId} and id = ${id}`).count > 0

/** In the order of their ids here, from the first place on. */
export const placeItems = (sql: Tx, conversationId: string, ids: readonly string[]) =>
  sql`update chat_queue q set position = o.place::int
    from unnest(${ids as string[]}::text[]) with ordinality as o(id, place) where q.conversation_id = ${conversationId} and q.id = o.id`

/** Takes the first out. */
export const takeFirst = async (sql: Tx, conversationId: string) =>
  (
    await sql<WaitingRow[]>`delete from chat_queue where id = (
      select id from chat_queue where conversation_id = ${conversationId} order by position, id limit 1) returning ${item(sql)}`
  )[0]
