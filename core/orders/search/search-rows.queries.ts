import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable, Tx } from '../../data/sql.ts'
import { SHOWN_PARCEL_STATUS } from '../../logistics/parcels/parcels.queries.ts'
import { NO_PARCEL } from '../list.model.ts'
import { openStatuses } from '../statuses.ts'

/** Key of an order. */
export interface SearchKey {
  readonly projectId: string
  readonly orderId: string
}

/** Time of the last change of the status of an order `o`. */
const STATUS_SINCE = `coalesce((select h.created_at from order_status_changes h where h.project_id = o.project_id and h.order_id = o.id
  order by h.id desc limit 1), o.created_at)`

/** Columns of `order_search`, as they follow from an order `o` and its `newest` parcel. */
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
  city_key: "coalesce(o.destination ->> 'cityCode', folded(o.destination ->> 'cityName'))",
  delivery_type: "o.destination ->> 'deliveryType'",
  carrier: 'newest.courier_id',
  parcel_status: `coalesce(newest.status, '${NO_PARCEL}')`,
  printed: 'newest.printed',
  tags: "coalesce((select array_agg(t.tag order by t.tag) from order_tags t where t.project_id = o.project_id and t.order_id = o.id), '{}')",
  waiting_since: `case when o.status in (${openStatuses.map((status) => `'${status}'`).join(', ')}) then ${STATUS_SINCE} end`,
  phone_end: 'reverse(o.customer_phone)',
  phone_alt_end: 'reverse(o.customer_phone_alt)',
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

/** Newest parcel of an order that was not cancelled. Compared as `parcels` is indexed, which sorts ids of orders in another way than they do. */
const NEWEST_PARCEL = `(select courier_id, ${SHOWN_PARCEL_STATUS},
    case when printed_at is null then 'no' else 'yes' end as printed from parcels
  where project_id = o.project_id and order_id = o.id collate "default" and status <> 'cancelled' order by id desc limit 1)`

/** Selects orders `o` with the columns of `order_search`, and further ones. Ends with a `where` that leaves out deleted orders. */
export const ordersToSearch = (sql: Queryable, further: readonly string[] = []) =>
  sql.unsafe(`select ${[...SELECTED, ...further].join(', ')} from orders o left join lateral ${NEWEST_PARCEL} newest on true
    where o.deleted_at is null`)

/** Both phone numbers of an order, for lists that filter by them. They are not copied. */
export const PHONES = ['o.customer_phone', 'o.customer_phone_alt']

/** Selects the orders of a store whose changes were not copied yet, with the columns of `order_search`. */
export const uncopiedOrders = (sql: Queryable, storeId: string) => sql`(
  select l.* from (select distinct order_id from order_changes where project_id = ${projectIdOf(storeId)} offset 0) c
  cross join lateral (${ordersToSearch(sql)} and o.project_id = ${projectIdOf(storeId)} and o.id = c.order_id offset 0) l)`

/** Builds a condition on a row `o` of `order_search`: its order has no change that was not copied yet. */
export const isCopied = (sql: Queryable) =>
  // The offset keeps it a subquery for each row: a join would be planned by the size of a table that is empty at one moment and full at another.
  sql`not exists (select 1 from order_changes c where c.project_id = o.project_id and c.order_id = o.id offset 0)`

const keysOf = (sql: Queryable, keys: readonly SearchKey[]) => sql`(select distinct * from unnest(
  ${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ orderId }) => orderId)}::text[]) k (project_id, order_id)) k`

/** Copies orders as they are now. Deleted orders have no copy. */
export async function copyOrders(sql: Tx, keys: readonly SearchKey[]): Promise<void> {
  await sql`insert into order_search (${sql.unsafe(NAMES.join(', '))})
    select l.* from ${keysOf(sql, keys)} cross join lateral (
      ${ordersToSearch(sql)} and o.project_id = k.project_id and o.id = k.order_id offset 0) l
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
    from (${ordersToSearch(sql)}) l
    full join order_search s on s.project_id = l.project_id and s.id = l.id
    where ${copied ?? sql``} is distinct from ${current ?? sql``}
      and not exists (select 1 from order_changes c where c.project_id = coalesce(l.project_id, s.project_id) and c.order_id = coalesce(l.id, s.id))
    limit ${limit}`
}
