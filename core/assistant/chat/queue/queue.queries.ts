import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { QueueItem } from '../chat.model.ts'
import type { ConversationKey } from '../chat.queries.ts'

/** Row of `chat_queue`. */
export type QueueItemRow = Omit<QueueItem, 'problem'>

const itemColumns = (sql: Queryable) => sql`id, position, text, created_at`

/** Lists the waiting prompts of a conversation, first one first. */
export const listQueueItems = (sql: Queryable, conversation: ConversationKey, take: number) =>
  sql<
    QueueItemRow[]
  >`select ${itemColumns(sql)} from chat_queue where project_id = ${conversation.projectId} and conversation_id = ${conversation.id} order by position, id limit ${take}`

/** Inserts a waiting prompt at a position. */
export const insertQueueItem = async (
  sql: Tx,
  of: { projectId: string; id: string; conversationId: string; position: number; text: string },
) => expectOne(await sql<QueueItemRow[]>`insert into chat_queue ${rowValues(sql, of)} returning ${itemColumns(sql)}`)

/** Changes the text of a waiting prompt. Returns undefined when it is not in the queue. */
export const updateQueueItem = async (sql: Queryable, conversation: ConversationKey, id: string, text: string) =>
  (
    await sql<
      QueueItemRow[]
    >`update chat_queue set text = ${text} where project_id = ${conversation.projectId} and conversation_id = ${conversation.id} and id = ${id} returning ${itemColumns(sql)}`
  )[0]

/** Deletes a waiting prompt. Returns false when it is not in the queue. */
export const deleteQueueItem = async (sql: Queryable, conversation: ConversationKey, id: string) =>
  (await sql`delete from chat_queue where project_id = ${conversation.projectId} and conversation_id = ${conversation.id} and id = ${id}`)
    .count > 0

/** Sets the positions 1, 2, … in the order of these ids. */
export const updateQueuePositions = (sql: Tx, conversation: ConversationKey, ids: readonly string[]) =>
  sql`update chat_queue q set position = o.place::int
    from unnest(${ids as string[]}::text[]) with ordinality as o(id, place) where q.project_id = ${conversation.projectId} and q.conversation_id = ${conversation.id} and q.id = o.id`

/** Deletes the first waiting prompt and returns it; undefined when the queue is empty. */
export const popQueueItem = async (sql: Tx, conversation: ConversationKey) =>
  (
    await sql<QueueItemRow[]>`delete from chat_queue where project_id = ${conversation.projectId} and id = (
      select id from chat_queue where project_id = ${conversation.projectId} and conversation_id = ${conversation.id} order by position, id limit 1) returning ${itemColumns(sql)}`
  )[0]
