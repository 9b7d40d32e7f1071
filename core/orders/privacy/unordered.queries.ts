import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import { isRetained, olderThan, type RetainingStore } from './retention.queries.ts'

/** Feedback or a shop's order with what it says of a person, as it was typed. */
export interface UnorderedRow {
  readonly id: string
  readonly externalId: string | null
  readonly name: string | null
  readonly phones: readonly string[]
  readonly email: string | null
  readonly address: string | null
  /** JSON of what the shop sent, while its order waits. */
  readonly raw: unknown
}

const feedback = (sql: Queryable) =>
  sql`select f.id, null as external_id, f.name, array_remove(array[f.phone], null) as phones, lower(f.email) as email, null as address, null::jsonb as raw
    from feedbacks f`
const shopOrder = (sql: Queryable) =>
  sql`select c.id, c.external_id, c.told #>> '{customer,name}' as name,
      array_remove(array[c.told #>> '{customer,phone}', c.told #>> '{customer,phoneAlt}'], null) as phones,
      lower(c.told #>> '{customer,email}') as email, c.told #>> '{address,address}' as address, c.raw
    from connector_orders c`

/** Reads feedback of a store by ids, in the columns that an erasure compares. */
export const readFeedbacks = (sql: Queryable, storeId: string, ids: readonly string[]) =>
  sql<UnorderedRow[]>`${feedback(sql)} where f.project_id = ${projectIdOf(storeId)} and f.id = any (${ids as string[]})`

/** Reads orders of connected shops by ids, in the columns that an erasure compares. */
export const readShopOrders = (sql: Queryable, storeId: string, ids: readonly string[]) =>
  sql<UnorderedRow[]>`${shopOrder(sql)} where c.project_id = ${projectIdOf(storeId)} and c.id = any (${ids as string[]})`

/** Lists feedback without an order that is older than the store keeps it, after a place. */
export const listOldFeedbacks = (sql: Queryable, { id, days }: RetainingStore, after: string, take: number) =>
  sql<
    UnorderedRow[]
  >`${feedback(sql)} where f.project_id = ${projectIdOf(id)} and f.order_id is null and f.created_at < ${olderThan(sql, days)}
    and f.name <> ${ERASED} and f.id > ${after} order by f.id limit ${take}`

/** Lists orders of shops that never became one of ours, and are older than the store keeps them, after a place. */
export const listOldShopOrders = (sql: Queryable, { id, days }: RetainingStore, after: string, take: number) =>
  sql<UnorderedRow[]>`${shopOrder(sql)} where c.project_id = ${projectIdOf(id)} and c.order_id is null and c.erased_at is null
    and c.created_at < ${olderThan(sql, days)} and c.id > ${after} order by c.id limit ${take}`

/** Tells which of these phone numbers and e-mail addresses are of people whom the store keeps. */
export const listKept = async (
  sql: Queryable,
  { id, projectId, days }: RetainingStore,
  phones: readonly string[],
  emails: readonly string[],
) =>
  (
    await sql<{ contact: string }[]>`
      select phone as contact from customers where project_id = ${projectIdOf(id)} and phone = any (${phones as string[]}) and erased_at is null
      union select p.recipient ->> 'phone' from parcels p where p.project_id = ${projectId} and p.recipient ->> 'phone' = any (${phones as string[]})
        and p.erased_at is null and ${isRetained(sql, days)}
      union select lower(customer_email) from orders where project_id = ${projectIdOf(id)} and lower(customer_email) = any (${emails as string[]}) and erased_at is null`
  ).map(({ contact }) => contact)

/** Tells which of these e-mail addresses orders have that are not erased: those may be of many people. */
export const listEmailsOfOrders = async (sql: Queryable, storeId: string, emails: readonly string[]) =>
  (
    await sql<{ email: string }[]>`select distinct lower(customer_email) as email from orders
      where project_id = ${projectIdOf(storeId)} and lower(customer_email) = any (${emails as string[]}) and erased_at is null`
  ).map(({ email }) => email)
