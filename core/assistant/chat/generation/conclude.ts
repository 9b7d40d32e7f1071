import { type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { newId } from '../../../lib/ids.ts'
import { insertMessage, lockConversation, updateConversation } from '../chat.queries.ts'
import { lackOfRoom } from '../limits.ts'
import { takeFirst } from '../queue/queue.queries.ts'
import { sayNext } from '../send-message.ts'
import { allParts, type Ending, endGeneration, type GenerationRow, lockRunning } from './generations.queries.ts'
import { fold, type Numbered } from './parts.ts'

/** Something in an answer that could not be written down so many times never can be: then it ends without. */
const WRITES_MAX = 8

/** Ends an answer: what was streamed becomes messages, and the next prompt of the queue begins. Null where another process has it by now. */
export const conclude = (sql: Sql, { id, conversationId }: GenerationRow, process: number, ending: Ending): Promise<Numbered | null> =>
  transaction(sql, async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    const generation = await lockRunning(tx, id, process)
    if (!conversation || !generation) return null
    const answerId = generation.attempts > WRITES_MAX ? null : await writeDown(tx, generation)
    const last = await endGeneration(tx, generation, ending, answerId)
    const leafId = answerId ?? generation.messageId
    const isShown = conversation.leafId === generation.messageId
    if (isShown) await updateConversation(tx, conversationId, { leafId })
    // Who was refused or cancelled decides himself whether the rest is still wanted, also who cancelled when all had come.
    const goesOn = ending.state === 'completed' && !generation.cancelRequested && (await lackOfRoom(tx, conversationId)) === null
    const next = goesOn ? await takeFirst(tx, conversationId) : undefined
    if (next) await sayNext(tx, { ...conversation, ...(isShown && { leafId }), generationId: null }, next.text)
    return last
  })

async function writeDown(tx: Tx, { id: generationId, storeId, conversationId, messageId }: GenerationRow): Promise<string | null> {
  let parentId = messageId
  let answerId: string | null = null
  for (const folded of fold(await allParts(tx, generationId))) {
    answerId = newId('msg')
    await insertMessage(tx, { ...folded, storeId, id: answerId, conversationId, parentId, generationId })
    parentId = answerId
  }
  return answerId
}
