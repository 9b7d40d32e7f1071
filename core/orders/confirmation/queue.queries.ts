import { projectIdOf } from '../../data/project-ids.ts'
import { expectOne, type Queryable, type Tx } from '../../data/sql.ts'
import { COUNTED_MAX, type ConfirmationCounts } from './confirmation.model.ts'

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

/** Order in the queue, and its consecutive calls without a decision. */
export interface QueuedCall {
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

/** Lease of an order in the queue. */
export interface Lease {
  readonly leasedBy: string | null
  /** ISO 8601. */
  readonly leasedUntil: string | null
  /** True until the lease ends. */
  readonly isLeased: boolean
  readonly attempts: number
  /** Time at which the call is due, as PostgreSQL writes it; `infinity` when no call is planned. */
  readonly dueAt: string
}

/** Locks the queue entry of an order and returns its lease; undefined when it does not wait. A caller that changes the order locks it first. */
export const lockLease = async (sql: Tx, storeId: string, orderId: string) =>
  (
    await sql<Lease[]>`select leased_by, leased_until, coalesce(leased_until > now(), false) as is_leased, attempts, due_at::text
      from confirmation_queue where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} for update`
  )[0]

/** Counts the orders that are leased to an agent, except one. */
export const countLeases = async (sql: Queryable, storeId: string, agentId: string, except: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from confirmation_queue
      where project_id = ${projectIdOf(storeId)} and leased_by = ${agentId} and leased_until > now() and order_id <> ${except}`,
  ).count

/** Returns the name of an agent, which is a user or an API key; null if it was deleted. */
export const findAgentName = async (sql: Queryable, agentId: string) =>
  expectOne(
    await sql<{ name: string | null }[]>`
      select coalesce((select name from users where id = ${agentId}), (select name from api_keys where id = ${agentId})) as name`,
  ).name

/** Gives an order its place in the queue back. */
export const restoreDueTime = (sql: Tx, storeId: string, orderId: string, { attempts, dueAt }: Pick<Lease, 'attempts' | 'dueAt'>) =>
  sql`update confirmation_queue set attempts = ${attempts}, due_at = ${dueAt}::text::timestamptz
    where project_id = ${projectIdOf(storeId)} and order_id = ${orderId}`

/** Counts the orders of a store that wait for a call, and those that the agent has. Counts each kind up to {@link COUNTED_MAX}. */
export async function countQueue(sql: Queryable, storeId: string, agentId: string) {
  const count = (where: Fragment) => sql`(select count(*)::int from (
    select from confirmation_queue where project_id = ${projectIdOf(storeId)} and ${where} limit ${COUNTED_MAX}) c)`
  const isFree = sql`(leased_until is null or leased_until <= now())`
  return expectOne(
    await sql<(Omit<ConfirmationCounts, 'mine'> & { held: number })[]>`
      select ${count(sql`due_at <= now() and ${isFree}`)} as due,
        ${count(sql`due_at > now() and due_at < 'infinity' and ${isFree}`)} as later,
        ${count(sql`due_at = 'infinity' and ${isFree}`)} as stopped,
        ${count(sql`leased_by is not null and leased_until > now()`)} as leased,
        ${count(sql`leased_by = ${agentId} and leased_until > now()`)} as held,
        (select min(due_at) from confirmation_queue
          where project_id = ${projectIdOf(storeId)} and due_at > now() and due_at < 'infinity') as next_due_at`,
  )
}

/** Ends a lease. `dueAt` is the time of the next call; null means never, and `now` queues the order behind those already due. */
export const releaseLease = (sql: Tx, storeId: string, orderId: string, dueAt: string | null | 'now', attempts: number) =>
  sql`update confirmation_queue set leased_by = null, leased_until = null, attempts = ${attempts},
    due_at = ${dueAt === 'now' ? sql`greatest(due_at, now())` : sql`coalesce(${dueAt}::timestamptz, 'infinity')`}
    where project_id = ${projectIdOf(storeId)} and order_id = ${orderId}`

/** Ends all leases of an agent in a store, so that other agents can lease those orders immediately. */
export const releaseLeasesOf = (sql: Tx, storeId: string, agentId: string) =>
  sql`update confirmation_queue set leased_by = null, leased_until = null where project_id = ${projectIdOf(storeId)} and leased_by = ${agentId}`
