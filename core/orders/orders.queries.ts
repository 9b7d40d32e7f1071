import { keyedByProject, projectIdOf, storeIdColumn } from '../data/project-ids.ts'
import { recordsetOf } from '../data/rows.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../data/sql.ts'
import type { Actor } from '../data/tenant-context.ts'
import type { ConnectionRef } from '../integrations/connections/connections.model.ts'
import type { PricedLine } from '../shop/catalog/pricing/pricing.model.ts'
import type { Destination, Offer, OrderItem, OrderSource } from './orders.model.ts'
import { type OrderPaymentStatus, type OrderStatus, unconfirmedStatuses } from './statuses.ts'

/** Row of `orders` with its lines and the store's currency. Amounts are decimal strings. */
export interface OrderRow {
  readonly projectId: string
  readonly storeId: string
  readonly id: string
  readonly reference: string
  readonly status: OrderStatus
  readonly customerName: string
  readonly customerPhone: string
  readonly customerPhoneAlt: string | null
  readonly customerEmail: string | null
  readonly destination: Destination
  readonly note: string
  readonly promoCode: string | null
  readonly subtotal: string
  readonly delivery: string
  readonly discount: string
  readonly total: string
  /** Part of `discount` that was set manually, in addition to what the promotion takes off. */
  readonly discountByHand: string
  /** Delivery price that was set manually; null when the store's prices apply. */
  readonly deliveryByHand: string | null
  /** Sum of the payments that count, made before delivery, less refunds. */
  readonly paid: string
  readonly paymentStatus: OrderPaymentStatus
  readonly source: OrderSource
  /** Connector that imported the order, and the order's id in the connected shop; null for other sources. */
  readonly connectorId: string | null
  readonly externalId: string | null
  /** Actor that created the order; null for the system, and for orders older than this column. */
  readonly madeBy: Actor | null
  /** Network address of the client that created the order without a credential. */
  readonly network: string | null
  /** Time at which its stock is released unless a user confirms the order; null when it does not expire. */
  readonly heldUntil: string | null
  /** Terms of its promotion at creation; null without a promotion, or when the terms were not stored. */
  readonly offer: Offer | null
  readonly assignedTo: string | null
  readonly metadata: Record<string, unknown>
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
  readonly parcelId: string | null
  /** True when the order is sent in several parcels. */
  readonly isDivided: boolean
  /** Order whose goods this order replaces. */
  readonly exchangeOf: string | null
  /** Description of the goods that the courier collects on delivery. */
  readonly takesBack: string | null
  readonly sendings: number
  /** Fields of its parcel that were overridden at sending; each part of a divided order has its own list. */
  readonly overrides: readonly OverridableField[]
  /** Increases with each change that the parcel must copy: lines, amounts, customer, address. */
  readonly version: number
  /** Increases with each change. Callers see it as the version of the order. */
  readonly revision: number
  /** Search text; see `orderSearchTextOf`. */
  readonly searchText: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Currency of the store; it cannot change while the store has orders. */
  readonly currency: string
  /** Lines as JSON, read in the same statement. */
  readonly items: (Omit<OrderItem, 'total' | 'unitPrice'> & { unitPrice: string })[]
}

/** Field that a parcel copies from its order unless it was overridden at sending. */
export type OverridableField = 'weightKg' | 'notes'

/** Primary key of an order. */
export type OrderKey = Pick<OrderRow, 'storeId' | 'id'>

/** Line of an order as stored. */
export type LineRow = PricedLine

/** Columns of `orders` to insert or update. */
export type OrderValues = Partial<Omit<OrderRow, 'projectId' | 'items' | 'currency' | 'revision' | 'createdAt' | 'updatedAt'>>

type OrderTimes = Pick<OrderRow, 'createdAt' | 'updatedAt'>

/** Selects the lines as JSON, the store and its currency, in a statement that reads `orders o`. */
export const orderItemColumns = (sql: Queryable) => sql`(
  select coalesce(json_agg(json_build_object('productId', i.product_id, 'variantId', i.variant_id, 'offerId', i.offer_id, 'name', i.name, 'sku', i.sku,
    'quantity', i.quantity, 'unitPrice', i.unit_price::text) order by i.line), '[]')
  from order_items i where i.project_id = o.project_id and i.order_id = o.id) as items,
  ${storeIdColumn(sql, 'o')}, (select s.currency_code from stores s where s.project_id = o.project_id) as currency`

const JSON_COLUMNS = ['destination', 'metadata', 'offer', 'madeBy'] as const

/** Inserts an order with its lines in one statement. */
export function insertOrder(sql: Queryable, order: OrderValues & OrderKey & OrderTimes, lines: readonly LineRow[]) {
  const { names, from } = linesOf(sql, order, lines)
  return sql`with placed as (insert into orders ${rowValues(sql, keyedByProject(order), JSON_COLUMNS)})
    insert into order_items (${names}) select ${names} from ${from}`
}

/** Inserts the lines of an order in one statement; a bundle may have more lines than a statement may have parameters. */
export function insertOrderLines(sql: Queryable, key: OrderKey, lines: readonly LineRow[]) {
  const { names, from } = linesOf(sql, key, lines)
  return sql`insert into order_items (${names}) select ${names} from ${from}`
}

const linesOf = (sql: Queryable, { storeId, id }: OrderKey, lines: readonly LineRow[]) =>
  recordsetOf(
    sql,
    'order_items',
    lines.map((line, at) => ({ projectId: projectIdOf(storeId), orderId: id, line: at + 1, ...line })),
  )

/** Deletes all lines of an order. */
export const deleteOrderLines = (sql: Queryable, storeId: string, orderId: string) =>
  sql`delete from order_items where project_id = ${projectIdOf(storeId)} and order_id = ${orderId}`

/** Updates columns of an order, its revision and its `updated_at`. */
export const updateOrder = (sql: Queryable, { storeId, id }: OrderKey, change: OrderValues) =>
  sql`update orders set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)}, revision = revision + 1
    where project_id = ${projectIdOf(storeId)} and id = ${id}`

/** Moves these orders from one connector to another connector of the same shop. */
export const updateConnectorOfOrders = (sql: Queryable, { projectId, id }: ConnectionRef, to: string, ids: readonly string[]) =>
  sql`update orders set connector_id = ${to} where project_id = ${projectId} and id = any (${ids as string[]}) and connector_id = ${id}`

/** Updates many orders in one statement. All changes must set the same columns, and the caller must have locked the rows. */
export function updateOrders(sql: Queryable, changes: readonly (OrderKey & OrderValues)[]) {
  const updatedAt = new Date().toISOString()
  const { set, from } = recordsetOf(
    sql,
    'orders',
    changes.map((change) => ({ ...keyedByProject(change), updatedAt })),
    ['projectId', 'id'],
  )
  return sql`update orders o set ${set}, revision = o.revision + 1 from ${from} r where o.project_id = r.project_id and o.id = r.id`
}

/** Locks and returns the unconfirmed orders assigned to the user, in id order to avoid deadlocks. */
export const lockUnconfirmedAssignedTo = async (sql: Tx, storeId: string, userId: string) => {
  const locked = await sql<{ id: string }[]>`select id from orders
    where project_id = ${projectIdOf(storeId)} and assigned_to = ${userId} and status = any (${unconfirmedStatuses as OrderStatus[]}) and deleted_at is null order by id for update`
  const ids = locked.map(({ id }) => id)
  return sql<
    OrderRow[]
  >`select o.*, ${orderItemColumns(sql)} from orders o where o.project_id = ${projectIdOf(storeId)} and o.id = any (${ids})`
}

/** Marks an order as deleted. */
export const markOrderDeleted = (sql: Queryable, { storeId, id }: OrderKey) =>
  sql`update orders set deleted_at = now() where project_id = ${projectIdOf(storeId)} and id = ${id}`

/** Finds an order that is not deleted. */
export const findOrder = async (sql: Queryable, { storeId, id }: OrderKey) =>
  (
    await sql<
      OrderRow[]
    >`select o.*, ${orderItemColumns(sql)} from orders o where o.project_id = ${projectIdOf(storeId)} and o.id = ${id} and o.deleted_at is null`
  )[0]

/** Finds an order by its id alone, in any store. Skips deleted orders. */
export const findOrderById = async (sql: Queryable, id: string) =>
  (await sql<OrderRow[]>`select o.*, ${orderItemColumns(sql)} from orders o where o.id = ${id} and o.deleted_at is null`)[0]

/** Locks an order until the transaction ends and returns it; undefined when there is none. Lock and read share one round trip. */
export const lockOrder = async (sql: Tx, key: OrderKey) => {
  const [, order] = await Promise.all([lockOrderRow(sql, key), findOrder(sql, key)])
  return order
}

/** Sends the lock statement immediately, so that a statement sent after it reads the locked row. */
const lockOrderRow = async (sql: Queryable, { storeId, id }: OrderKey) => {
  await sql`select 1 from orders where project_id = ${projectIdOf(storeId)} and id = ${id} for update`
}

/** Locks and returns an order, even a deleted one, whose goods may still move. */
export const lockOrderIncludingDeleted = async (sql: Tx, key: OrderKey) => {
  const [, [order]] = await Promise.all([
    lockOrderRow(sql, key),
    sql<
      (OrderRow & { deletedAt: string | null })[]
    >`select o.*, ${orderItemColumns(sql)} from orders o where o.project_id = ${projectIdOf(key.storeId)} and o.id = ${key.id}`,
  ])
  return order
}

/** Locks and returns orders of the project's store, even deleted ones, in id order to avoid deadlocks. */
export const lockOrdersIncludingDeleted = async (sql: Tx, projectId: string, ids: readonly string[]) => {
  const these = sql`project_id = ${projectId} and id = any (${ids as string[]})`
  const [, orders] = await Promise.all([
    sql`select 1 from orders where ${these} order by id for update`,
    sql<(OrderRow & { deletedAt: string | null })[]>`select o.*, ${orderItemColumns(sql)} from orders o where ${these}`,
  ])
  return orders
}

/** Locks and returns the given orders of a store, except those that another transaction has locked. Never waits. */
export const lockOrdersSkipLocked = async (sql: Tx, storeId: string, ids: readonly string[]) => {
  const free = await sql<{ id: string }[]>`select id from orders
    where project_id = ${projectIdOf(storeId)} and id = any (${ids as string[]}) and deleted_at is null order by id for update skip locked`
  const held = free.map(({ id }) => id)
  return sql<
    OrderRow[]
  >`select o.*, ${orderItemColumns(sql)} from orders o where o.project_id = ${projectIdOf(storeId)} and o.id = any (${held})`
}

/** Counts unconfirmed storefront orders of a phone number and of a network. Concurrent counts of either wait until the transaction ends. */
export const countUnconfirmed = async (sql: Queryable, storeId: string, phone: string, network: string) => {
  // Locks in a fixed order to avoid deadlocks.
  const acquireLock = async (what: string) => void (await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} ${what}`}, 0))`)
  const unconfirmed = (where: ReturnType<Queryable>) => sql`select count(*)::int from orders
    where project_id = ${projectIdOf(storeId)} and ${where} and source = 'storefront' and status in ('pending', 'unreachable', 'postponed') and deleted_at is null`
  const counted = async () =>
    expectOne(
      await sql<{ byPhone: number; byNetwork: number }[]>`
        select (${unconfirmed(sql`customer_phone = ${phone}`)}) as by_phone, (${unconfirmed(sql`network = ${network}`)}) as by_network`,
    )
  const [, , open] = await Promise.all([acquireLock(phone), acquireLock(network), counted()])
  return open
}

/** Returns true when the phone number has another order in the store that is not cancelled. */
export const hasOtherOrder = async (sql: Queryable, storeId: string, phone: string, besides: string) =>
  (
    await sql`select 1 from orders where project_id = ${projectIdOf(storeId)} and customer_phone = ${phone} and id <> ${besides} and status <> 'cancelled' and deleted_at is null limit 1`
  ).length > 0

/** Lists pending orders whose stock reservation has expired, oldest first. */
export const listOverdueOrders = (sql: Queryable, most: number) =>
  sql<
    OrderKey[]
  >`select ${storeIdColumn(sql, 'orders')}, id from orders where held_until <= now() and status = 'pending' and deleted_at is null order by held_until limit ${most}`

/** Lists the lines of an order with their inventory keys. */
export const listOrderLines = (sql: Queryable, storeId: string, orderId: string) =>
  sql<
    LineRow[]
  >`select product_id, variant_id, offer_id, name, sku, unit_price, unit_cost, quantity, inventory_key from order_items where project_id = ${projectIdOf(storeId)} and order_id = ${orderId} order by line`
