import type { Queryable } from '../../data/sql.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { callOutcomeNames } from '../details/calls.model.ts'
import { callingZoneOf } from './calling-hours.ts'
import { countCallsOfToday } from './calls.queries.ts'
import type { ConfirmationCounts } from './confirmation.model.ts'
import { countQueue } from './queue.queries.ts'

/** Counts the orders that wait for a call, and the calls of one agent today. */
export async function countCalls(sql: Queryable, store: Store, agentId: string): Promise<ConfirmationCounts> {
  const [{ held, ...waiting }, calls] = await Promise.all([
    countQueue(sql, store.id, agentId),
    countCallsOfToday(sql, store.id, agentId, callingZoneOf(store)),
  ])
  const countOf = new Map(calls.map(({ outcome, count }) => [outcome, count]))
  const outcomes = Object.fromEntries(
    callOutcomeNames.map((name) => [name, countOf.get(name) ?? 0]),
  ) as ConfirmationCounts['mine']['outcomes']
  return { ...waiting, mine: { held, calls: calls.reduce((sum, { count }) => sum + count, 0), outcomes } }
}
