import { equalsCondition, keysetPage, limitBytes, type SortedRow, type Statement, sortValueColumn } from '../data/keyset-page.ts'
import { projectIdOf } from '../data/project-ids.ts'
import type { Queryable } from '../data/sql.ts'
import { idRangeBetween } from '../lib/days.ts'
import type { StateFilter } from '../platform/geo/state-filter.model.ts'
import { type OrderListRequest, UNASSIGNED } from './list.model.ts'
import { type OrderRow, orderItemColumns } from './orders.queries.ts'
import { orderSearchPatterns } from './search-text.ts'

type Fragment = ReturnType<Queryable>
type Filter = OrderListRequest['filter']
type ListedOrder = OrderRow & SortedRow

/** Reads a page of a store's orders. `filter.phone` must be in E.164; `state` is the resolved `stateCode` filter. */
export function findOrders(
  sql: Queryable,
  storeId: string,
  asked: OrderListRequest,
  state?: StateFilter,
  columns: readonly Column[] = COLUMNS,
): Promise<ListedOrder[]> {
  const { filter, q, page: part } = asked
  const statuses = [...new Set(filter.status?.split(','))]
  const conditions = sql`o.project_id = ${projectIdOf(storeId)} and o.deleted_at is null ${filterConditions(sql, filter)} ${stateCondition(sql, state)}
    ${q === undefined ? sql`` : sql`and (${searchCondition(sql, q)})`}`
  const [of, idColumn] =
    filter.productId === undefined ? [sql`orders o`, 'o.id'] : [ordersWithProduct(sql, storeId, filter.productId, part), 'p.order_id']
  const rows = (status: Fragment) =>
    sql`select o.* ${sortValueColumn(sql, part)} from ${of} where ${conditions} ${status} ${keysetPage(sql, part, idColumn)}`
  const [first = rows(sql``), ...others] = statuses.map((status) => rows(sql`and o.status = ${status}`))
  if (others.length === 0) return readWithin(sql, part, first, columns)
  // Reads one page per status from its index; the page of all statuses is a subset of their union.
  const pages = others.reduce((all, page) => sql`${all} union all (${page})`, sql`(${first})`)
  return readWithin(sql, part, sql`select * from (${pages}) o where true ${keysetPage(sql, part, 'o.id')}`, columns)
}

/** Returns true if an order of the store has this state, as a code or as it was typed. */
export const hasOrderInState = async (sql: Queryable, storeId: string, stateCode: string) =>
  (
    await sql`select 1 from orders where project_id = ${projectIdOf(storeId)} and destination ->> 'stateCode' = ${stateCode} and deleted_at is null limit 1`
  ).length > 0

const COLUMNS = [
  'projectId',
  'id',
  'reference',
  'status',
  'customerName',
  'customerPhone',
  'customerPhoneAlt',
  'customerEmail',
  'destination',
  'note',
  'promoCode',
  'subtotal',
  'delivery',
  'discount',
  'total',
  'discountByHand',
  'deliveryByHand',
  'paid',
  'paymentStatus',
  'source',
  'connectorId',
  'externalId',
  'network',
  'heldUntil',
  'offer',
  'assignedTo',
  'metadata',
  'reservationId',
  'fulfilmentId',
  'parcelId',
  'isDivided',
  'exchangeOf',
  'takesBack',
  'sendings',
  'overrides',
  'version',
  'revision',
  'searchText',
  'createdAt',
  'updatedAt',
] as const satisfies readonly Exclude<keyof OrderRow, 'items'>[]
type Column = (typeof COLUMNS)[number]

/** Columns that an export has: what is only for us is not read a hundred thousand times. */
export const EXPORTED = [
  'projectId',
  'id',
  'reference',
  'status',
  'customerName',
  'customerPhone',
  'customerPhoneAlt',
  'customerEmail',
  'destination',
  'note',
  'promoCode',
  'subtotal',
  'delivery',
  'discount',
  'total',
  'paid',
  'paymentStatus',
  'source',
  'parcelId',
  'createdAt',
] as const satisfies readonly Column[]
/** Row of an export of orders. */
export type ExportedOrder = Pick<OrderRow, (typeof EXPORTED)[number] | 'items'>

/** Estimated size of an order in bytes, lines included; a bundle can have thousands of lines. */
const estimatedBytes = (sql: Queryable) => sql`octet_length(metadata::text) + octet_length(note) + octet_length(destination::text) + 1000
  + (select coalesce(sum(octet_length(i.name) + 250), 0) from order_items i where i.project_id = page.project_id and i.order_id = page.id)::integer`

/** Reads lines only for the orders that fit within the page's byte limit. */
function readWithin(sql: Queryable, { sortColumn: by }: OrderListRequest['page'], rows: Statement, columns: readonly Column[]) {
  const names = by === null ? columns : [...columns, 'sortValue']
  return sql<ListedOrder[]>`select o.*, ${orderItemColumns(sql)} from (${limitBytes(sql, names, rows, estimatedBytes(sql))}) o`
}

function filterConditions(sql: Queryable, filter: Filter): Fragment {
  const { phone, assignedTo, promoCode, source, connectorId, externalId, paymentStatus } = filter
  const isOfNobody = assignedTo === UNASSIGNED
  const equal = {
    'o.assigned_to': isOfNobody ? undefined : assignedTo,
    'o.promo_code': promoCode,
    'o.source': source,
    'o.connector_id': connectorId,
    'o.external_id': externalId,
    'o.payment_status': paymentStatus,
  }
  return sql`${equalsCondition(sql, equal, ['o.promo_code'])}
    ${isOfNobody ? sql`and o.assigned_to is null` : sql``}
    ${phone === undefined ? sql`` : sql`and (o.customer_phone = ${phone} or o.customer_phone_alt = ${phone})`}
    ${createdBetween(sql, filter)}`
}

function stateCondition(sql: Queryable, state: StateFilter | undefined): Fragment {
  if (!state) return sql``
  const { stateCode, current } = state
  if (!current) return sql`and o.destination ->> 'stateCode' = ${stateCode}`
  return sql`and o.destination ->> 'stateCode' = any (${[stateCode, current.code]}) and (o.destination ->> 'stateCode' = ${current.code}
    or o.destination ->> 'currentStateCode' = ${current.code} or o.destination ->> 'cityCode' = any (${[...current.cityCodes]}))`
}

/** Filters by creation time. Ids sort by creation time, so an index on ids bounds the range. */
function createdBetween(sql: Queryable, { from, to }: Filter): Fragment {
  const [first, last] = idRangeBetween('ord', from, to)
  return sql`${from === undefined ? sql`` : sql`and o.created_at >= ${from} and o.id >= ${first}`}
    ${to === undefined ? sql`` : sql`and o.created_at < ${to} and o.id < ${last}`}`
}

/** Orders with a line of the product, each once, sorted by id. Avoids scanning all newer orders of the store. */
const ordersWithProduct = (
  sql: Queryable,
  storeId: string,
  productId: string,
  { isDescending: descending }: OrderListRequest['page'],
): Fragment => sql`(
  select distinct order_id collate "C" as order_id from order_items where project_id = ${projectIdOf(storeId)} and product_id = ${productId}
  order by order_id collate "C" ${descending ? sql`desc` : sql`asc`}
) p cross join lateral (select * from orders where project_id = ${projectIdOf(storeId)} and id = p.order_id offset 0) o`

const searchCondition = (sql: Queryable, q: string) =>
  orderSearchPatterns(q).reduce(
    (any, patterns) => sql`${any} or (${allPatternsMatch(sql, patterns)})`,
    sql`o.reference = ${q.trim().toUpperCase()}`,
  )

const allPatternsMatch = (sql: Queryable, patterns: readonly string[]) =>
  patterns.reduce((all, pattern) => sql`${all} and o.search_text like ${pattern}`, sql`true`)
