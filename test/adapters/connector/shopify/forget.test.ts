import { afterAll, expect, test } from 'bun:test'
import { startApp } from '../../../support/app.ts'
import { findInTables } from '../../../support/dump.ts'
import { until } from '../../../support/until.ts'
import { APP, startShopify } from './simulator.ts'

const shop = startShopify()
afterAll(() => shop.stop())
const app = await startApp({ simulators: { [shop.host]: shop.url }, publicUrl: 'https://ours.example' })
const { call, ok, context } = app
const { sql } = context
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })

const tell = async (topic: string, told: string) => {
  const { headers, body: raw } = shop.signed(APP.clientSecret, topic, told)
  return (await call('POST', '/v1/integrations/connectors/shopify/webhook', { raw, headers })).status
}

test("shopify: after a redact request the customer is found in no table, without any user's action", async () => {
  const body = { platform: 'shopify', name: shop.host, credentials: APP, settings: { shop: shop.host } }
  await ok('POST', base, { as: owner.token, body })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/shopify/oauth/start`, { as: owner.token, body: {} })
  await call('GET', `/v1/integrations/oauth/callback?${shop.sendBack(new URL(data.url).searchParams.get('state') ?? '')}`)
  const [first, second] = [shop.place({ note: 'sonner chez Tassadit' }), shop.place()]
  for (const order of [first, second]) expect(await tell('orders/create', shop.told(order))).toBe(200)
  const orders = async () => (await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })).data
  await until(async () => (await orders()).length === 2)
  const [made] = await orders()
  const { name, phone } = made.customer
  const texts = [name, phone, phone.slice(4), made.destination.address, 'Tassadit']
  expect((await findInTables(sql, texts)).length).toBeGreaterThan(10)
  await until(async () => (await sql`select 1 from connector_callbacks where worked_at is null`).length === 0)
  const forget = { shop_domain: shop.host, customer: { id: 1, email: null, phone: null }, orders_to_redact: [first.id] }
  expect(await tell('customers/redact', JSON.stringify(forget))).toBe(200)
  await until(async () => {
    const { data: erasures } = await ok('GET', `/v1/stores/${storeId}/erasures`, { as: owner.token })
    return erasures[0]?.cause === 'shop' && erasures[0]?.state === 'done'
  })
  expect(await findInTables(sql, texts)).toEqual([])
  expect((await orders()).map(({ customer, totals }: typeof made) => [customer.name, totals.total])).toEqual([
    ['[erased]', 5400],
    ['[erased]', 5400],
  ])
}, 120_000)
