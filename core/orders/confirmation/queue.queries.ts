import { type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Call } from './confirmation.model.ts'

type Fragment = ReturnType<Queryable>

export interface Agent {
  readonly id: string
  /** Null for whoever takes any. */
  readonly languages: readonly string[] | null
  readonly skills: readonly string[] | null
}

/** Requests of one agent in a store go one after the other: he has one order at a time. */
export const holdAgent = async (sql: Tx, storeId: string, agentId: string) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`confirms in ${storeId}: ${agentId}`}, 0))`
}

interface Waiting {
  readonly orderId: string
  readonly attempts: number
}

/** What the agent has already, also when his time is over and nobody else took it. Whoever saves that order is waited for: he has no second one. */
export const lockOwn = async (sql: Tx, storeId: string, agentId: string) =>
  (
    await sql<Waiting[]>`select order_id, attempts from confirmation_queue where store_id = ${storeId} and leased_by = ${agentId}
      order by leased_until desc limit 1 for update`
  )[0]

/** How what an order asks for is compared: letters count, not their size; of a language not its country either, as in fr-CA. */
const compared = {
  language: (sql: Queryable, value: Fragment) => sql`split_part(replace(lower(trim(${value})), '_', '-'), '-', 1)`,
  skill: (sql: Queryable, value: Fragment) => sql`lower(trim(${value}))`,
}

const OVERDUE = '1 day'

/** Orders that are due and with nobody, whoever is due longest first: the agent's own; then nobody's that he can handle; then whatever waits for a day. */
export async function lockDue(sql: Tx, storeId: string, { id, languages, skills }: Agent): Promise<Waiting | undefined> {
  const fits = (column: keyof typeof compared, known: readonly string[] | null) => {
    const as = compared[column]
    if (known === null) return sql``
    return sql`and (${sql(column)} is null or ${as(sql, sql`${sql(column)}`)} in (select ${as(sql, sql`w`)} from unnest(${known as string[]}::text[]) w))`
  }
  const kinds = [
    sql`assigned_to = ${id}`,
    sql`assigned_to is null ${fits('language', languages)} ${fits('skill', skills)}`,
    sql`due_at <= now() - ${OVERDUE}::interval`,
  ]
  for (const kind of kinds) {
    const [found] = await sql<Waiting[]>`select order_id, attempts from confirmation_queue
      where store_id = ${storeId} and due_at <= now() and (leased_until is null or leased_until <= now()) and ${kind}
      order by due_at, order_id limit 1 for update skip locked`
    if (found) return found
  }
  return undefined
}

export const lease = (sql: Tx, storeId: string, orderId: string, agentId: string, until: string) =>
  sql`update confirmation_queue set leased_by = ${agentId}, leased_until = ${until} where store_id = ${storeId} and order_id = ${orderId}`

/** Notes that a store uses its confirmation queue. */
export const noteUse = (sql: Tx, storeId: string) =>
  sql`insert into confirmation_uses (store_id) values (${storeId}) on conflict do nothing`

/** Who has the order, held until the transaction ends. The caller holds the order. */
export const lockLease = async (sql: Tx, storeId: string, orderId: string) =>
  (
    await sql<
      { leasedBy: string | null; attempts: number }[]
    >`select leased_by, attempts from confirmation_queue where store_id = ${storeId} and order_id = ${orderId} for update`
  )[0]

/** `dueAt`: null for never, `now` for where it was in the row, but behind those who waited longer. */
export const endLease = (sql: Tx, storeId: string, orderId: string, dueAt: string | null | 'now', attempts: number) =>
  sql`update confirmation_queue set leased_by = null, leased_until = null, attempts = ${attempts},
    due_at = ${dueAt === 'now' ? sql`greatest(due_at, now())` : sql`coalesce(${dueAt}::timestamptz, 'infinity')`}
    where store_id = ${storeId} and order_id = ${orderId}`

/** Whoever is next has at once what this agent had. */
export const endLeasesOf = (sql: Tx, storeId: string, agentId: string) =>
  sql`update confirmation_queue set leased_by = null, leased_until = null where store_id = ${storeId} and leased_by = ${agentId}`

type Kept = Call['calls'][number]

export const insertCall = (sql: Queryable, call: Omit<Kept, 'createdAt'> & { storeId: string; orderId: string; id: string }) =>
  sql`insert into confirmation_calls ${rowValues(sql, call)}`

export const listCalls = (sql: Queryable, storeId: string, orderId: string, most: number) =>
  sql<Kept[]>`select outcome, reason, agent_id, next_try_at, created_at from confirmation_calls
    where store_id = ${storeId} and order_id = ${orderId} order by id desc limit ${most}`
