import { createHmac } from 'node:crypto'
import { projectIdOf } from '../../core/data/project-ids.ts'
import type { Sql } from '../../core/data/sql.ts'
import type { storefront } from './storefront.ts'

const STOCK = 1_000_000
/** Of a delivered order, of which one comes back after the other. */
const DELIVERED = 10_000
const SECRET = 'rehearsal'
const PAUSE_MS = 5

interface Opened {
  readonly as: string
  readonly key: string
  readonly storeId: string
}

/** People who order, change their minds and send back, and remember what they were told. */
export async function shoppers({ ok }: ReturnType<typeof storefront>, { as, key, storeId }: Opened, count: number) {
  const integration = `/v1/stores/${storeId}/integrations/sandbox`
  await ok('PUT', integration, as, { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} })
  const newProduct = { storeId, name: 'Basket', sku: 'B', price: 100, initialStock: STOCK }
  const { id: productId } = await ok('POST', '/v1/products', key, newProduct)
  const of = (quantity: number) => [{ productId, quantity }]
  const order = (quantity: number) => ({
    storeId,
    customer: { name: 'Lina', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: of(quantity),
  })
  /** What each order was answered to hold, and how many came back of each delivered one. */
  const held = new Map<string, number>()
  const back = new Map<string, number>()

  async function deliver(): Promise<string> {
    const { id } = await ok('POST', '/v1/orders', key, order(DELIVERED))
    await ok('POST', `/v1/stores/${storeId}/orders/${id}/carriers/sandbox/send`, key, {})
    const { trackingId: tracking } = await ok('GET', `/v1/orders/${id}/track`, key)
    const said = { tracking, status: 'delivered', at: new Date().toISOString(), eventId: id }
    const signature = `sha256=${createHmac('sha256', SECRET).update(JSON.stringify(said)).digest('hex')}`
    await ok('POST', `${integration}/webhook`, key, said, { 'x-sandbox-signature': signature })
    return id
  }

  /** One shopper: an order, then another quantity of it, then the return of a piece that was delivered before. */
  async function shop(who: number, brought: string, goesOn: () => boolean) {
    for (let at = 0; goesOn(); at += 1) {
      const once = (what: string) => ({ 'idempotency-key': `${what}-${who}-${at}` })
      const { id } = await ok('POST', '/v1/orders', key, order(2), once('order'))
      held.set(id, 2)
      await Bun.sleep(PAUSE_MS)
      const quantity = 1 + (at % 5)
      await ok('PATCH', `/v1/orders/${id}`, key, { items: of(quantity) })
      held.set(id, quantity)
      await Bun.sleep(PAUSE_MS)
      await ok('POST', '/v1/orders/return', key, { orderId: brought, items: [{ item: 0, quantity: 1 }] }, once('return'))
      back.set(brought, (back.get(brought) ?? 0) + 1)
    }
  }

  const brought: string[] = []
  for (let who = 0; who < count; who += 1) brought.push(await deliver())
  return {
    rounds: () => Math.min(...brought.map((id) => back.get(id) ?? 0)),
    all: (goesOn: () => boolean) => Promise.all(brought.map((id, who) => shop(who, id, goesOn))),
    /** What was answered beside what is there. All of them are done. */
    async account(sql: Sql) {
      const open = await sql<{ id: string; quantity: number }[]>`select o.id, i.quantity from orders o
        join order_items i on i.project_id = o.project_id and i.order_id = o.id where o.project_id = ${projectIdOf(storeId)} and o.status = 'pending'`
      const returned = await sql<{ id: string; quantity: number }[]>`select order_id as id, sum(quantity)::int as quantity
        from order_return_lines where project_id = ${projectIdOf(storeId)} group by order_id`
      const [shelf] = await sql<{ onHand: number; reserved: number }[]>`select on_hand::float8 as on_hand, reserved::float8 as reserved
        from inventory_balances where key = 'B'`
      const sum = (of: Map<string, number>) => of.values().reduce((all, each) => all + each, 0)
      const kept = (rows: readonly { id: string; quantity: number }[]) => Object.fromEntries(rows.map(({ id, quantity }) => [id, quantity]))
      return {
        answered: {
          held: Object.fromEntries(held),
          back: Object.fromEntries(back),
          shelf: { onHand: STOCK - count * DELIVERED + sum(back), reserved: sum(held) },
        },
        found: { held: kept(open), back: kept(returned), shelf },
      }
    },
  }
}
