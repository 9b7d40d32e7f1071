import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../../http/errors/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { type Begun, QUEUE_MAX, type QueueItem } from '../chat.model.ts'
import { type ConversationRow, lockConversation } from '../chat.queries.ts'
import { lackOfRoom } from '../limits.ts'
import { holdIdle, sayOne } from '../send-message.ts'
import { deleteItem, insertItem, placeItems, queueOf, takeFirst, updateItem, type WaitingRow } from './queue.queries.ts'

export const readQueue = async (sql: Queryable, conversationId: string): Promise<QueueItem[]> =>
  withProblem(sql, conversationId, await queueOf(sql, conversationId, QUEUE_MAX))

/** Each with why it cannot be said, where nothing can. */
async function withProblem(sql: Queryable, conversationId: string, items: readonly WaitingRow[]): Promise<QueueItem[]> {
  const problem = items.length > 0 ? await lackOfRoom(sql, conversationId) : null
  return items.map((item) => ({ ...item, problem }))
}

/** What waits is changed by one at a time: an answer that ends goes on with the first, and is not to find that it has just gone. */
async function hold(tx: Tx, conversationId: string): Promise<void> {
  if (!(await lockConversation(tx, conversationId))) throw notFound('The conversation')
}

/** Puts a prompt at the end. */
export async function addToQueue(tx: Tx, { id, storeId }: ConversationRow, text: string): Promise<QueueItem> {
  await hold(tx, id)
  const waiting = await queueOf(tx, id, QUEUE_MAX)
  if (waiting.length >= QUEUE_MAX) throw new ApiError('limit_reached', `At most ${QUEUE_MAX} prompts wait in a conversation.`)
  const position = (waiting.at(-1)?.position ?? 0) + 1
  return expectOne(await withProblem(tx, id, [await insertItem(tx, { storeId, id: newId('que'), conversationId: id, position, text })]))
}

export async function editInQueue(tx: Tx, conversationId: string, itemId: string, text: string): Promise<QueueItem> {
  await hold(tx, conversationId)
  const item = await updateItem(tx, conversationId, itemId, text)
  if (!item) throw notFound('The prompt')
  return expectOne(await withProblem(tx, conversationId, [item]))
}

export async function removeFromQueue(tx: Tx, conversationId: string, itemId: string): Promise<void> {
  await hold(tx, conversationId)
  if (!(await deleteItem(tx, conversationId, itemId))) throw notFound('The prompt')
}

/** Gives all that wait another order. Throws `invalid_request` where others wait than are named. */
export async function reorderQueue(tx: Tx, conversationId: string, ids: readonly string[]): Promise<QueueItem[]> {
  await hold(tx, conversationId)
  const waiting = new Set((await queueOf(tx, conversationId, QUEUE_MAX)).map(({ id }) => id))
  if (ids.length !== waiting.size || ids.some((id) => !waiting.has(id))) throw invalid('/body/ids', 'Name all that wait, and no other.')
  await placeItems(tx, conversationId, ids)
  return readQueue(tx, conversationId)
}

/** Says the first. Throws `conflict` while an answer is being made, and where nothing waits; `limit_reached`, and then it waits on. */
export async function consumeQueue(tx: Tx, conversationId: string): Promise<Begun> {
  const conversation = await holdIdle(tx, conversationId)
  const item = await takeFirst(tx, conversationId)
  if (!item) throw new ApiError('conflict', 'Nothing waits in this conversation.')
  return sayOne(tx, conversation, item.text)
}
