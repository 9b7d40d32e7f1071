import type { Tx } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { chatErrors } from './chat.errors.ts'
import type { NewMessage, StartedGeneration } from './chat.model.ts'
import {
  type ConversationKey,
  type ConversationRow,
  deleteBranch,
  findMessage,
  insertMessage,
  lockConversation,
  type MessageRow,
  updateConversation,
} from './chat.queries.ts'
import { insertGeneration } from './generation/generations.queries.ts'
import { assertGenerationLimit, assertMessageLimit } from './limits.ts'
import { presentGeneration, presentMessage } from './present.ts'

/** Characters of a title that is made from the first message. */
const TITLE_CHARS = 60

/** Locks a conversation until the transaction ends. Throws `not_found`, and `conflict` while a generation runs in it. */
export async function lockIdleConversation(tx: Tx, key: ConversationKey): Promise<ConversationRow> {
  const conversation = await lockConversation(tx, key)
  if (!conversation) throw notFound('The conversation')
  if (conversation.generationId !== null) throw chatErrors.conversationBusy()
  return conversation
}

/**
 * Sends a message, or requests another answer to a message of the user. A runner starts the generation after the commit. Throws `conflict`,
 * `not_found`, `limit_reached`, `invalid_request`.
 */
export async function sendMessage(tx: Tx, key: ConversationKey, { text, parentId, retryOf }: NewMessage): Promise<StartedGeneration> {
  const conversation = await lockIdleConversation(tx, key)
  if ((text === undefined) === (retryOf === undefined)) throw chatErrors.textOrRetry({ field: ['text'] })
  if (retryOf === undefined) return sendText(tx, conversation, text ?? '', parentId)
  const message = await findMessage(tx, key, retryOf)
  if (message?.role !== 'user') throw notFound('The message')
  await assertMessageLimit(tx, key)
  await assertGenerationLimit(tx, conversation.userId)
  return startGeneration(tx, conversation, message)
}

/** Sends a text in a locked conversation and starts a generation. Throws `limit_reached`, `not_found`. */
export async function sendText(tx: Tx, conversation: ConversationRow, text: string, parentId?: string | null): Promise<StartedGeneration> {
  const message = await insertUserMessage(tx, conversation, text, parentId)
  await assertGenerationLimit(tx, conversation.userId)
  return startGeneration(tx, conversation, message)
}

/** Sends a queued prompt when a generation ends. Skips the limit of running generations: it replaces the one that has ended. */
export const sendQueuedText = async (tx: Tx, conversation: ConversationRow, text: string): Promise<StartedGeneration> =>
  startGeneration(tx, conversation, await insertUserMessage(tx, conversation, text))

async function insertUserMessage(
  tx: Tx,
  conversation: ConversationRow,
  text: string,
  parentId: string | null = conversation.leafId,
): Promise<MessageRow> {
  await assertMessageLimit(tx, conversation)
  if (parentId !== null && !(await findMessage(tx, conversation, parentId))) throw notFound('The message that it follows')
  return insertMessage(tx, {
    projectId: conversation.projectId,
    id: newId('msg'),
    conversationId: conversation.id,
    parentId,
    role: 'user',
    text,
  })
}

/** Inserts the generation of an answer, selects the branch, and gives an untitled conversation a title. */
async function startGeneration(tx: Tx, conversation: ConversationRow, message: MessageRow): Promise<StartedGeneration> {
  const { projectId, userId, id: conversationId, model } = conversation
  const generation = await insertGeneration(tx, { projectId, id: newId('gen'), conversationId, userId, messageId: message.id, model })
  await updateConversation(tx, conversation, {
    leafId: message.id,
    ...(conversation.title === '' && { title: message.text.replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARS) }),
  })
  return { message: presentMessage(message), generation: presentGeneration(generation) }
}

/** Deletes a message and all messages that follow it. Throws `not_found`, and `conflict` while a generation runs. */
export async function deleteMessage(tx: Tx, key: ConversationKey, messageId: string): Promise<void> {
  const conversation = await lockIdleConversation(tx, key)
  const message = await findMessage(tx, key, messageId)
  if (!message) throw notFound('The message')
  const deleted = await deleteBranch(tx, key.projectId, messageId)
  if (conversation.leafId !== null && deleted.includes(conversation.leafId)) await updateConversation(tx, key, { leafId: message.parentId })
}
