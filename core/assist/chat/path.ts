import type { Queryable } from '../../data/sql.ts'
import { outcomesOf } from '../tools/outcomes.ts'
import { MESSAGES_MAX } from './chat.model.ts'
import { type MessageRow, pathTo } from './chat.queries.ts'

/** What was said up to a message, as models are told of it: what became of a proposal by now, instead of that it waits. */
export async function pathOf(sql: Queryable, messageId: string): Promise<MessageRow[]> {
  const path = await pathTo(sql, messageId, MESSAGES_MAX)
  const outcomes = await outcomesOf(
    sql,
    path.flatMap(({ proposalId }) => proposalId ?? []),
  )
  return path.map((message) => ({ ...message, ...(message.proposalId !== null && outcomes.get(message.proposalId)) }))
}
