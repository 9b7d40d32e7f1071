import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { idRangeOfDays, type StoreDays } from '../../lib/days.ts'
import type { StatusRow } from './status-counts.queries.ts'

const startOf = (sql: Queryable, day: string, timeZone: string) => sql`(${day}::date)::timestamp at time zone ${timeZone}`

function ordersOfDays(sql: Queryable, asked: StoreDays) {
  const [first, last] = idRangeOfDays('ord', asked)
  return sql`orders o left join order_ends e on e.project_id = ${projectIdOf(asked.storeId)} and e.order_id >= ${first} and e.order_id < ${last} and e.order_id = o.id
    where o.project_id = ${projectIdOf(asked.storeId)} and o.id >= ${first} and o.id < ${last} and o.deleted_at is null
    and o.created_at >= ${startOf(sql, asked.from, asked.timeZone)} and o.created_at < ${startOf(sql, asked.until, asked.timeZone)}`
}

/** Amount of an order that was collected and not refunded: from `order_ends` if it has an entry there, else from the status. */
const retainedAmount = (sql: Queryable) => sql`coalesce(e.kept, case when o.status = 'delivered' then o.total else 0 end)`

/** Matches orders that are not exchanges. Exchange orders do not count as orders, but their amounts count. */
const isOwn = (sql: Queryable) => sql`o.exchange_of is null`

const countColumns = (sql: Queryable, confirmed: readonly string[]) => sql`count(*) filter (where ${isOwn(sql)})::int as orders,
  count(*) filter (where ${isOwn(sql)} and o.status = any (${confirmed as string[]}))::int as confirmed,
  count(*) filter (where ${isOwn(sql)} and o.status = 'delivered')::int as delivered,
  count(*) filter (where ${isOwn(sql)} and o.status = 'returned')::int as returned,
  count(*) filter (where ${isOwn(sql)} and o.status = 'cancelled')::int as cancelled,
  coalesce(sum(${retainedAmount(sql)}), 0) as revenue`

/** Counts of the orders of a group. */
export interface CountedRow {
  readonly orders: number
  readonly confirmed: number
  readonly delivered: number
  readonly returned: number
  readonly cancelled: number
  readonly revenue: string
}

/** Counts and amounts of a summary. */
export interface SummaryRow extends CountedRow {
  readonly lost: number
  readonly expected: string
  readonly averageOrder: string | null
  readonly member: number
  readonly api: number
  readonly storefront: number
  readonly connector: number
}

/** Reads at most two rows: one of the days before `since`, and one of the days from then on. */
export const readSummaryRows = (
  sql: Queryable,
  asked: StoreDays,
  since: string,
  confirmed: readonly string[],
  underway: readonly string[],
) =>
  sql<(SummaryRow & { isBefore: boolean })[]>`
    select o.created_at < ${startOf(sql, since, asked.timeZone)} as is_before, ${countColumns(sql, confirmed)},
      count(*) filter (where ${isOwn(sql)} and o.status = 'lost')::int as lost,
      coalesce(sum(coalesce(e.to_come, o.total)) filter (where o.status = any (${underway as string[]})), 0) as expected,
      round(avg(o.total) filter (where ${isOwn(sql)} and o.status <> 'cancelled'), 2) as average_order,
      count(*) filter (where ${isOwn(sql)} and o.source = 'member')::int as member,
      count(*) filter (where ${isOwn(sql)} and o.source = 'api')::int as api,
      count(*) filter (where ${isOwn(sql)} and o.source = 'storefront')::int as storefront,
      count(*) filter (where ${isOwn(sql)} and o.source = 'connector')::int as connector
    from ${ordersOfDays(sql, asked)} group by 1`

/** Reads counts by the first day of each step, without steps that have no orders. */
export const readChartRows = (sql: Queryable, asked: StoreDays, by: string, confirmed: readonly string[]) =>
  sql<(CountedRow & { day: string })[]>`
    select to_char(date_trunc(${by}, o.created_at at time zone ${asked.timeZone}), 'YYYY-MM-DD') as day, ${countColumns(sql, confirmed)}
    from ${ordersOfDays(sql, asked)} group by 1 order by 1`

/** Counts the orders of a range of days by status. */
export const readStatusRowsOfDays = (sql: Queryable, asked: StoreDays) =>
  sql<StatusRow[]>`select o.status, count(*)::int as orders from ${ordersOfDays(sql, asked)} group by 1`

/** Results of one agent. */
export interface LeaderRow {
  readonly userId: string
  readonly name: string | null
  readonly isMember: boolean
  readonly handled: number
  readonly confirmed: number
  readonly delivered: number
  readonly returned: number
  readonly lost: number
  readonly revenue: string
}

/**
 * Reads the agents that changed statuses of orders in the range, from the audit log. An order counts for the agent that confirmed it last.
 */
export function readLeaderRows(sql: Queryable, asked: StoreDays, most: number) {
  const [first, last] = idRangeOfDays('aud', asked)
  return sql<LeaderRow[]>`
    with changes as materialized (
      select e.id, e.by_id, e.thing, e.after ->> 'status' = 'confirmed' as confirms from audit_entries e
      where e.project_id = ${projectIdOf(asked.storeId)} and e.what = 'order.status_changed' and e.by_kind = 'person' and e.id >= ${first} and e.id < ${last}
        and e.created_at >= ${startOf(sql, asked.from, asked.timeZone)} and e.created_at < ${startOf(sql, asked.until, asked.timeZone)}),
    confirmed as (select distinct on (thing) thing, by_id from changes where confirms order by thing, id desc),
    won as (
      select c.by_id, count(*)::int as confirmed, count(*) filter (where o.status = 'delivered')::int as delivered,
        count(*) filter (where o.status = 'returned')::int as returned, count(*) filter (where o.status = 'lost')::int as lost,
        coalesce(sum(${retainedAmount(sql)}), 0) as revenue
      from confirmed c join orders o on o.project_id = ${projectIdOf(asked.storeId)} and o.id = c.thing and o.deleted_at is null
        left join order_ends e on e.project_id = ${projectIdOf(asked.storeId)} and e.order_id = o.id group by 1),
    handled as (select by_id, count(distinct thing)::int as handled from changes group by 1)
    select h.by_id as user_id, u.name, m.user_id is not null as is_member, h.handled, coalesce(w.confirmed, 0) as confirmed,
      coalesce(w.delivered, 0) as delivered, coalesce(w.returned, 0) as returned, coalesce(w.lost, 0) as lost, coalesce(w.revenue, 0) as revenue
    from handled h left join won w on w.by_id = h.by_id left join users u on u.id = h.by_id
      left join store_members m on m.store_id = ${asked.storeId} and m.user_id = h.by_id
    order by 5 desc, 6 desc, 4 desc, 1 limit ${most}`
}
