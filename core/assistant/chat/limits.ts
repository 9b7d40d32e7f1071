import type { Queryable, Tx } from '../../data/sql.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { chatErrors } from './chat.errors.ts'
import { MESSAGES_MAX } from './chat.model.ts'
import { countMessages } from './chat.queries.ts'
import { countRunningGenerations, lockGenerationsOfUser } from './generation/generations.queries.ts'

/** Generations that may run for one user at the same time. */
const RUNNING_MAX = 5

/** Returns the problem when a conversation has {@link MESSAGES_MAX} messages, else null. */
export async function messageLimitProblem(sql: Queryable, conversationId: string): Promise<string | null> {
  const isFull = (await countMessages(sql, conversationId)) >= MESSAGES_MAX
  return isFull ? `A conversation has at most ${MESSAGES_MAX} messages. Delete some, or start another conversation.` : null
}

/** Checks that a conversation can take another message. Throws `limit_reached`. */
export async function assertMessageLimit(sql: Queryable, conversationId: string): Promise<void> {
  const problem = await messageLimitProblem(sql, conversationId)
  if (problem !== null) throw new DomainError('limit_reached', problem)
}

/** Locks the generations of a user until the transaction ends. Throws `limit_reached` when {@link RUNNING_MAX} are running. */
export async function assertGenerationLimit(tx: Tx, userId: string): Promise<void> {
  await lockGenerationsOfUser(tx, userId)
  if ((await countRunningGenerations(tx, userId)) >= RUNNING_MAX) throw chatErrors.tooManyAnswers({ runningMax: RUNNING_MAX })
}
