import { afterAll, expect } from 'bun:test'
import { KEYS, startWoo } from '../../adapters/connector/woocommerce/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const SECRET = 'secret-of-callbacks-0123456789'

/** Line of an order whose product the store sells. */
export const basket = { id: 1, name: 'Basket', sku: 'B', quantity: 2, price: 2500, total: '5000.00' }

/** Starts an app beside a WooCommerce shop. `connected` makes a store of its own with the shop as its connector. */
export async function startWooShop() {
  const woo = startWoo()
  afterAll(() => woo.stop())
  const app = await startApp({ simulators: { [woo.host]: woo.url }, publicUrl: 'https://ours.example' })
  const { call, ok, context } = app
  const { sql } = context
  async function connected(stock = 10_000) {
    woo.orders.clear()
    const made = await app.shop()
    const { storeId, owner, key } = made
    const base = `/v1/stores/${storeId}/integrations/connectors`
    await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: stock } })
    const body = { platform: 'woocommerce', credentials: { ...KEYS, webhookSecret: SECRET }, settings: { shop: woo.host } }
    const { data: connector } = await ok('POST', base, { as: owner.token, body })
    const at = `${base}/${connector.id}`
    const path = new URL(connector.webhookUrl).pathname
    const ours = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100&sort=createdAt`, { as: key })).data
    const theirs = async (query = '') => (await ok('GET', `${at}/orders?limit=100${query}`, { as: key })).data
    const read = async () => (await ok('GET', base, { as: key })).data[0]
    const inbox = async () => ok('GET', `${at}/inbox`, { as: key })
    const worked = () =>
      until(async () => {
        const [row] = await sql<{ left: number }[]>`select (select count(*) from connector_callbacks where worked_at is null)::int
          + (select count(*) from graphile_worker.jobs where task_identifier in ('connectors.importPending', 'connectors.pull'))::int as left`
        return row?.left === 0
      })
    const pull = async () => {
      await ok('POST', `${at}/pull`, { as: key, body: { since: '2026-01-01T00:00:00Z' } })
      await until(async () => ['done', 'failed'].includes((await read()).pull.status))
      await worked()
      return (await read()).pull
    }
    const tell = async (order: object, topic = 'order.updated') => {
      const { headers, body: bytes } = woo.signed(SECRET, topic, JSON.stringify(order))
      const answer = await call('POST', path, { raw: new TextDecoder().decode(bytes), headers })
      expect(answer.status).toBe(200)
      await worked()
    }
    return { ...made, at, ours, theirs, read, inbox, pull, tell, worked }
  }
  return { woo, app, connected }
}
