import type { Queryable } from '../../data/sql.ts'
import { outcomesOf } from '../tools/outcomes.ts'
import { listMessagePath, type MessageRow } from './chat.queries.ts'

/**
 * Messages of a branch that are read. More than most models can hold, so that a summary covers them; fewer than a model accepts, because
 * the tool rounds add more.
 */
const PATH_MESSAGES = 1_500
/** Bytes of messages of a branch that are read. */
const PATH_BYTES = 2 * 1024 * 1024

/** Reads the branch up to a message, oldest first. The message of a decided proposal has the current outcome as its text. */
export async function readMessagePath(sql: Queryable, projectId: string, messageId: string): Promise<MessageRow[]> {
  const path = startAtUserMessage(await listMessagePath(sql, projectId, messageId, PATH_MESSAGES, PATH_BYTES))
  const outcomes = await outcomesOf(
    sql,
    projectId,
    path.flatMap(({ proposalId }) => proposalId ?? []),
  )
  return path.map((message) => ({ ...message, ...(message.proposalId !== null && outcomes.get(message.proposalId)) }))
}

/** Returns true when earlier messages of the branch were not read and no summary replaces them. */
export function isTruncated(path: readonly MessageRow[]): boolean {
  const before = path[0]?.parentId ?? null
  return before !== null && !path.some(({ coversId }) => coversId === before)
}

/** Starts a truncated path at a message of the user, so that no tool call is separated from its result. */
function startAtUserMessage(path: readonly MessageRow[]): readonly MessageRow[] {
  const first = isTruncated(path) ? path.findIndex(({ role }) => role === 'user') : 0
  return path.slice(Math.max(0, first))
}
