import type { Queryable } from '../../data/sql.ts'
import { outcomesOf } from '../tools/outcomes.ts'
import { type MessageRow, pathTo } from './chat.queries.ts'

/** More than models are told: what stands before is summed up as far as it is read. Fewer messages than a model takes, which gets those of its rounds too. */
const TOLD_MESSAGES = 1_500
const TOLD_BYTES = 2 * 1024 * 1024

/** What was said up to a message, as models are told of it: what became of a proposal by now, instead of that it waits. */
export async function pathOf(sql: Queryable, messageId: string): Promise<MessageRow[]> {
  const path = beginning(await pathTo(sql, messageId, TOLD_MESSAGES, TOLD_BYTES))
  const outcomes = await outcomesOf(
    sql,
    path.flatMap(({ proposalId }) => proposalId ?? []),
  )
  return path.map((message) => ({ ...message, ...(message.proposalId !== null && outcomes.get(message.proposalId)) }))
}

/** Whether more was said before, and no summary stands for it. */
export function isCutShort(path: readonly MessageRow[]): boolean {
  const before = path[0]?.parentId ?? null
  return before !== null && !path.some(({ coversId }) => coversId === before)
}

/** Where it is cut short it begins with what the person said, so that no call is torn from its answer. */
function beginning(path: readonly MessageRow[]): readonly MessageRow[] {
  const first = isCutShort(path) ? path.findIndex(({ role }) => role === 'user') : 0
  return path.slice(Math.max(0, first))
}
