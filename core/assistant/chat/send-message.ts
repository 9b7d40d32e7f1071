import type { Tx } from '../../data/sql.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Begun, NewMessage } from './chat.model.ts'
import {
  type ConversationRow,
  deleteBranch,
  findMessage,
  insertMessage,
  lockConversation,
  type MessageRow,
  updateConversation,
} from './chat.queries.ts'
import { insertGeneration } from './generation/generations.queries.ts'
import { assertFewAnswers, assertRoom } from './limits.ts'
import { presentGeneration, presentMessage } from './present.ts'

const TITLE_CHARS = 60

/** The conversation, for this transaction alone. Throws `conflict` while an answer is being made in it. */
export async function holdIdle(tx: Tx, id: string): Promise<ConversationRow> {
  const conversation = await lockConversation(tx, id)
  if (!conversation) throw notFound('The conversation')
  if (conversation.generationId !== null)
    throw new ApiError('conflict', 'An answer is being made in this conversation. Wait for it, cancel it, or add to the queue.')
  return conversation
}

/** Says something, or asks for another answer to what was said; the answer begins with the commit. */
export async function say(tx: Tx, conversationId: string, { text, parentId, retryOf }: NewMessage): Promise<Begun> {
  const conversation = await holdIdle(tx, conversationId)
  if ((text === undefined) === (retryOf === undefined)) throw invalid('/body/text', 'Send a text, or retryOf.')
  if (retryOf === undefined) return sayOne(tx, conversation, text ?? '', parentId)
  const message = await findMessage(tx, conversationId, retryOf)
  if (message?.role !== 'user') throw notFound('The message')
  await assertRoom(tx, conversationId)
  await assertFewAnswers(tx, conversation.userId)
  return begin(tx, conversation, message)
}

/** Throws `limit_reached`. */
export async function sayOne(tx: Tx, conversation: ConversationRow, text: string, parentId?: string | null): Promise<Begun> {
  const message = await write(tx, conversation, text, parentId)
  await assertFewAnswers(tx, conversation.userId)
  return begin(tx, conversation, message)
}

/** Says what stood in the queue, once the answer before it has ended: it takes the place of that among those that are made at once. */
export const sayNext = async (tx: Tx, conversation: ConversationRow, text: string): Promise<Begun> =>
  begin(tx, conversation, await write(tx, conversation, text))

async function write(
  tx: Tx,
  conversation: ConversationRow,
  text: string,
  parentId: string | null = conversation.leafId,
): Promise<MessageRow> {
  await assertRoom(tx, conversation.id)
  if (parentId !== null && !(await findMessage(tx, conversation.id, parentId))) throw notFound('The message that it follows')
  return insertMessage(tx, {
    storeId: conversation.storeId,
    id: newId('msg'),
    conversationId: conversation.id,
    parentId,
    role: 'user',
    text,
  })
}

async function begin(tx: Tx, conversation: ConversationRow, message: MessageRow): Promise<Begun> {
  const { storeId, userId, id: conversationId, model } = conversation
  const generation = await insertGeneration(tx, { storeId, id: newId('gen'), conversationId, userId, messageId: message.id, model })
  await updateConversation(tx, conversationId, {
    leafId: message.id,
    ...(conversation.title === '' && { title: message.text.replace(/\s+/g, ' ').trim().slice(0, TITLE_CHARS) }),
  })
  return { message: presentMessage(message), generation: presentGeneration(generation) }
}

/** Takes a message away, with all that followed it. */
export async function unsay(tx: Tx, conversationId: string, messageId: string): Promise<void> {
  const conversation = await holdIdle(tx, conversationId)
  const message = await findMessage(tx, conversationId, messageId)
  if (!message) throw notFound('The message')
  const gone = await deleteBranch(tx, messageId)
  if (conversation.leafId !== null && gone.includes(conversation.leafId))
    await updateConversation(tx, conversationId, { leafId: message.parentId })
}
