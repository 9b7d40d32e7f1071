import { afterAll, expect, test } from 'bun:test'
import { startApp } from '../../../support/app.ts'
import { APP, startShopify } from './simulator.ts'

const shop = startShopify()
afterAll(() => shop.stop())
const app = await startApp({ simulators: { [shop.host]: shop.url, 'basket.example': shop.url }, publicUrl: 'https://ours.example' })
const { call, ok, context } = app
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const read = async () => (await ok('GET', base, { as: key })).data[0]
const until = async (isSo: () => Promise<boolean>) => {
  for (const end = Date.now() + 30_000; !(await isSo()); await Bun.sleep(20)) if (Date.now() > end) throw new Error('It never came to be.')
}

test('a shop whose owner signs in is read, and tells its news at the one address of the platform', async () => {
  const body = { platform: 'shopify', name: shop.host, credentials: APP, settings: { shop: shop.host } }
  const { data: connector } = await ok('POST', base, { as: owner.token, body })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/shopify/oauth/start`, { as: owner.token, body: {} })
  const asked = new URL(data.url)
  expect([asked.host, asked.searchParams.get('scope'), asked.searchParams.get('client_id')]).toEqual([
    shop.host,
    'read_products,read_orders',
    APP.clientId,
  ])
  const back = `/v1/integrations/oauth/callback?code=code-of-the-owner&shop=${shop.host}&state=${asked.searchParams.get('state')}`
  expect((await call('GET', back, { headers: { 'accept-language': 'en' } })).body).toContain('It is connected')
  shop.place()
  await ok('POST', `${base}/${connector.id}/pull`, { as: key, body: { since: '2026-11-20T00:00:00Z' } })
  await until(async () => (await read()).pull.status === 'done')
  expect((await read()).orders).toEqual({ taken: 1, waiting: 0, notFollowed: 0 })
  await ok('POST', `${base}/${connector.id}/webhooks`, { as: owner.token })
  expect(shop.hooks.size).toBe(4)
  const { headers, body: raw } = shop.signed(APP.clientSecret, 'orders/create', shop.told(shop.place()))
  const tell = (change: Record<string, string> = {}) =>
    call('POST', '/v1/integrations/connectors/shopify/webhook', { raw, headers: { ...headers, ...change } })
  expect((await tell({ 'x-shopify-shop-domain': 'other.myshopify.com' })).status).toBe(404)
  expect((await tell({ 'x-shopify-hmac-sha256': btoa('x'.repeat(32)) })).status).toBe(401)
  expect((await Promise.all([tell(), tell()])).map(({ status }) => status)).toEqual([200, 200])
  await until(async () => (await read()).orders.taken === 2)
  const { data: orders } = await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })
  expect(orders).toMatchObject([{ customer: { phone: '+213550123456' }, totals: { total: 5400, delivery: 400 } }, {}])
  expect(await context.sql`select 1 from channel_callbacks where worked_at is null`).toHaveLength(0)
})

test('what a shop shows to everybody is looked up under a domain of its own too', async () => {
  const look = async (page: number) =>
    (await ok('GET', `/v1/actions/getShopifyProducts?url=https://basket.example/x&page=${page}`, { as: key })).data
  const first = await look(1)
  expect(first).toMatchObject({ nextPage: 2, products: { length: 250 } })
  expect(first.products[0]).toMatchObject({ price: '19.99', compareAtPrice: '25', inStock: true, variants: [{ sku: 'B-L', name: 'L' }] })
  expect(await look(2)).toMatchObject({ nextPage: null })
})
