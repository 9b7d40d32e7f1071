import { containsCondition, equalsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../data/keyset-page.ts'
import { eraseInOneTransaction } from '../../data/personal-data/personal-data.ts'
import { projectIdOf, storeIdColumn } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'
import type { Customer, CustomerListRequest, CustomerProfile } from './customers.model.ts'
import { riskOf } from './risk.model.ts'

/** Outcome of {@link lockOrInsertCustomer}: null when another transaction inserted the customer at the same time. */
export type CustomerOutcome = 'found' | 'created' | null

/**
 * Locks the customer of a phone number against removal and key changes until the transaction ends, and inserts it where there is none.
 * On null the caller calls again.
 */
export async function lockOrInsertCustomer(tx: Tx, customer: Customer): Promise<CustomerOutcome> {
  const [row] = await tx<{ outcome: CustomerOutcome }[]>`
    with found as materialized (
      select 1 from customers where project_id = ${projectIdOf(customer.storeId)} and phone = ${customer.phone} for key share
    ), created as (
      insert into customers (id, project_id, name, phone, phone_alt, email, first_order_id, created_at)
      select ${customer.id}, ${projectIdOf(customer.storeId)}, ${customer.name}, ${customer.phone}, ${customer.phoneAlt}, ${customer.email}, ${customer.firstOrderId}, ${customer.createdAt}
      where not exists (select from found) on conflict (project_id, phone) do nothing returning id
    )
    select case when exists (select from found) then 'found' when exists (select from created) then 'created' end as outcome`
  return row?.outcome ?? null
}

type ProfileRow = Omit<CustomerProfile, 'outcomes' | 'risk'> & {
  readonly outcomes: CustomerProfile['outcomes'] & { readonly spent: string }
}

/** Columns of a profile. Orders are counted by all phone numbers of the person, through an index. */
const profileColumns = (
  sql: Queryable,
) => sql`c.id, ${storeIdColumn(sql, 'c')}, c.name, c.phone, c.phone_alt, c.email, c.first_order_id, c.created_at,
  (select array_agg(n.phone order by n.id <> c.id, n.id) from customers n where n.project_id = c.project_id and (n.id = c.id or n.merged_into = c.id)) as phones,
  (select jsonb_build_object('orders', count(*), 'delivered', count(*) filter (where o.status = 'delivered'),
      'returned', count(*) filter (where o.status = 'returned'),
      'returning', count(*) filter (where o.status = 'returning'), 'cancelled', count(*) filter (where o.status = 'cancelled'),
      'open', count(*) filter (where o.status not in ('delivered', 'returned', 'cancelled', 'lost')),
      'spent', coalesce(sum(o.total) filter (where o.status = 'delivered'), 0)::text,
      'lastOrderAt', to_char(max(o.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from orders o where o.project_id = c.project_id and o.deleted_at is null and o.customer_phone in (
      select n.phone from customers n where n.project_id = c.project_id and (n.id = c.id or n.merged_into = c.id))) as outcomes`

const presentProfile = ({ outcomes, ...customer }: ProfileRow & SortedRow) => ({
  ...customer,
  outcomes: { ...outcomes, spent: Number(outcomes.spent) },
  risk: riskOf(outcomes.delivered, outcomes.returned + outcomes.returning),
})

const searchText = (sql: Queryable): ReturnType<Queryable> =>
  sql`name || ' ' || phone || ' ' || coalesce(phone_alt, '') || ' ' || coalesce(email, '')`

/** Returns a page of a store's customers, without those that were merged or erased. */
export async function listCustomers(sql: Queryable, storeId: string, { filter, q, page: part }: CustomerListRequest) {
  const { phone, email, from, to } = filter
  const rows = await sql<(ProfileRow & SortedRow)[]>`
    select ${profileColumns(sql)} ${part.sortColumn === null ? sql`` : sql`, c.sort_value`} from (
      select * ${sortValueColumn(sql, part)} from customers where project_id = ${projectIdOf(storeId)} and merged_into is null and erased_at is null
        ${equalsCondition(sql, { email }, ['email'])}
        ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
        ${to === undefined ? sql`` : sql`and created_at < ${to}`}
        ${phone === undefined ? sql`` : sql`and id in (select coalesce(merged_into, id) from customers where project_id = ${projectIdOf(storeId)} and phone = ${phone})`}
        ${q === undefined ? sql`` : sql`and ${containsCondition(sql, searchText(sql), q)}`}
        ${keysetPage(sql, part)}) c
    ${part.sortColumn === null ? sql`order by c.id` : sql`order by c.${sql(part.sortColumn)} ${part.isDescending ? sql`desc` : sql`asc`}, c.id`}
    ${part.isDescending ? sql`desc` : sql`asc`}`
  return rows.map(presentProfile)
}

/** Finds the newest customers of a store by a text, without their orders. Skips those that were merged or erased. */
export const findCustomersByText = (sql: Queryable, storeId: string, q: string, limit: number) =>
  sql<Pick<Customer, 'id' | 'name' | 'phone'>[]>`
    select id, name, phone from customers where project_id = ${projectIdOf(storeId)} and merged_into is null and erased_at is null
      and ${containsCondition(sql, searchText(sql), q)} order by id desc limit ${limit}`

/** Finds a customer by id, also by the id of a customer that was merged into it. Skips erased ones. */
export const findCustomer = async (sql: Queryable, storeId: string, id: string) =>
  (
    await sql<
      ProfileRow[]
    >`select ${profileColumns(sql)} from customers c where c.project_id = ${projectIdOf(storeId)} and c.erased_at is null
      and c.id = (select coalesce(merged_into, id) from customers where project_id = ${projectIdOf(storeId)} and id = ${id})`
  ).map(presentProfile)[0]

/** Customer row with its merge target, as locked for a merge or an erasure. */
export interface LockedCustomer {
  readonly id: string
  readonly phone: string
  readonly mergedInto: string | null
}

/** Locks these customers and those merged into them, in id order to avoid deadlocks. Skips erased ones. */
export const lockCustomers = (tx: Tx, storeId: string, ids: readonly string[]) =>
  tx<
    (Customer & LockedCustomer)[]
  >`select *, ${storeIdColumn(tx, 'customers')} from customers where project_id = ${projectIdOf(storeId)} and erased_at is null
    and (id = any (${ids as string[]}) or merged_into = any (${ids as string[]})) order by id for update`

/** Marks customers as merged into another. */
export const updateMergedInto = (tx: Tx, storeId: string, into: string, ids: readonly string[]) =>
  tx`update customers set merged_into = ${into} where project_id = ${projectIdOf(storeId)} and id = any (${ids as string[]})`

/** Finds the ids of customers by phone number or by lower-case e-mail address; a merged customer gives the id it was merged into. */
export const findCustomersByContact = (sql: Queryable, storeId: string, phones: readonly string[], emails: readonly string[]) =>
  sql<
    { id: string }[]
  >`select distinct coalesce(merged_into, id) as id from customers where project_id = ${projectIdOf(storeId)} and erased_at is null
    and (phone = any (${phones as string[]}) or lower(email) = any (${emails as string[]}))`

/** Erases customers and frees their phone numbers; the next order of the person creates a new customer. */
export const eraseCustomers = (tx: Tx, storeId: string, ids: readonly string[], mark: string) =>
  tx`update customers set name = ${mark}, phone = ${mark} || ' ' || id, phone_alt = case when phone_alt is not null then ${mark} end,
    email = case when email is not null then ${mark} end, erased_at = now() where project_id = ${projectIdOf(storeId)} and id = any (${ids as string[]})`

/**
 * Erases the person's phone number where it is the second number of another customer. The person's own rows are erased when erasure is
 * requested.
 */
export const personalCustomers = eraseInOneTransaction(
  'customers',
  (tx, { storeId, terms, requestedAt: askedAt }) =>
    tx`update customers set phone_alt = ${ERASED} where project_id = ${projectIdOf(storeId)} and phone_alt = any (${terms.phones as string[]}) and created_at <= ${askedAt}`,
)
