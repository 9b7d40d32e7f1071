import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { chatErrors } from './chat.errors.ts'
import { CONVERSATIONS_MAX, type Conversation, type ConversationChange, type NewConversation } from './chat.model.ts'
import {
  type ConversationKey,
  type ConversationRow,
  countConversations,
  findMessage,
  hasMessageBefore,
  insertConversation,
  listConversations,
  listMessagesBefore,
  lockConversation,
  lockConversationsOfUser,
  updateConversation,
} from './chat.queries.ts'
import { presentConversation, presentMessage } from './present.ts'

/** Messages of one page; writing a larger response would block other requests. */
const MESSAGES_AT_ONCE = 500
/** Bytes of messages of one page. */
const BYTES_AT_ONCE = 512 * 1024

/** Creates an empty conversation. Throws `limit_reached` when the user has {@link CONVERSATIONS_MAX} in the store. */
export async function addConversation(tx: Tx, userId: string, { storeId, title = '', model = null, path = null }: NewConversation) {
  const projectId = projectIdOf(storeId)
  await lockConversationsOfUser(tx, projectId, userId)
  if ((await countConversations(tx, projectId, userId)) >= CONVERSATIONS_MAX)
    throw chatErrors.tooManyConversations({ conversationsMax: CONVERSATIONS_MAX })
  return presentConversation(await insertConversation(tx, { projectId, id: newId('cnv'), userId, title, model, path }))
}

/** Lists conversations of a user in a store, newest first. */
export const readConversations = async (sql: Queryable, projectId: string, userId: string, before: string | null, take: number) =>
  (await listConversations(sql, projectId, userId, before, take)).map(presentConversation)

/** Reads a conversation with a page of its messages: the newest, or those before a given message. `nextCursor` is null on the last page. */
export async function readConversation(sql: Queryable, conversation: ConversationRow, before: string | null) {
  const rows = await listMessagesBefore(sql, conversation, before, MESSAGES_AT_ONCE, BYTES_AT_ONCE)
  const first = rows[0]
  return {
    data: { ...presentConversation(conversation), messages: rows.map(presentMessage) },
    nextCursor: first && (await hasMessageBefore(sql, conversation, first.id)) ? first.id : null,
  }
}

/** Changes a conversation. Throws `not_found` for a message of another one, `conflict` when the branch changes during a generation. */
export async function changeConversation(tx: Tx, key: ConversationKey, change: ConversationChange): Promise<Conversation> {
  const conversation = await lockConversation(tx, key)
  if (!conversation) throw notFound('The conversation')
  if (change.leafId !== undefined) {
    if (conversation.generationId !== null) throw chatErrors.answerUnderWay()
    if (!(await findMessage(tx, key, change.leafId))) throw notFound('The message')
  }
  return presentConversation(await updateConversation(tx, key, change))
}
