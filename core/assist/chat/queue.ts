import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type Begun, QUEUE_MAX, type QueueItem } from './chat.model.ts'
import { type ConversationRow, lockConversation } from './chat.queries.ts'
import { deleteItem, insertItem, placeItems, queueOf, takeFirst, updateItem } from './queue.queries.ts'
import { holdIdle, sayNext } from './say.ts'

export const readQueue = (sql: Queryable, conversationId: string): Promise<QueueItem[]> => queueOf(sql, conversationId, QUEUE_MAX)

/** Puts a prompt at the end. */
export async function addToQueue(tx: Tx, { id, storeId }: ConversationRow, text: string): Promise<QueueItem> {
  await lockConversation(tx, id)
  const waiting = await readQueue(tx, id)
  if (waiting.length >= QUEUE_MAX) throw new ApiError('limit_reached', `At most ${QUEUE_MAX} prompts wait in a conversation.`)
  return insertItem(tx, { storeId, id: newId('que'), conversationId: id, position: (waiting.at(-1)?.position ?? 0) + 1, text })
}

export async function editInQueue(sql: Queryable, conversationId: string, itemId: string, text: string): Promise<QueueItem> {
  const item = await updateItem(sql, conversationId, itemId, text)
  if (!item) throw notFound('The prompt')
  return item
}

export async function removeFromQueue(sql: Queryable, conversationId: string, itemId: string): Promise<void> {
  if (!(await deleteItem(sql, conversationId, itemId))) throw notFound('The prompt')
}

/** Gives all that wait another order. Throws `invalid_request` where others wait than are named. */
export async function reorderQueue(tx: Tx, conversationId: string, ids: readonly string[]): Promise<QueueItem[]> {
  await lockConversation(tx, conversationId)
  const waiting = new Set((await readQueue(tx, conversationId)).map(({ id }) => id))
  if (ids.length !== waiting.size || ids.some((id) => !waiting.has(id))) throw invalid('/body/ids', 'Name all that wait, and no other.')
  await placeItems(tx, conversationId, ids)
  return readQueue(tx, conversationId)
}

/** Says the first. Throws `conflict` while an answer is being made, and where nothing waits. */
export async function consumeQueue(tx: Tx, conversationId: string): Promise<Begun> {
  const conversation = await holdIdle(tx, conversationId)
  const item = await takeFirst(tx, conversationId)
  if (!item) throw new ApiError('conflict', 'Nothing waits in this conversation.')
  return sayNext(tx, conversation, item.text)
}
