import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { chatErrors, describeFullConversation } from '../chat.errors.ts'
import { MESSAGES_MAX, QUEUE_MAX, type QueueItem, type StartedGeneration } from '../chat.model.ts'
import { type ConversationKey, lockConversation } from '../chat.queries.ts'
import { isConversationFull } from '../limits.ts'
import { lockIdleConversation, sendText } from '../send-message.ts'
import {
  deleteQueueItem,
  insertQueueItem,
  listQueueItems,
  popQueueItem,
  type QueueItemRow,
  updateQueueItem,
  updateQueuePositions,
} from './queue.queries.ts'

/** Lists the waiting prompts of a conversation in order. */
export const readQueue = async (sql: Queryable, conversation: ConversationKey): Promise<QueueItem[]> =>
  withProblem(sql, conversation, await listQueueItems(sql, conversation, QUEUE_MAX))

/** Adds to each item the reason why no prompt can be sent now; null when one can. */
async function withProblem(sql: Queryable, conversation: ConversationKey, items: readonly QueueItemRow[]): Promise<QueueItem[]> {
  const isFull = items.length > 0 && (await isConversationFull(sql, conversation))
  const problem = isFull ? describeFullConversation({ messagesMax: MESSAGES_MAX }) : null
  return items.map((item) => ({ ...item, problem }))
}

/** Locks the conversation, because the end of a generation also removes the first prompt of the queue. Throws `not_found`. */
async function lockQueue(tx: Tx, conversation: ConversationKey): Promise<void> {
  if (!(await lockConversation(tx, conversation))) throw notFound('The conversation')
}

/** Adds a prompt at the end of the queue. Throws `limit_reached`. */
export async function addToQueue(tx: Tx, conversation: ConversationKey, text: string): Promise<QueueItem> {
  await lockQueue(tx, conversation)
  const waiting = await listQueueItems(tx, conversation, QUEUE_MAX)
  if (waiting.length >= QUEUE_MAX) throw chatErrors.queueFull({ queueMax: QUEUE_MAX })
  const position = (waiting.at(-1)?.position ?? 0) + 1
  return expectOne(
    await withProblem(tx, conversation, [
      await insertQueueItem(tx, { projectId: conversation.projectId, id: newId('que'), conversationId: conversation.id, position, text }),
    ]),
  )
}

/** Changes the text of a waiting prompt. Throws `not_found`. */
export async function editQueuedPrompt(tx: Tx, conversation: ConversationKey, itemId: string, text: string): Promise<QueueItem> {
  await lockQueue(tx, conversation)
  const item = await updateQueueItem(tx, conversation, itemId, text)
  if (!item) throw notFound('The prompt')
  return expectOne(await withProblem(tx, conversation, [item]))
}

/** Deletes a waiting prompt. Throws `not_found`. */
export async function removeFromQueue(tx: Tx, conversation: ConversationKey, itemId: string): Promise<void> {
  await lockQueue(tx, conversation)
  if (!(await deleteQueueItem(tx, conversation, itemId))) throw notFound('The prompt')
}

/** Reorders the queue. Throws `invalid_request` unless the ids are exactly those of the waiting prompts. */
export async function reorderQueue(tx: Tx, conversation: ConversationKey, ids: readonly string[]): Promise<QueueItem[]> {
  await lockQueue(tx, conversation)
  const waiting = new Set((await listQueueItems(tx, conversation, QUEUE_MAX)).map(({ id }) => id))
  if (ids.length !== waiting.size || ids.some((id) => !waiting.has(id))) throw chatErrors.queueIncomplete({ field: ['ids'] })
  await updateQueuePositions(tx, conversation, ids)
  return readQueue(tx, conversation)
}

/**
 * Sends the first waiting prompt. Throws `conflict` while a generation runs or when the queue is empty, and `limit_reached`; the prompt
 * then stays in the queue.
 */
export async function consumeQueue(tx: Tx, conversation: ConversationKey): Promise<StartedGeneration> {
  const idle = await lockIdleConversation(tx, conversation)
  const item = await popQueueItem(tx, conversation)
  if (!item) throw chatErrors.queueEmpty()
  return sendText(tx, idle, item.text)
}
