import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import type { OrderKey } from '../orders.queries.ts'
import { CALLS_SHOWN, type PastCall } from './calls.model.ts'

/** Lists the last calls to the customer of an order, newest first. */
export const listPastCalls = (sql: Queryable, { storeId, id }: OrderKey) =>
  sql<PastCall[]>`
    select c.id, c.outcome, c.reason_code, c.reason, c.agent_id, coalesce(u.name, k.name) as agent_name, c.next_try_at, c.created_at
    from confirmation_calls c left join users u on u.id = c.agent_id left join api_keys k on k.id = c.agent_id
    where c.project_id = ${projectIdOf(storeId)} and c.order_id = ${id} order by c.id desc limit ${CALLS_SHOWN}`
