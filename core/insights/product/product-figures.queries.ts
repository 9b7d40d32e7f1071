import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { idRangeOfDays, type StoreDays } from '../../lib/days.ts'

/** Product and the range of days of its orders. */
export interface ProductDays extends StoreDays {
  readonly productId: string
}

/**
 * Selects the lines of a product in a range, with their orders and outcomes. The outcome follows from the status, or from `order_line_ends`
 * if the line has an entry there. An index on product and order bounds the range.
 */
function soldLines(sql: Queryable, asked: ProductDays) {
  const { storeId, productId, timeZone, from, until } = asked
  const [first, last] = idRangeOfDays('ord', asked)
  return sql`order_items i join orders o on o.project_id = i.project_id and o.id = i.order_id
    left join order_line_ends e on e.project_id = ${projectIdOf(storeId)} and e.order_id >= ${first} and e.order_id < ${last} and e.order_id = o.id and e.line = i.line
    where i.project_id = ${projectIdOf(storeId)} and i.product_id = ${productId}
    and i.order_id collate "C" >= ${first} and i.order_id collate "C" < ${last}
    and o.created_at >= (${from}::date)::timestamp at time zone ${timeZone} and o.created_at < (${until}::date)::timestamp at time zone ${timeZone}
    and o.deleted_at is null`
}

/** Pieces of a line that were delivered and not returned. */
const retainedQuantity = (sql: Queryable) => sql`coalesce(e.kept, case when o.status = 'delivered' then i.quantity else 0 end)`
/** Pieces of a line that were returned. */
const returned = (sql: Queryable) => sql`coalesce(e.back + e.returned, case when o.status = 'returned' then i.quantity else 0 end)`

/** Sales of a product on one day. */
export interface SoldDayRow {
  readonly day: string
  readonly orders: number
  readonly units: number
  readonly revenue: string
  readonly deliveredUnits: number
  readonly deliveredRevenue: string
}

/** Reads the sales of a product by day, without days that have none. */
export const readSoldByDay = (sql: Queryable, asked: ProductDays) =>
  sql<SoldDayRow[]>`
    select to_char(o.created_at at time zone ${asked.timeZone}, 'YYYY-MM-DD') as day, count(distinct o.id) filter (where o.exchange_of is null)::int as orders,
      sum(i.quantity) as units, sum(i.quantity * i.unit_price) as revenue,
      coalesce(sum(${retainedQuantity(sql)}), 0) as delivered_units,
      coalesce(sum(${retainedQuantity(sql)} * i.unit_price), 0) as delivered_revenue
    from ${soldLines(sql, asked)} and o.status <> 'cancelled' group by 1 order by 1`

/** Row of the report of a product. */
export interface ReportRow {
  /** Grouping of the row. */
  readonly of: 'total' | 'status' | 'variant' | 'state'
  readonly status: string | null
  readonly variantId: string | null
  readonly stateCode: string | null
  readonly stateName: string | null
  readonly name: string | null
  readonly orders: number
  readonly units: number
  readonly deliveredUnits: number
  readonly returnedUnits: number
  readonly confirmed: number
  readonly delivered: number
  readonly returned: number
  readonly lost: number
  readonly cancelled: number
  readonly revenue: string
  readonly cost: string
  readonly unitsWithoutCost: number
}

/** Reads all figures of a report in one query: in total, by status, by variant and by state. Of exchange orders, counts only the pieces. */
export const readReportRows = (sql: Queryable, asked: ProductDays, confirmed: readonly string[]) =>
  sql<ReportRow[]>`
    with lines as materialized (
      select case when o.exchange_of is null then o.id end as id, o.status, coalesce(i.variant_id, '') as variant_id, coalesce(o.destination ->> 'stateCode', '') as state_code,
        o.destination ->> 'stateName' as state_name, i.name, i.quantity, i.unit_price, i.unit_cost, ${retainedQuantity(sql)} as kept, ${returned(sql)} as came_back
      from ${soldLines(sql, asked)})
    select case grouping(status, variant_id, state_code) when 7 then 'total' when 3 then 'status' when 5 then 'variant' else 'state' end as of,
      status, variant_id, state_code, max(state_name) as state_name, max(name) as name,
      count(distinct id)::int as orders, coalesce(sum(quantity), 0) as units, coalesce(sum(kept), 0) as delivered_units,
      coalesce(sum(came_back), 0) as returned_units,
      count(distinct id) filter (where status = any (${confirmed as string[]}))::int as confirmed,
      count(distinct id) filter (where status = 'delivered')::int as delivered,
      count(distinct id) filter (where status = 'returned')::int as returned,
      count(distinct id) filter (where status = 'lost')::int as lost,
      count(distinct id) filter (where status = 'cancelled')::int as cancelled,
      coalesce(sum(kept * unit_price), 0) as revenue,
      coalesce(sum(kept * unit_cost), 0) as cost,
      coalesce(sum(kept) filter (where unit_cost is null), 0) as units_without_cost
    from lines group by grouping sets ((), (status), (variant_id), (state_code)) order by orders desc`
