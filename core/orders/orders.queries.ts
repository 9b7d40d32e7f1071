import type { Queryable } from '../data/sql.ts'
import type { Destination, Item, OrderQuery } from './orders.model.ts'
import type { OrderStatus } from './statuses.ts'

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
  readonly source: 'member' | 'api' | 'storefront'
  readonly assignedTo: string | null
  readonly metadata: Record<string, unknown>
  readonly reservationId: string | null
  readonly fulfilmentId: string | null
  readonly parcelId: string | null
  readonly sendings: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Lines as JSON: read together with the order. */
  readonly items: (Omit<Item, 'total' | 'unitPrice'> & { unitPrice: string })[]
}

export interface LineRow {
  readonly productId: string
  readonly variantId: string | null
  readonly name: string
  readonly sku: string | null
  readonly unitPrice: string
  readonly quantity: number
  readonly inventoryKey: string | null
}

export type OrderValues = Partial<Omit<OrderRow, 'items' | 'createdAt' | 'updatedAt'>>

const items = (sql: Queryable) => sql`(
  select coalesce(json_agg(json_build_object('productId', i.product_id, 'variantId', i.variant_id, 'name', i.name, 'sku', i.sku,
    'quantity', i.quantity, 'unitPrice', i.unit_price::text) order by i.line), '[]')
  from order_items i where i.store_id = o.store_id and i.order_id = o.id) as items`

const json = (sql: Queryable, values: OrderValues) => ({
  ...values,
  ...(values.destination && { destination: sql.json(values.destination) }),
  ...(values.metadata && { metadata: sql.json(values.metadata as never) }),
})

export const insertOrder = async (sql: Queryable, order: OrderValues) =>
  (
    await sql<
      { createdAt: string; updatedAt: string }[]
    >`insert into orders ${sql(json(sql, order) as never)} returning created_at, updated_at`
  )[0]!

export const insertLines = (sql: Queryable, storeId: string, orderId: string, lines: readonly LineRow[]) =>
  sql`insert into order_items ${sql(lines.map((line, at) => ({ storeId, orderId, line: at + 1, ...line })) as never)}`

export const deleteLines = (sql: Queryable, storeId: string, orderId: string) =>
  sql`delete from order_items where store_id = ${storeId} and order_id = ${orderId}`

export const updateOrder = (sql: Queryable, id: string, change: OrderValues) =>
  sql`update orders set ${sql({ ...json(sql, change), updatedAt: new Date() } as never)} where id = ${id}`

export const markOrderDeleted = (sql: Queryable, id: string) => sql`update orders set deleted_at = now() where id = ${id}`

export const findOrder = async (sql: Queryable, id: string) =>
  (await sql<OrderRow[]>`select o.*, ${items(sql)} from orders o where o.id = ${id} and o.deleted_at is null`)[0]

/** Holds the order's row until the transaction ends: whoever else changes the order waits. */
export const lockOrder = async (sql: Queryable, id: string) => {
  await sql`select 1 from orders where id = ${id} for update`
  return findOrder(sql, id)
}

export const listOrders = (sql: Queryable, storeId: string, { status, phone, q }: OrderQuery, before: string | null, take: number) =>
  sql<OrderRow[]>`select o.*, ${items(sql)} from orders o where o.store_id = ${storeId} and o.deleted_at is null
    and (${before}::text is null or o.id < ${before}) and (${status ?? null}::text is null or o.status = ${status ?? null})
    and (${phone ?? null}::text is null or o.customer_phone = ${phone ?? null} or o.customer_phone_alt = ${phone ?? null})
    and (${q ?? null}::text is null or o.reference = upper(${q ?? ''}) or position(lower(${q ?? ''}) in lower(o.customer_name)) > 0)
    order by o.id desc limit ${take}`

/** Stock that the order's lines hold, by ledger key. */
export const linesOfOrder = (sql: Queryable, storeId: string, orderId: string) =>
  sql<
    LineRow[]
  >`select product_id, variant_id, name, sku, unit_price, quantity, inventory_key from order_items where store_id = ${storeId} and order_id = ${orderId} order by line`
