import type { Queryable, Tx } from '../../data/sql.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { MESSAGES_MAX } from './chat.model.ts'
import { countMessages } from './chat.queries.ts'
import { countRunning, holdAnswersOf } from './generation/generations.queries.ts'

const RUNNING_MAX = 5

/** Why nothing more can be said in a conversation; null where something can. */
export async function lackOfRoom(sql: Queryable, conversationId: string): Promise<string | null> {
  const isFull = (await countMessages(sql, conversationId)) >= MESSAGES_MAX
  return isFull ? `A conversation has at most ${MESSAGES_MAX} messages. Delete some, or begin another.` : null
}

/** Throws `limit_reached`. */
export async function assertRoom(sql: Queryable, conversationId: string): Promise<void> {
  const problem = await lackOfRoom(sql, conversationId)
  if (problem !== null) throw new ApiError('limit_reached', problem)
}

/** Holds what is made for a person until the transaction ends. Throws `limit_reached` where that is as much as may be at once. */
export async function assertFewAnswers(tx: Tx, userId: string): Promise<void> {
  await holdAnswersOf(tx, userId)
  if ((await countRunning(tx, userId)) >= RUNNING_MAX)
    throw new ApiError('limit_reached', `At most ${RUNNING_MAX} answers are made for you at once. Wait for one of them.`)
}
