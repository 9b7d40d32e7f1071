import type { Queryable, Tx } from '../../data/sql.ts'
import { chatErrors } from './chat.errors.ts'
import { MESSAGES_MAX } from './chat.model.ts'
import { type ConversationKey, countMessages } from './chat.queries.ts'
import { countRunningGenerations, lockGenerationsOfUser } from './generation/generations.queries.ts'

/** Generations that may run for one user at the same time. */
const RUNNING_MAX = 5

/** Returns true when a conversation has {@link MESSAGES_MAX} messages. */
export const isConversationFull = async (sql: Queryable, conversation: ConversationKey): Promise<boolean> =>
  (await countMessages(sql, conversation)) >= MESSAGES_MAX

/** Checks that a conversation can take another message. Throws `limit_reached`. */
export async function assertMessageLimit(sql: Queryable, conversation: ConversationKey): Promise<void> {
  if (await isConversationFull(sql, conversation)) throw chatErrors.tooManyMessages({ messagesMax: MESSAGES_MAX })
}

/** Locks the generations of a user until the transaction ends. Throws `limit_reached` when {@link RUNNING_MAX} are running. */
export async function assertGenerationLimit(tx: Tx, userId: string): Promise<void> {
  await lockGenerationsOfUser(tx, userId)
  if ((await countRunningGenerations(tx, userId)) >= RUNNING_MAX) throw chatErrors.tooManyAnswers({ runningMax: RUNNING_MAX })
}
