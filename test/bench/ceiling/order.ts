import type { ISql, Sql } from 'postgres'
import { recordEvents } from './event.ts'

export interface OrderBody {
  readonly storeId: string
  readonly customer: { readonly name: string; readonly phone: string }
  readonly destination: object
  readonly items: readonly { readonly productId: string; readonly quantity: number }[]
}

type Line = { product_id: string; name: string; sku: string; unit_price: string; quantity: number; inventory_key: string }
type Balance = { namespace: string; key: string; batch: string; on_hand: string; reserved: string; at: Date }

const NAMESPACE = 'main'
const text = (length: number) => crypto.randomUUID().replaceAll('-', '').slice(0, length)

/** The statements of `POST /v1/orders`, in its order and with its round trips. */
export async function takeOrder(sql: Sql, projectId: string, body: OrderBody) {
  const { storeId } = body
  await sql`select id, owner_id, project_id, name, slug, country_code, currency_code, phone, email, address, settings, metadata, created_at, updated_at
    from stores where id = ${storeId} and deleted_at is null`
  return sql.begin(async (tx) => {
    const lines = await priced(tx, body)
    const order = orderOf(body, lines, await reserve(tx, projectId, lines))
    const answer = { ...order, items: lines }
    await Promise.all([
      tx`insert into orders ${tx({ ...order, destination: tx.json(order.destination as never), metadata: tx.json({}) })}`,
      tx`insert into order_items ${tx(lines.map((line, at) => ({ store_id: storeId, order_id: order.id, line: at + 1, variant_id: null, ...line })))}`,
      recordEvents(tx, [{ projectId, storeId, type: 'order.created', orderKey: order.id, audience: 'store', data: { order: answer } }]),
    ])
    return { data: answer }
  })
}

function orderOf({ storeId, customer, destination }: OrderBody, lines: readonly Line[], reservationId: string) {
  const total = lines.reduce((sum, line) => sum + Number(line.unit_price) * line.quantity, 0)
  const now = new Date().toISOString()
  return {
    store_id: storeId,
    id: `ord_${text(26)}`,
    reference: text(10),
    status: 'pending',
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_phone_alt: null,
    customer_email: null,
    destination,
    note: '',
    promo_code: null,
    subtotal: total,
    delivery: 0,
    discount: 0,
    total,
    source: 'api',
    metadata: {},
    reservation_id: reservationId,
    created_at: now,
    updated_at: now,
  }
}

async function priced(tx: ISql, { storeId, items }: OrderBody): Promise<Line[]> {
  const products = await tx<{ id: string; name: string; sku: string; price: string; inventory_key: string }[]>`
    select * from products where store_id = ${storeId} and id = any (${items.map((item) => item.productId)}) and deleted_at is null`
  const byId = new Map(products.map((product) => [product.id, product]))
  return items.map(({ productId, quantity }) => {
    const { name, sku, price, inventory_key } = byId.get(productId)!
    return { product_id: productId, name, sku, unit_price: price, quantity, inventory_key }
  })
}

async function reserve(tx: ISql, projectId: string, lines: readonly Line[]): Promise<string> {
  const balances = await lockFree(tx, projectId, lines)
  const reservationId = `res_${text(26)}`
  const changed = balances.map((balance) => ({
    projectId,
    type: 'inventory.stock.changed',
    topic: `inventory.stock.changed:${NAMESPACE}/${balance.key}`,
    orderKey: `${NAMESPACE}/${balance.key}`,
    audience: 'project',
    data: balance,
  }))
  await Promise.all([hold(tx, projectId, reservationId, balances[0]!.at, lines), recordEvents(tx, changed)])
  return reservationId
}

function lockFree(tx: ISql, projectId: string, lines: readonly Line[]) {
  const wanted = lines.map(({ inventory_key: key }) => ({
    project_id: projectId,
    namespace: NAMESPACE,
    key,
    batches: null,
  }))
  return tx<Balance[]>`
    with locked as materialized (
      select b.* from jsonb_to_recordset(${tx.json(wanted)}) as w (project_id text, namespace text, key text, batches text[])
      join inventory_balances b on b.project_id = w.project_id and b.namespace = w.namespace and b.key = w.key and (w.batches is null or b.batch = any (w.batches))
      where w.project_id = ${projectId} and b.on_hand > b.reserved order by b.namespace, b.key, b.batch for update of b
    ), timed as materialized (select *, clock_timestamp() as at from locked)
    select namespace, key, batch, on_hand, reserved, unit_cost, max(at) over () as at from timed order by created_at, batch`
}

function hold(tx: ISql, projectId: string, id: string, at: Date, lines: readonly Line[]) {
  const held = lines.map(({ inventory_key: key, quantity }, line) => ({
    project_id: projectId,
    line,
    namespace: NAMESPACE,
    key,
    batch: '',
    quantity: String(quantity),
  }))
  return tx`
    with made as (
      insert into inventory_reservations (project_id, id, status, reference, expires_at, created_at, updated_at)
      values (${projectId}, ${id}, ${'active'}, ${text(10)}, ${null}, ${at}, ${at})
    ), line as (
      select * from jsonb_to_recordset(${tx.json(held)}) as l (project_id text, line integer, namespace text, key text, batch text, quantity numeric)
      where project_id = ${projectId}
    ), raised as (
      update inventory_balances b set reserved = b.reserved + l.quantity from line l
      where b.project_id = l.project_id and b.namespace = l.namespace and b.key = l.key and b.batch = l.batch
    )
    insert into inventory_reservation_lines (project_id, reservation_id, line, namespace, key, batch, quantity)
    select project_id, ${id}, line, namespace, key, batch, quantity from line`
}
