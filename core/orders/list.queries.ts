import { equalsCondition, keysetPage, limitBytes, type SortedRow, type Statement, sortValueColumn } from '../data/keyset-page.ts'
import { projectIdOf } from '../data/project-ids.ts'
import type { Queryable } from '../data/sql.ts'
import { idRangeBetween } from '../lib/days.ts'
import type { StateFilter } from '../platform/geo/state-filter.model.ts'
import { type OrderListRequest, UNASSIGNED } from './list.model.ts'
import { type OrderRow, orderItemColumns } from './orders.queries.ts'
import { isCopied, searchColumns, uncopiedOrders } from './search/search-rows.queries.ts'
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
  const { page } = asked
  if (isReadDirectly(asked)) {
    const rows = eachStatus(asked, (statuses) => {
      const conditions = sql`o.project_id = ${projectIdOf(storeId)} and o.deleted_at is null ${createdBetween(sql, asked.filter)}`
      return sql`select o.* from orders o where ${conditions} ${statusCondition(sql, statuses)} ${keysetPage(sql, page, 'o.id')}`
    })
    return readWithin(sql, page, onePage(sql, page, rows), columns)
  }
  const found = onePage(sql, page, pagesOfIds(sql, storeId, asked, state))
  const rows: Statement = sql`select row.* ${page.sortColumn === null ? sql`` : sql`, found.sort_value`}
    from (select *, row_number() over () as place from (${found}) page) found
    cross join lateral (select * from orders where project_id = ${projectIdOf(storeId)} and id = found.id offset 0) row order by found.place`
  return readWithin(sql, page, rows, columns)
}

/** Returns true for lists that `orders` itself has the index for: all orders, or those of some statuses, by creation. */
const isReadDirectly = ({ filter: { status: _, from: __, to: ___, ...others }, q, page: { sortColumn } }: OrderListRequest) =>
  sortColumn === null && q === undefined && Object.values(others).every((value) => value === undefined)

/**
 * Selects pages of ids with the columns that lists sort by; the page of all orders is a subset of their union. Orders with a change that was
 * not copied yet are read from `orders`, all others from their copies, so that every list shows what was committed before.
 */
function pagesOfIds(sql: Queryable, storeId: string, asked: OrderListRequest, state: StateFilter | undefined): readonly Statement[] {
  const { filter, q, page } = asked
  const conditions = sql`${filterConditions(sql, filter)} ${stateCondition(sql, state)}
    ${q === undefined ? sql`` : sql`and (${searchCondition(sql, q)})`}`
  const select = (of: Fragment, where: Fragment, statuses: readonly string[], idColumn = 'o.id') =>
    sql`select o.id, o.updated_at, o.total ${sortValueColumn(sql, page)} from ${of}
      where o.project_id = ${projectIdOf(storeId)} ${where} ${conditions} ${statusCondition(sql, statuses)} ${keysetPage(sql, page, idColumn)}`
  const phone = phoneCondition(sql, filter)
  if (filter.productId !== undefined)
    return eachStatus(asked, (statuses) => select(ordersWithProduct(sql, storeId, filter, page), phone, statuses, 'p.order_id'))
  // Phone numbers are not copied: `orders` has their indexes.
  if (filter.phone !== undefined) return eachStatus(asked, (statuses) => select(ordersToSearch(sql), phone, statuses))
  return [
    ...eachStatus(asked, (statuses) => select(sql`order_search o`, sql`and ${isCopied(sql)}`, statuses)),
    select(sql`${uncopiedOrders(sql, storeId)} o`, sql``, statusesOf(asked)),
  ]
}

const statusesOf = ({ filter: { status } }: OrderListRequest): readonly string[] => [...new Set(status?.split(','))]

/** Builds a statement for each status, so that each page is read from the index; one statement if no status is given. */
function eachStatus(asked: OrderListRequest, build: (statuses: readonly string[]) => Statement): readonly Statement[] {
  const statuses = statusesOf(asked)
  return statuses.length === 0 ? [build([])] : statuses.map((status) => build([status]))
}

const statusCondition = (sql: Queryable, statuses: readonly string[]) => {
  const [first] = statuses
  if (first === undefined) return sql``
  return statuses.length === 1 ? sql`and o.status = ${first}` : sql`and o.status = any (${statuses as string[]})`
}

/** Builds the page of the union of pages. */
function onePage(sql: Queryable, page: OrderListRequest['page'], pages: readonly Statement[]): Statement {
  const [first, ...others] = pages
  if (!first) throw new Error('A list is read from at least one table.')
  if (others.length === 0) return first
  const union = others.reduce((all, each) => sql`${all} union all (${each})`, sql`(${first})`)
  return sql`select * from (${union}) o where true ${keysetPage(sql, page, 'o.id')}`
}

/** Returns true if an order of the store has this state, as a code or as it was typed. */
export const hasOrderInState = async (sql: Queryable, storeId: string, stateCode: string) =>
  (
    await sql`(select 1 from order_search o where o.project_id = ${projectIdOf(storeId)} and o.state_code = ${stateCode} and ${isCopied(sql)} limit 1)
      union all (select 1 from ${uncopiedOrders(sql, storeId)} o where o.state_code = ${stateCode} limit 1)`
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
  const { assignedTo, promoCode, source, connectorId, externalId, paymentStatus } = filter
  const isOfNobody = assignedTo === UNASSIGNED
  const equal = {
    'o.assigned_to': isOfNobody ? undefined : assignedTo,
    'o.source': source,
    'o.connector_id': connectorId,
    'o.external_id': externalId,
    'o.payment_status': paymentStatus,
  }
  return sql`${equalsCondition(sql, equal)}
    ${promoCode === undefined ? sql`` : sql`and o.promo_code = lower(${promoCode})`}
    ${isOfNobody ? sql`and o.assigned_to is null` : sql``}
    ${createdBetween(sql, filter)}`
}

const phoneCondition = (sql: Queryable, { phone }: Filter): Fragment =>
  phone === undefined ? sql`` : sql`and (o.customer_phone = ${phone} or o.customer_phone_alt = ${phone})`

function stateCondition(sql: Queryable, state: StateFilter | undefined): Fragment {
  if (!state) return sql``
  const { stateCode, current } = state
  if (!current) return sql`and o.state_code = ${stateCode}`
  return sql`and o.state_code = any (${[stateCode, current.code]}) and (o.state_code = ${current.code}
    or o.current_state_code = ${current.code} or o.city_code = any (${[...current.cityCodes]}))`
}

/** Filters by creation time. Ids sort by creation time, so an index on ids bounds the range. */
function createdBetween(sql: Queryable, { from, to }: Filter): Fragment {
  const [first, last] = idRangeBetween('ord', from, to)
  return sql`${from === undefined ? sql`` : sql`and o.created_at >= ${from} and o.id >= ${first}`}
    ${to === undefined ? sql`` : sql`and o.created_at < ${to} and o.id < ${last}`}`
}

/** Selects orders with the columns of their copies and their phone numbers. */
const ordersToSearch = (sql: Queryable, where: Fragment = sql``): Fragment =>
  sql`(select ${searchColumns(sql)}, o.customer_phone, o.customer_phone_alt from orders o where o.deleted_at is null ${where}) o`

/** Orders with a line of the product, each once, sorted by id. Avoids scanning all newer orders of the store. */
const ordersWithProduct = (
  sql: Queryable,
  storeId: string,
  { productId = '' }: Filter,
  { isDescending: descending }: OrderListRequest['page'],
): Fragment => sql`(
  select distinct order_id collate "C" as order_id from order_items where project_id = ${projectIdOf(storeId)} and product_id = ${productId}
  order by order_id collate "C" ${descending ? sql`desc` : sql`asc`}
) p cross join lateral ${ordersToSearch(sql, sql`and o.project_id = ${projectIdOf(storeId)} and o.id = p.order_id offset 0`)}`

const searchCondition = (sql: Queryable, q: string) =>
  orderSearchPatterns(q).reduce(
    (any, patterns) => sql`${any} or (${allPatternsMatch(sql, patterns)})`,
    sql`o.reference = ${q.trim().toUpperCase()}`,
  )

const allPatternsMatch = (sql: Queryable, patterns: readonly string[]) =>
  patterns.reduce((all, pattern) => sql`${all} and o.search_text like ${pattern}`, sql`true`)
