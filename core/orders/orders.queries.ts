import { recordsetOf } from '../data/rows.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../data/sql.ts'
import type { Actor } from '../data/tenant-context.ts'
import type { PricedLine } from '../shop/catalog/pricing/pricing.model.ts'
import type { Destination, Item, Offer, OrderSource } from './orders.model.ts'
import { type OrderPaymentStatus, type OrderStatus, waiting } from './statuses.ts'

export interface OrderRow {
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
  /** Of the discount, what the store's people gave besides what a promotion takes off. */
  readonly discountByHand: string
  /** What they said that delivery costs; null where it is priced. */
  readonly deliveryByHand: string | null
  /** What was paid of it before it is delivered, and counts, less what was given back. */
  readonly paid: string
  readonly paymentStatus: OrderPaymentStatus
  readonly source: OrderSource
  /** The connection that sent it, and its id there; null for other sources. */
  readonly connectorId: string | null
  readonly externalId: string | null
  /** The actor that made it; null of the system, and of orders from before this was kept. */
  readonly madeBy: Actor | null
  /** Where an order without a credential came from. */
  readonly network: string | null
  /** Until when it holds its stock unless somebody confirms it; null where nothing ends that. */
  readonly heldUntil: string | null
  /** What its promotion promised when it was taken; null also where that was not kept. */
  readonly offer: Offer | null
  readonly assignedTo: string | null
  readonly metadata: Record<string, unknown>
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
  readonly parcelId: string | null
  /** Whether it travels in parts. */
  readonly isDivided: boolean
  /** The order of which it replaces goods. */
  readonly exchangeOf: string | null
  /** What the courier who delivers it brings back, in words. */
  readonly takesBack: string | null
  readonly sendings: number
  /** What of its parcel was said when it was sent; of an order in parts each of them knows its own. */
  readonly said: readonly Said[]
  /** Grows with what its parcel takes over: lines, amounts, customer, address. */
  readonly version: number
  /** What it is found by; see `wordsOf`. */
  readonly words: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Of its store, which keeps it while there are orders. */
  readonly currency: string
  /** Lines as JSON: read together with the order. */
  readonly items: (Omit<Item, 'total' | 'unitPrice'> & { unitPrice: string })[]
}

/** What a parcel has of its order, unless it was said of it. */
export type Said = 'weightKg' | 'notes'

/** Whose it is, and which. */
export type OrderKey = Pick<OrderRow, 'storeId' | 'id'>

export type LineRow = PricedLine

export type OrderValues = Partial<Omit<OrderRow, 'items' | 'currency' | 'createdAt' | 'updatedAt'>>

/** Lines and the currency, for the columns of a statement that reads `orders o`. */
export const items = (sql: Queryable) => sql`(
  select coalesce(json_agg(json_build_object('productId', i.product_id, 'variantId', i.variant_id, 'offerId', i.offer_id, 'name', i.name, 'sku', i.sku,
    'quantity', i.quantity, 'unitPrice', i.unit_price::text) order by i.line), '[]')
  from order_items i where i.store_id = o.store_id and i.order_id = o.id) as items,
  (select s.currency_code from stores s where s.id = o.store_id) as currency`

const JSON_COLUMNS = ['destination', 'metadata', 'offer', 'madeBy'] as const

export const insertOrder = async (sql: Queryable, order: OrderValues) =>
  expectOne(
    await sql<
      { createdAt: string; updatedAt: string }[]
    >`insert into orders ${rowValues(sql, order, JSON_COLUMNS)} returning created_at, updated_at`,
  )

/** Bundles are many lines: more than a statement has parameters for. */
export function insertLines(sql: Queryable, storeId: string, orderId: string, lines: readonly LineRow[]) {
  const { names, from } = recordsetOf(
    sql,
    'order_items',
    lines.map((line, at) => ({ storeId, orderId, line: at + 1, ...line })),
  )
  return sql`insert into order_items (${names}) select ${names} from ${from}`
}

export const deleteLines = (sql: Queryable, storeId: string, orderId: string) =>
  sql`delete from order_items where store_id = ${storeId} and order_id = ${orderId}`

export const updateOrder = (sql: Queryable, { storeId, id }: OrderKey, change: OrderValues) =>
  sql`update orders set ${rowValues(sql, { ...change, updatedAt: new Date() }, JSON_COLUMNS)} where store_id = ${storeId} and id = ${id}`

/** Moves these orders to another connection of the same shop. */
export const updateConnector = (sql: Queryable, from: string, to: string, ids: readonly string[]) =>
  sql`update orders set connector_id = ${to} where id = any (${ids as string[]}) and connector_id = ${from}`

/** Many at once, what changes being the same of each. The caller holds them. */
export function updateOrders(sql: Queryable, changes: readonly (OrderKey & OrderValues)[]) {
  const updatedAt = new Date().toISOString()
  const { set, from } = recordsetOf(
    sql,
    'orders',
    changes.map((change) => ({ ...change, updatedAt })),
    ['storeId', 'id'],
  )
  return sql`update orders o set ${set} from ${from} r where o.store_id = r.store_id and o.id = r.id`
}

/** Those that wait to be confirmed by this person, held in the one order that all who hold several keep to. */
export const lockWaitingOf = async (sql: Tx, storeId: string, userId: string) => {
  const held = await sql<{ id: string }[]>`select id from orders
    where store_id = ${storeId} and assigned_to = ${userId} and status = any (${waiting as OrderStatus[]}) and deleted_at is null order by id for update`
  const ids = held.map(({ id }) => id)
  return sql<OrderRow[]>`select o.*, ${items(sql)} from orders o where o.store_id = ${storeId} and o.id = any (${ids})`
}

export const markOrderDeleted = (sql: Queryable, { storeId, id }: OrderKey) =>
  sql`update orders set deleted_at = now() where store_id = ${storeId} and id = ${id}`

export const findOrder = async (sql: Queryable, { storeId, id }: OrderKey) =>
  (
    await sql<OrderRow[]>`select o.*, ${items(sql)} from orders o where o.store_id = ${storeId} and o.id = ${id} and o.deleted_at is null`
  )[0]

/** For who knows an id and not whose it is. */
export const findOrderAnywhere = async (sql: Queryable, id: string) =>
  (await sql<OrderRow[]>`select o.*, ${items(sql)} from orders o where o.id = ${id} and o.deleted_at is null`)[0]

/** Holds the order's row until the transaction ends: whoever else changes the order waits. It is read when it is held, in the same trip. */
export const lockOrder = async (sql: Tx, key: OrderKey) => {
  const [, order] = await Promise.all([hold(sql, key), findOrder(sql, key)])
  return order
}

/** Asked for as soon as it is called: what is called after it reads what it holds. */
const hold = async (sql: Queryable, { storeId, id }: OrderKey) => {
  await sql`select 1 from orders where store_id = ${storeId} and id = ${id} for update`
}

/** The same, also where it was deleted: its goods are still where they are. */
export const lockDeletedToo = async (sql: Tx, key: OrderKey) => {
  const [, [order]] = await Promise.all([
    hold(sql, key),
    sql<
      (OrderRow & { deletedAt: string | null })[]
    >`select o.*, ${items(sql)} from orders o where o.store_id = ${key.storeId} and o.id = ${key.id}`,
  ])
  return order
}

/** The same for many of a project's store, in the one order that all who hold several keep to. */
export const lockAllDeletedToo = async (sql: Tx, projectId: string, ids: readonly string[]) => {
  const these = sql`store_id = (select id from stores where project_id = ${projectId}) and id = any (${ids as string[]})`
  const [, orders] = await Promise.all([
    sql`select 1 from orders where ${these} order by id for update`,
    sql<(OrderRow & { deletedAt: string | null })[]>`select o.*, ${items(sql)} from orders o where ${these}`,
  ])
  return orders
}

/** Of these orders of a store, those that nobody else holds now; the caller does then, and waits for nobody. */
export const lockFree = async (sql: Tx, storeId: string, ids: readonly string[]) => {
  const free = await sql<{ id: string }[]>`select id from orders
    where store_id = ${storeId} and id = any (${ids as string[]}) and deleted_at is null order by id for update skip locked`
  const held = free.map(({ id }) => id)
  return sql<OrderRow[]>`select o.*, ${items(sql)} from orders o where o.store_id = ${storeId} and o.id = any (${held})`
}

/** Orders without a credential that nobody confirmed yet, of a phone and of a network; whoever else counts either waits for the caller's transaction. */
export const countUnconfirmed = async (sql: Queryable, storeId: string, phone: string, network: string) => {
  // In one order, so that nobody waits for one who waits for him.
  const wait = async (what: string) => void (await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} ${what}`}, 0))`)
  const unconfirmed = (where: ReturnType<Queryable>) => sql`select count(*)::int from orders
    where store_id = ${storeId} and ${where} and source = 'storefront' and status in ('pending', 'unreachable', 'postponed') and deleted_at is null`
  const counted = async () =>
    expectOne(
      await sql<{ byPhone: number; byNetwork: number }[]>`
        select (${unconfirmed(sql`customer_phone = ${phone}`)}) as by_phone, (${unconfirmed(sql`network = ${network}`)}) as by_network`,
    )
  const [, , open] = await Promise.all([wait(phone), wait(network), counted()])
  return open
}

/** Whether the phone number has an order in the store that stands, another than this one. */
export const hasOrderOf = async (sql: Queryable, storeId: string, phone: string, besides: string) =>
  (
    await sql`select 1 from orders where store_id = ${storeId} and customer_phone = ${phone} and id <> ${besides} and status <> 'cancelled' and deleted_at is null limit 1`
  ).length > 0

/** Orders that hold stock for longer than they may. */
export const listOverdue = (sql: Queryable, most: number) =>
  sql<
    OrderKey[]
  >`select store_id, id from orders where held_until <= now() and status = 'pending' and deleted_at is null order by held_until limit ${most}`

/** Stock that the order's lines hold, by ledger key. */
export const linesOfOrder = (sql: Queryable, storeId: string, orderId: string) =>
  sql<
    LineRow[]
  >`select product_id, variant_id, offer_id, name, sku, unit_price, unit_cost, quantity, inventory_key from order_items where store_id = ${storeId} and order_id = ${orderId} order by line`
