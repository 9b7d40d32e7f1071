import type { Queryable } from '../../data/sql.ts'

type Fragment = ReturnType<Queryable>

/** Dimension by which orders are counted. `store` counts all orders, `productId` counts lines. */
export type Dimension =
  | 'store'
  | 'stateCode'
  | 'source'
  | 'deliveryType'
  | 'assignedTo'
  | 'paymentStatus'
  | 'promoCode'
  | 'landingPageId'
  | 'agent'
  | 'productId'

/** Maximum length of a value; longer values count by their beginning. */
const KEY_MAX = 120

/** SQL value of each dimension except lines, for an order `o`. */
const dimensionKeys = {
  store: (sql) => sql`''::text`,
  stateCode: (sql) => sql`coalesce(o.destination ->> 'stateCode', '')`,
  source: (sql) => sql`o.source`,
  deliveryType: (sql) => sql`coalesce(o.destination ->> 'deliveryType', '')`,
  assignedTo: (sql) => sql`coalesce(o.assigned_to, '')`,
  paymentStatus: (sql) => sql`o.payment_status`,
  promoCode: (sql) => sql`coalesce(o.promo_code, '')`,
  landingPageId: (sql) => sql`left(coalesce(o.metadata ->> 'landingPageId', ''), ${KEY_MAX}::integer)`,
  // The agent that confirmed it last; else the agent that handled it last or is assigned to it.
  agent: (sql) => sql`coalesce((
    select c.by_id from order_status_changes c where c.project_id = o.project_id and c.order_id = o.id and c.by_kind = 'person'
      and c.to_status in ('confirmed', 'unreachable', 'postponed', 'cancelled')
    order by c.to_status = 'confirmed' desc, c.id desc limit 1), o.assigned_to, '')`,
} satisfies Readonly<Record<Exclude<Dimension, 'productId'>, (sql: Queryable) => Fragment>>

/** All dimensions. */
export const dimensions: readonly Dimension[] = [...(Object.keys(dimensionKeys) as (keyof typeof dimensionKeys)[]), 'productId']

/** Run of a store's days up to `until`, which is excluded, with the range of ids that its orders have. */
export interface DayRun {
  readonly from: string
  readonly until: string
  readonly firstId: string
  readonly lastId: string
}

/** Project and the time zone of its days. */
export interface ProjectZone {
  readonly projectId: string
  readonly timeZone: string
}

/** Start of a day in a time zone. */
export const startOfDay = (sql: Queryable, timeZone: string, day: string) => sql`(${day}::date)::timestamp at time zone ${timeZone}`

/**
 * Selects the orders of a run with their day, the sums of their lines and their outcomes. The outcome follows from the status, or from
 * `order_ends` if the order has an entry there. Credits for returned goods do not count as discounts. Reads orders and lines by index only.
 */
export const ordersOfRun = (sql: Queryable, { projectId, timeZone }: ProjectZone, { from, until, firstId, lastId }: DayRun) => sql`
  select (o.created_at at time zone ${timeZone})::date as day, o.project_id, o.id, o.status, o.destination, o.source, o.assigned_to, o.payment_status, o.promo_code, o.metadata,
    o.subtotal, o.delivery, case when o.exchange_of is null then o.discount else o.discount_by_hand end as discount, o.total, o.paid, i.units, (o.exchange_of is not null)::int as exchanges,
    coalesce(e.kept_cost, case when o.status = 'delivered' then i.cost else 0 end) as cost,
    coalesce(e.kept_without_cost, case when o.status = 'delivered' then i.units_without_cost else 0 end) as units_without_cost,
    coalesce(e.kept, case when o.status = 'delivered' then o.total else 0 end) as kept,
    coalesce(e.kept_delivery, case when o.status = 'delivered' then o.delivery else 0 end) as kept_delivery,
    coalesce(e.returned, case when o.status in ('returning', 'returned') then o.total else 0 end) as returned,
    coalesce(e.to_come, case when o.status in ('delivered', 'returning', 'returned', 'lost', 'cancelled') then 0 else o.total end) as to_come
  from orders o cross join lateral (
    select coalesce(sum(quantity), 0) as units, coalesce(sum(quantity * unit_cost), 0) as cost, coalesce(sum(quantity) filter (where unit_cost is null), 0) as units_without_cost
    from order_items i where i.project_id = ${projectId} and i.order_id = o.id) i
  left join order_ends e on e.project_id = ${projectId} and e.order_id >= ${firstId} and e.order_id < ${lastId} and e.order_id = o.id
  where o.project_id = ${projectId} and o.id >= ${firstId} and o.id < ${lastId} and o.deleted_at is null
    and o.created_at >= ${startOfDay(sql, timeZone, from)} and o.created_at < ${startOfDay(sql, timeZone, until)}`

/** Selects `day`, `key`, `status` and the measures from `orders`, a relation that `ordersOfRun` selects. */
export function countedCells(sql: Queryable, { projectId }: ProjectZone, dimension: Dimension, orders: Fragment): Fragment {
  if (dimension === 'productId')
    return sql`select o.day, i.product_id as key, o.status, count(distinct o.id)::int as orders, sum(i.quantity)::bigint as units, sum(i.quantity * i.unit_price) as goods,
        0::numeric as delivery, 0::numeric as discount, 0::numeric as total, 0::numeric as paid,
        0::numeric as cost, 0::bigint as units_without_cost, count(distinct o.id) filter (where o.exchanges > 0)::int as exchanges,
        0::numeric as kept, 0::numeric as kept_delivery, 0::numeric as returned, 0::numeric as to_come
      from ${orders} o cross join lateral (
        -- Nothing reads all lines of all orders for a few.
        select product_id, quantity, unit_price from order_items l where l.project_id = ${projectId} and l.order_id = o.id offset 0) i
      group by 1, 2, 3`
  return sql`select o.day, ${dimensionKeys[dimension](sql)} as key, o.status, count(*)::int as orders, sum(o.units)::bigint as units, sum(o.subtotal) as goods,
      sum(o.delivery) as delivery, sum(o.discount) as discount, sum(o.total) as total, sum(o.paid) as paid,
      sum(o.cost) as cost, sum(o.units_without_cost)::bigint as units_without_cost, sum(o.exchanges)::int as exchanges,
      sum(o.kept) as kept, sum(o.kept_delivery) as kept_delivery, sum(o.returned) as returned, sum(o.to_come) as to_come
    from ${orders} o group by 1, 2, 3`
}
