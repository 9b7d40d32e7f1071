import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { CONVERSATIONS_MAX, type Conversation, type ConversationChange, MESSAGES_MAX, type NewConversation } from './chat.model.ts'
import {
  type ConversationRow,
  countConversations,
  findMessage,
  insertConversation,
  listConversations,
  lockConversation,
  messagesOf,
  updateConversation,
} from './chat.queries.ts'
import { presentConversation, presentMessage } from './present.ts'

/** Throws `limit_reached`. */
export async function addConversation(tx: Tx, userId: string, { storeId, title = '', model = null, path = null }: NewConversation) {
  if ((await countConversations(tx, storeId, userId)) >= CONVERSATIONS_MAX)
    throw new ApiError(
      'limit_reached',
      `You may have ${CONVERSATIONS_MAX} conversations in a store. Delete one that is not needed any more.`,
    )
  return presentConversation(await insertConversation(tx, { storeId, id: newId('cnv'), userId, title, model, path }))
}

export const readConversations = async (sql: Queryable, storeId: string, userId: string, before: string | null, take: number) =>
  (await listConversations(sql, storeId, userId, before, take)).map(presentConversation)

/** With all that was said in it, on every branch. */
export async function wholeConversation(sql: Queryable, conversation: ConversationRow) {
  const messages = await messagesOf(sql, conversation.id, 2 * MESSAGES_MAX)
  return { ...presentConversation(conversation), messages: messages.map(presentMessage) }
}

/** Throws `not_found` for a message that is not in it, `conflict` for another branch while an answer is being made. */
export async function changeConversation(tx: Tx, id: string, change: ConversationChange): Promise<Conversation> {
  const conversation = await lockConversation(tx, id)
  if (!conversation) throw notFound('The conversation')
  if (change.leafId !== undefined) {
    if (conversation.generationId !== null) throw new ApiError('conflict', 'An answer is being made. Wait for it, or cancel it.')
    if (!(await findMessage(tx, id, change.leafId))) throw notFound('The message')
  }
  return presentConversation(await updateConversation(tx, id, change))
}
