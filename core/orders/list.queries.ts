import { keysetPage, limitBytes, type SortedRow, type Statement, sortValueColumn } from '../data/keyset-page.ts'
import { projectIdOf } from '../data/project-ids.ts'
import type { Queryable } from '../data/sql.ts'
import type { OrderListRequest } from './list.model.ts'
import { type OrderRow, orderItemColumns } from './orders.queries.ts'
import { type Choices, choicesCondition, choicesOf, eachChoice } from './search/list-choices.queries.ts'
import { createdBetween, filterConditions, type ResolvedFilters, searchCondition } from './search/list-conditions.queries.ts'
import { isCopied, ordersToSearch, PHONES, uncopiedOrders } from './search/search-rows.queries.ts'
import { taggedOrders } from './search/tagged-orders.queries.ts'

type Fragment = ReturnType<Queryable>
type Filter = OrderListRequest['filter']
type ListedOrder = OrderRow & SortedRow

/** Reads a page of a store's orders. `filter.phone` must be in E.164; `resolved` is what the filters mean in the store. */
export function findOrders(
  sql: Queryable,
  storeId: string,
  asked: OrderListRequest,
  resolved: ResolvedFilters = {},
  columns: readonly Column[] = COLUMNS,
): Promise<ListedOrder[]> {
  const { page } = asked
  if (isReadDirectly(asked)) {
    const rows = eachChoice(choicesOf(asked.filter), (choices) => {
      const conditions = sql`o.project_id = ${projectIdOf(storeId)} and o.deleted_at is null ${createdBetween(sql, asked.filter)}`
      return sql`select o.* from orders o where ${conditions} ${choicesCondition(sql, choices)} ${keysetPage(sql, page, 'o.id')}`
    })
    return readWithin(sql, page, onePage(sql, page, rows), columns)
  }
  const found = onePage(sql, page, pagesOfIds(sql, storeId, asked, resolved))
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
function pagesOfIds(sql: Queryable, storeId: string, asked: OrderListRequest, resolved: ResolvedFilters): readonly Statement[] {
  const { filter, q, page } = asked
  const conditions = sql`${filterConditions(sql, filter, resolved)} ${q === undefined ? sql`` : sql`and (${searchCondition(sql, q)})`}`
  const select = (of: Fragment, where: Fragment, choices: Choices, idColumn = 'o.id') =>
    sql`select o.id, o.updated_at, o.total ${sortValueColumn(sql, page)} from ${of}
      where o.project_id = ${projectIdOf(storeId)} ${where} ${conditions} ${choicesCondition(sql, choices)} ${keysetPage(sql, page, idColumn)}`
  const choices = choicesOf(filter, resolved)
  const phone = phoneCondition(sql, filter)
  if (filter.productId !== undefined)
    return eachChoice(choices, (each) => select(ordersWithProduct(sql, storeId, filter, page), phone, each, 'p.order_id'))
  const { tags, isTagRare } = resolved
  if (tags && isTagRare) return [select(sql`${taggedOrders(sql, storeId, tags)}`, phone, choices)]
  const tag = onlyTagOf(asked, resolved)
  if (tag !== undefined) return [pageOfTag(sql, storeId, tag, asked)]
  // Phone numbers are not copied: `orders` has their indexes.
  if (filter.phone !== undefined) return eachChoice(choices, (each) => select(sql`(${ordersToSearch(sql, PHONES)}) o`, phone, each))
  return [
    ...eachChoice(choices, (each) => select(sql`order_search o`, sql`and ${isCopied(sql)}`, each)),
    select(sql`${uncopiedOrders(sql, storeId)} o`, sql``, choices),
  ]
}

/**
 * Returns the tag of a list by creation that no other filter narrows, except by creation: `order_tags` has the index for it. Any other filter
 * may match none of the orders that have the tag, and all of them would be read in vain.
 */
function onlyTagOf(
  { filter: { tag: _, from: __, to: ___, ...others }, q, page: { sortColumn } }: OrderListRequest,
  { tags }: ResolvedFilters,
): string | undefined {
  const isAlone = sortColumn === null && q === undefined && Object.values(others).every((value) => value === undefined)
  return isAlone && tags?.length === 1 ? tags[0] : undefined
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

const phoneCondition = (sql: Queryable, { phone }: Filter): Fragment =>
  phone === undefined ? sql`` : sql`and (o.customer_phone = ${phone} or o.customer_phone_alt = ${phone})`

/** Page of the orders with a tag by creation. Without a subquery that sorts, the read of the tag's index ends with the page. */
const pageOfTag = (sql: Queryable, storeId: string, tag: string, { filter, page }: OrderListRequest): Statement =>
  sql`select o.id, o.updated_at, o.total from order_tags p cross join lateral (
      ${ordersToSearch(sql)} and o.project_id = ${projectIdOf(storeId)} and o.id = p.order_id offset 0) o
    where p.project_id = ${projectIdOf(storeId)} and p.tag = ${tag} ${createdBetween(sql, filter, 'p.order_id')} ${keysetPage(sql, page, 'p.order_id')}`

/** Orders with a line of the product, each once, sorted by id. Avoids scanning all newer orders of the store. */
const ordersWithProduct = (
  sql: Queryable,
  storeId: string,
  { productId = '' }: Filter,
  { isDescending: descending }: OrderListRequest['page'],
): Fragment => sql`(
  select distinct order_id collate "C" as order_id from order_items where project_id = ${projectIdOf(storeId)} and product_id = ${productId}
  order by order_id collate "C" ${descending ? sql`desc` : sql`asc`}
) p cross join lateral (
  ${ordersToSearch(sql, PHONES)} and o.project_id = ${projectIdOf(storeId)} and o.id = p.order_id offset 0) o`
