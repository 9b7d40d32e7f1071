import { keyedByProject, projectIdOf } from '../../data/project-ids.ts'
import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { ConfirmationCall } from './confirmation.model.ts'

type Fragment = ReturnType<Queryable>

/** Agent that confirms orders by phone. */
export interface ConfirmationAgent {
  readonly id: string
  /** Null accepts orders of any language. */
  readonly languages: readonly string[] | null
  readonly skills: readonly string[] | null
}

/** Serializes the requests of an agent in a store, so that the agent leases one order at a time. */
export const lockAgent = async (sql: Tx, storeId: string, agentId: string) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`confirms in ${storeId}: ${agentId}`}, 0))`
}

interface QueuedCall {
  readonly orderId: string
  readonly attempts: number
}

/**
 * Locks the order last leased to the agent, even after the lease ended, unless another agent leased it since. Waits for a concurrent change
 * of it.
 */
export const lockOwnCall = async (sql: Tx, storeId: string, agentId: string) =>
  (
    await sql<
      QueuedCall[]
    >`select order_id, attempts from confirmation_queue where project_id = ${projectIdOf(storeId)} and leased_by = ${agentId}
      order by leased_until desc limit 1 for update`
  )[0]

/** Comparison keys: case is ignored, and for languages the region too (`fr-CA` equals `fr`). */
const comparisonKey = {
  language: (sql: Queryable, value: Fragment) => sql`split_part(replace(lower(trim(${value})), '_', '-'), '-', 1)`,
  skill: (sql: Queryable, value: Fragment) => sql`lower(trim(${value}))`,
}

const OVERDUE = '1 day'

/**
 * Locks the longest due order that is not leased. Prefers the agent's own, then unassigned ones that match languages and skills, then any
 * order overdue by a day.
 */
export async function lockDueCall(sql: Tx, storeId: string, { id, languages, skills }: ConfirmationAgent): Promise<QueuedCall | undefined> {
  const fits = (column: keyof typeof comparisonKey, known: readonly string[] | null) => {
    const as = comparisonKey[column]
    if (known === null) return sql``
    return sql`and (${sql(column)} is null or ${as(sql, sql`${sql(column)}`)} in (select ${as(sql, sql`w`)} from unnest(${known as string[]}::text[]) w))`
  }
  const kinds = [
    sql`assigned_to = ${id}`,
    sql`assigned_to is null ${fits('language', languages)} ${fits('skill', skills)}`,
    sql`due_at <= now() - ${OVERDUE}::interval`,
  ]
  for (const kind of kinds) {
    const [found] = await sql<QueuedCall[]>`select order_id, attempts from confirmation_queue
      where project_id = ${projectIdOf(storeId)} and due_at <= now() and (leased_until is null or leased_until <= now()) and ${kind}
        and exists (select from orders o where o.project_id = ${projectIdOf(storeId)} and o.id = order_id and confirmation_waits(o.status, o.deleted_at))
      order by due_at, order_id limit 1 for update skip locked`
    if (found) return found
  }
  return undefined
}

/** Leases an order to an agent until the given time. */
export const leaseCall = (sql: Tx, storeId: string, orderId: string, agentId: string, until: string) =>
  sql`update confirmation_queue set leased_by = ${agentId}, leased_until = ${until} where project_id = ${projectIdOf(storeId)} and order_id = ${orderId}`

/** Records that a store uses its confirmation queue. */
export const recordQueueUse = (sql: Tx, storeId: string) =>
  sql`insert into confirmation_uses (project_id) values (${projectIdOf(storeId)}) on conflict do nothing`

/** Locks the queue entry of an order and returns its lease. The caller must have locked the order. */
export const lockLease = async (sql: Tx, storeId: string, orderId: string) =>
  (
    await sql<
      { leasedBy: string | null; attempts: number }[]
    >`select leased_by, attempts from confirmation_queue where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} for update`
  )[0]

/** Ends a lease. `dueAt` is the time of the next call; null means never, and `now` queues the order behind those already due. */
export const releaseLease = (sql: Tx, storeId: string, orderId: string, dueAt: string | null | 'now', attempts: number) =>
  sql`update confirmation_queue set leased_by = null, leased_until = null, attempts = ${attempts},
    due_at = ${dueAt === 'now' ? sql`greatest(due_at, now())` : sql`coalesce(${dueAt}::timestamptz, 'infinity')`}
    where project_id = ${projectIdOf(storeId)} and order_id = ${orderId}`

/** Ends all leases of an agent in a store, so that other agents can lease those orders immediately. */
export const releaseLeasesOf = (sql: Tx, storeId: string, agentId: string) =>
  sql`update confirmation_queue set leased_by = null, leased_until = null where project_id = ${projectIdOf(storeId)} and leased_by = ${agentId}`

type StoredCall = ConfirmationCall['calls'][number]

/** Inserts a finished call. */
export const insertCall = (sql: Queryable, call: Omit<StoredCall, 'createdAt'> & { storeId: string; orderId: string; id: string }) =>
  sql`insert into confirmation_calls ${rowValues(sql, keyedByProject(call))}`

/** Lists the calls of an order, newest first. */
export const listCalls = (sql: Queryable, storeId: string, orderId: string, most: number) =>
  sql<StoredCall[]>`select outcome, reason, agent_id, next_try_at, created_at from confirmation_calls
    where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} order by id desc limit ${most}`
