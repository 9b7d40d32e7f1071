import { type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { insertMessage, lockConversation, updateConversation } from '../chat.queries.ts'
import { isConversationFull } from '../limits.ts'
import { popQueueItem } from '../queue/queue.queries.ts'
import { sendQueuedText } from '../send-message.ts'
import { endGeneration, type GenerationEnding, type GenerationRow, listParts, lockRunningGeneration } from './generations.queries.ts'
import { assembleMessages, type NumberedPart } from './parts.ts'

/** Attempts after which a generation ends without its answer, because inserting it has failed each time. */
const WRITES_MAX = 8

/**
 * Ends a generation in one transaction: inserts the streamed parts as messages and starts the next prompt of the queue. Returns the `end`
 * part, or null when another process has claimed the generation.
 */
export const concludeGeneration = (sql: Sql, of: GenerationRow, process: number, ending: GenerationEnding): Promise<NumberedPart | null> =>
  transaction(sql, async (tx) => {
    const conversation = await lockConversation(tx, { projectId: of.projectId, id: of.conversationId })
    const generation = await lockRunningGeneration(tx, of, process)
    if (!conversation || !generation) return null
    const answerId = generation.attempts > WRITES_MAX ? null : await insertAnswer(tx, generation)
    const last = await endGeneration(tx, generation, ending, answerId)
    const leafId = answerId ?? generation.messageId
    const isShown = conversation.leafId === generation.messageId
    if (isShown) await updateConversation(tx, conversation, { leafId })
    // After a failure or a cancellation the user decides about the rest of the queue.
    const startsNext = ending.state === 'completed' && !generation.cancelRequested && !(await isConversationFull(tx, conversation))
    const next = startsNext ? await popQueueItem(tx, conversation) : undefined
    if (next) await sendQueuedText(tx, { ...conversation, ...(isShown && { leafId }), generationId: null }, next.text)
    return last
  })

async function insertAnswer(tx: Tx, generation: GenerationRow): Promise<string | null> {
  const { projectId, id: generationId, conversationId, messageId } = generation
  let parentId = messageId
  let answerId: string | null = null
  for (const folded of assembleMessages(await listParts(tx, generation))) {
    answerId = newId('msg')
    await insertMessage(tx, { ...folded, projectId, id: answerId, conversationId, parentId, generationId })
    parentId = answerId
  }
  return answerId
}
