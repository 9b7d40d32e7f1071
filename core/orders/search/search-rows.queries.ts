import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'

/** Key of an order. */
export interface SearchKey {
  readonly projectId: string
  readonly orderId: string
}

/** Columns of `order_search`, as they follow from an order `o`. */
const COLUMNS = {
  project_id: 'o.project_id',
  id: 'o.id',
  reference: 'o.reference',
  status: 'o.status',
  assigned_to: 'o.assigned_to',
  promo_code: 'lower(o.promo_code)',
  source: 'o.source',
  connector_id: 'o.connector_id',
  external_id: 'o.external_id',
  payment_status: 'o.payment_status',
  state_code: "o.destination ->> 'stateCode'",
  current_state_code: "o.destination ->> 'currentStateCode'",
  city_code: "o.destination ->> 'cityCode'",
  total: 'o.total',
  search_text: 'o.search_text',
  created_at: 'o.created_at',
  updated_at: 'o.updated_at',
} as const
const NAMES = Object.keys(COLUMNS)
const SELECTED = Object.entries(COLUMNS).map(([name, value]) => `${value} as ${name}`)
const REPLACED = `set ${NAMES.slice(2)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`

/** Selects, of an order `o`, the columns of `order_search`. */
export const searchColumns = (sql: Queryable) => sql.unsafe(SELECTED.join(', '))

/** Selects the orders of a store whose changes were not copied yet, with the columns of `order_search`. */
export const uncopiedOrders = (sql: Queryable, storeId: string) => sql`(
  select l.* from (select distinct order_id from order_changes where project_id = ${projectIdOf(storeId)} offset 0) c
  cross join lateral (select ${searchColumns(sql)} from orders o
    where o.project_id = ${projectIdOf(storeId)} and o.id = c.order_id and o.deleted_at is null offset 0) l)`

/** Builds a condition on a row `o` of `order_search`: its order has no change that was not copied yet. */
export const isCopied = (sql: Queryable) =>
  // The offset keeps it a subquery for each row: a join would be planned by the size of a table that is empty at one moment and full at another.
  sql`not exists (select 1 from order_changes c where c.project_id = o.project_id and c.order_id = o.id offset 0)`

const keysOf = (sql: Queryable, keys: readonly SearchKey[]) => sql`(select distinct * from unnest(
  ${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ orderId }) => orderId)}::text[]) k (project_id, order_id)) k`

/** Copies orders as they are now. Deleted orders have no copy. */
export async function copyOrders(sql: Tx, keys: readonly SearchKey[]): Promise<void> {
  await sql`insert into order_search (${sql.unsafe(NAMES.join(', '))})
    select l.* from ${keysOf(sql, keys)} cross join lateral (select ${searchColumns(sql)} from orders o
      where o.project_id = k.project_id and o.id = k.order_id and o.deleted_at is null offset 0) l
    order by l.project_id, l.id
    on conflict (project_id, id) do update ${sql.unsafe(REPLACED)}`
}

/** Deletes the copies of orders. */
export const deleteCopies = async (sql: Tx, keys: readonly SearchKey[]) =>
  void (await sql`delete from order_search s using ${keysOf(sql, keys)} where s.project_id = k.project_id and s.id = k.order_id`)

/** Lists orders whose copy differs from them, and copies without an order. Skips orders with changes that were not copied yet. */
export const listCopyMismatches = (sql: Queryable, limit: number) => {
  const [copied, current] = ['s', 'l'].map((from) => sql.unsafe(`(${NAMES.map((name) => `${from}.${name}`).join(', ')})`))
  return sql`select coalesce(l.project_id, s.project_id) as project_id, coalesce(l.id, s.id) as order_id,
      case when s.id is null then 'no copy' when l.id is null then 'no order' else 'other values' end as says
    from (select ${searchColumns(sql)} from orders o where o.deleted_at is null) l
    full join order_search s on s.project_id = l.project_id and s.id = l.id
    where ${copied ?? sql``} is distinct from ${current ?? sql``}
      and not exists (select 1 from order_changes c where c.project_id = coalesce(l.project_id, s.project_id) and c.order_id = coalesce(l.id, s.id))
    limit ${limit}`
}
