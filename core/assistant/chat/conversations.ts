import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { CONVERSATIONS_MAX, type Conversation, type ConversationChange, type NewConversation } from './chat.model.ts'
import {
  type ConversationRow,
  countConversations,
  findMessage,
  hasMessageBefore,
  holdConversationsOf,
  insertConversation,
  listConversations,
  lockConversation,
  messagesBefore,
  updateConversation,
} from './chat.queries.ts'
import { presentConversation, presentMessage } from './present.ts'

/** What is answered at once: others wait while it is written. */
const MESSAGES_AT_ONCE = 500
const BYTES_AT_ONCE = 512 * 1024

/** Throws `limit_reached`. */
export async function addConversation(tx: Tx, userId: string, { storeId, title = '', model = null, path = null }: NewConversation) {
  await holdConversationsOf(tx, storeId, userId)
  if ((await countConversations(tx, storeId, userId)) >= CONVERSATIONS_MAX)
    throw new ApiError(
      'limit_reached',
      `You may have ${CONVERSATIONS_MAX} conversations in a store. Delete one that is not needed any more.`,
    )
  return presentConversation(await insertConversation(tx, { storeId, id: newId('cnv'), userId, title, model, path }))
}

export const readConversations = async (sql: Queryable, storeId: string, userId: string, before: string | null, take: number) =>
  (await listConversations(sql, storeId, userId, before, take)).map(presentConversation)

/** With what was said in it, on every branch: all of it, as a rule, and of what is long the last, before a message if one is named. */
export async function readConversation(sql: Queryable, conversation: ConversationRow, before: string | null) {
  const rows = await messagesBefore(sql, conversation.id, before, MESSAGES_AT_ONCE, BYTES_AT_ONCE)
  const first = rows[0]
  return {
    data: { ...presentConversation(conversation), messages: rows.map(presentMessage) },
    nextCursor: first && (await hasMessageBefore(sql, conversation.id, first.id)) ? first.id : null,
  }
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
