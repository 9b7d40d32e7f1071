import type { Queryable, Tx } from '../../data/sql.ts'
import { countedCells, type DayRun, type Dimension, ordersOfRun, type ProjectZone } from './counting.queries.ts'

/** Query for the cells of a project on some days. */
export interface CellsQuery extends ProjectZone {
  readonly dimension: Dimension
  readonly days: readonly string[]
  /** Values to read; null for all. */
  readonly keys: readonly string[] | null
}

/** Sums of the orders of one day, one value of the dimension and one status. */
export interface OrderFactCell {
  /** Null when the sums cover all days. */
  readonly day: string | null
  readonly key: string
  readonly status: string
  readonly orders: number
  readonly units: number
  readonly goods: string
  readonly delivery: string
  readonly discount: string
  readonly total: string
  readonly paid: string
  readonly cost: string
  readonly unitsWithoutCost: number
  readonly exchanges: number
  readonly kept: string
  readonly keptDelivery: string
  readonly returned: string
  readonly toCome: string
}

/** Makes the transaction read from one snapshot, with plans for the actual parameters. */
export const useSnapshot = (sql: Tx) =>
  Promise.all([sql`set transaction isolation level repeatable read`, sql`set local plan_cache_mode = force_custom_plan`])

/** Lists the days that were not counted yet, or had an order changed since. */
export const listUncountedDays = async (sql: Queryable, { projectId, timeZone, days }: CellsQuery) =>
  (
    await sql<{ day: string }[]>`
      -- Changes that no mark was made of yet.
      with pending as materialized (
        select distinct unnest(array[o.created_at, e.created_at]) as at from order_changes c join orders o on o.project_id = c.project_id and o.id = c.order_id
          left join orders e on e.project_id = o.project_id and e.id = o.exchange_of
          where c.project_id = ${projectId})
      select to_char(d.day, 'YYYY-MM-DD') as day from unnest(${days as string[]}::date[]) d (day)
      where not exists (select 1 from analytics_days f where f.project_id = ${projectId} and f.day = d.day and f.time_zone = ${timeZone})
        or exists (select 1 from analytics_marks m where m.project_id = ${projectId}
          and m.at >= d.day::timestamp at time zone ${timeZone} and m.at < (d.day + 1)::timestamp at time zone ${timeZone})
        or exists (select 1 from pending p
          where p.at >= d.day::timestamp at time zone ${timeZone} and p.at < (d.day + 1)::timestamp at time zone ${timeZone})
      order by d.day`
  ).map(({ day }) => day)

type Fragment = ReturnType<Queryable>

const sumCells = (sql: Queryable, cells: Fragment, { byDay }: { readonly byDay: boolean }) => sql<OrderFactCell[]>`
  select ${byDay ? sql`to_char(day, 'YYYY-MM-DD')` : sql`null`} as day, key, status, sum(orders)::int as orders, sum(units)::bigint as units, sum(goods) as goods,
    sum(delivery) as delivery, sum(discount) as discount, sum(total) as total, sum(paid) as paid, sum(cost) as cost, sum(units_without_cost)::bigint as units_without_cost,
    sum(exchanges)::int as exchanges, sum(kept) as kept, sum(kept_delivery) as kept_delivery, sum(returned) as returned, sum(to_come) as to_come
  from (${cells}) c group by 1, 2, 3`

const keysCondition = (sql: Queryable, { keys }: CellsQuery) => (keys === null ? sql`` : sql`and key = any (${keys as string[]})`)

/** Reads the stored cells of the days that are up to date. */
export const readCountedCells = (sql: Queryable, asked: CellsQuery, stale: readonly string[], { byDay }: { readonly byDay: boolean }) => {
  const { projectId, dimension, days } = asked
  return sumCells(
    sql,
    sql`select * from analytics_cells where project_id = ${projectId} and dimension = ${dimension} ${keysCondition(sql, asked)}
      and day >= ${days[0] ?? null}::date and day <= ${days.at(-1) ?? null}::date and day <> all (${stale as string[]}::date[])`,
    { byDay },
  )
}

/** Computes the cells of some days of a run from the orders themselves. */
export const countOrdersNow = (
  sql: Queryable,
  asked: CellsQuery,
  run: DayRun,
  days: readonly string[],
  { byDay }: { readonly byDay: boolean },
) =>
  sumCells(
    sql,
    sql`with fresh as materialized (${ordersOfRun(sql, asked, run)})
      select * from (${countedCells(sql, asked, asked.dimension, sql`fresh`)}) c where day = any (${days as string[]}::date[]) ${keysCondition(sql, asked)}`,
    { byDay },
  )
