import { keyedByProject, projectIdOf } from '../../data/project-ids.ts'
import { type Queryable, rowValues } from '../../data/sql.ts'
import type { CallOutcome, PastCall } from '../details/calls.model.ts'
import type { Order } from '../orders.model.ts'

/** Finished call to insert, with what is needed to undo it. */
interface NewCall extends Omit<PastCall, 'createdAt' | 'agentName'> {
  readonly storeId: string
  readonly orderId: string
  readonly fromStatus: Order['status']
  readonly attemptsBefore: number
  /** Time at which the call was due, as PostgreSQL writes it. */
  readonly dueBefore: string
}

/** Inserts a finished call. */
export const insertCall = (sql: Queryable, call: NewCall) => sql`insert into confirmation_calls ${rowValues(sql, keyedByProject(call))}`

/** Call that was undone. */
interface UndoneCall {
  readonly outcome: CallOutcome
  readonly fromStatus: Order['status']
  readonly attempts: number
  readonly dueAt: string
  /** True if no call of the order followed. */
  readonly isLast: boolean
}

interface CallKey {
  readonly projectId: string
  readonly orderId: string
  readonly id: string
  readonly agentId: string
}

/** Deletes a call that an agent finished within the last seconds, and returns what it changed; undefined when there is none. */
export const deleteRecentCall = async (sql: Queryable, { projectId, orderId, id, agentId }: CallKey, seconds: number) =>
  (
    await sql<UndoneCall[]>`
      delete from confirmation_calls c where project_id = ${projectId} and order_id = ${orderId} and id = ${id} and agent_id = ${agentId}
        and created_at > now() - ${seconds} * interval '1 second' and from_status is not null
      returning outcome, from_status, attempts_before as attempts, due_before::text as due_at, not exists (
        select from confirmation_calls n where n.project_id = c.project_id and n.order_id = c.order_id and n.id > c.id) as is_last`
  )[0]

/** Number of calls of an agent by their outcome. */
export interface OutcomeCount {
  readonly outcome: CallOutcome
  readonly count: number
}

/** Counts the calls that an agent finished today, in the days of a time zone. */
export const countCallsOfToday = (sql: Queryable, storeId: string, agentId: string, timeZone: string) =>
  sql<OutcomeCount[]>`
    select outcome, count(*)::int as count from confirmation_calls
    where project_id = ${projectIdOf(storeId)} and agent_id = ${agentId}
      and created_at >= date_trunc('day', now() at time zone ${timeZone}) at time zone ${timeZone}
    group by outcome`
