import { keysetPage, limitBytes, type SortedRow, type Statement, sortValueColumn, whereEquals } from '../data/keyset-page.ts'
import type { Queryable } from '../data/sql.ts'
import { idRangeBetween } from '../lib/days.ts'
import type { StateFilter } from '../platform/geo/state-filter.model.ts'
import { type AskedOrders, NOBODY } from './list.model.ts'
import { items, type OrderRow } from './orders.queries.ts'
import { waysToFind } from './search-text.ts'

type Fragment = ReturnType<Queryable>
type Filter = AskedOrders['filter']
type ListedOrder = OrderRow & SortedRow

/** A page of a store's orders; a phone number in E.164. */
export function findOrders(
  sql: Queryable,
  storeId: string,
  asked: AskedOrders,
  state?: StateFilter,
  columns: readonly Column[] = COLUMNS,
): Promise<ListedOrder[]> {
  const { filter, q, page: part } = asked
  const statuses = [...new Set(filter.status?.split(','))]
  const conditions = sql`o.store_id = ${storeId} and o.deleted_at is null ${filtered(sql, filter)} ${inState(sql, state)}
    ${q === undefined ? sql`` : sql`and (${found(sql, q)})`}`
  const [of, idColumn] =
    filter.productId === undefined ? [sql`orders o`, 'o.id'] : [ofProduct(sql, storeId, filter.productId, part), 'p.order_id']
  const rows = (status: Fragment) =>
    sql`select o.* ${sortValueColumn(sql, part)} from ${of} where ${conditions} ${status} ${keysetPage(sql, part, idColumn)}`
  const [first = rows(sql``), ...others] = statuses.map((status) => rows(sql`and o.status = ${status}`))
  if (others.length === 0) return readWithin(sql, part, first, columns)
  // A page of each is read off its index, and the page of all is among them.
  const pages = others.reduce((all, page) => sql`${all} union all (${page})`, sql`(${first})`)
  return readWithin(sql, part, sql`select * from (${pages}) o where true ${keysetPage(sql, part, 'o.id')}`, columns)
}

const COLUMNS = [
  'storeId',
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
  'said',
  'version',
  'words',
  'createdAt',
  'updatedAt',
] as const satisfies readonly Exclude<keyof OrderRow, 'items'>[]
type Column = (typeof COLUMNS)[number]

/** Columns that an export has: what is only for us is not read a hundred thousand times. */
export const EXPORTED = [
  'storeId',
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

/** About how much there is to read of an order. Bundles may be thousands of lines. */
const bytes = (sql: Queryable) => sql`octet_length(metadata::text) + octet_length(note) + octet_length(destination::text) + 1000
  + (select coalesce(sum(octet_length(i.name) + 250), 0) from order_items i where i.store_id = page.store_id and i.order_id = page.id)::integer`

/** Lines are read of those orders alone that the page has room for. */
function readWithin(sql: Queryable, { sortColumn: by }: AskedOrders['page'], rows: Statement, columns: readonly Column[]) {
  const names = by === null ? columns : [...columns, 'sortValue']
  return sql<ListedOrder[]>`select o.*, ${items(sql)} from (${limitBytes(sql, names, rows, bytes(sql))}) o`
}

function filtered(sql: Queryable, filter: Filter): Fragment {
  const { phone, assignedTo, promoCode, source, connectorId, externalId, paymentStatus } = filter
  const isOfNobody = assignedTo === NOBODY
  const equal = {
    'o.assigned_to': isOfNobody ? undefined : assignedTo,
    'o.promo_code': promoCode,
    'o.source': source,
    'o.connector_id': connectorId,
    'o.external_id': externalId,
    'o.payment_status': paymentStatus,
  }
  return sql`${whereEquals(sql, equal, ['o.promo_code'])}
    ${isOfNobody ? sql`and o.assigned_to is null` : sql``}
    ${phone === undefined ? sql`` : sql`and (o.customer_phone = ${phone} or o.customer_phone_alt = ${phone})`}
    ${takenBetween(sql, filter)}`
}

function inState(sql: Queryable, state: StateFilter | undefined): Fragment {
  if (!state) return sql``
  const { stateCode, current } = state
  if (!current) return sql`and o.destination ->> 'stateCode' = ${stateCode}`
  return sql`and o.destination ->> 'stateCode' = any (${[stateCode, current.code]}) and (o.destination ->> 'stateCode' = ${current.code}
    or o.destination ->> 'currentStateCode' = ${current.code} or o.destination ->> 'cityCode' = any (${[...current.cityCodes]}))`
}

/** Ids sort by creation: an index of them says where these begin and end. */
function takenBetween(sql: Queryable, { from, to }: Filter): Fragment {
  const [first, last] = idRangeBetween('ord', from, to)
  return sql`${from === undefined ? sql`` : sql`and o.created_at >= ${from} and o.id >= ${first}`}
    ${to === undefined ? sql`` : sql`and o.created_at < ${to} and o.id < ${last}`}`
}

/** Orders with a line of it, each once and in the order of their ids: by those of all products one may read past all that are newer. */
const ofProduct = (sql: Queryable, storeId: string, productId: string, { isDescending: descending }: AskedOrders['page']): Fragment => sql`(
  select distinct order_id collate "C" as order_id from order_items where store_id = ${storeId} and product_id = ${productId}
  order by order_id collate "C" ${descending ? sql`desc` : sql`asc`}
) p cross join lateral (select * from orders where store_id = ${storeId} and id = p.order_id offset 0) o`

const found = (sql: Queryable, q: string) =>
  waysToFind(q).reduce((any, patterns) => sql`${any} or (${holding(sql, patterns)})`, sql`o.reference = ${q.trim().toUpperCase()}`)

const holding = (sql: Queryable, patterns: readonly string[]) =>
  patterns.reduce((all, pattern) => sql`${all} and o.words like ${pattern}`, sql`true`)
