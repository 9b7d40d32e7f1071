import { afterAll, expect, test } from 'bun:test'
import lightfunnels from '../../../../adapters/connector/lightfunnels/index.ts'
import { DAY_MS } from '../../../../core/lib/durations.ts'
import { openDesk } from '../../../../plugins/connector/acceptance.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { APP, startLightFunnels, TOKEN } from './simulator.ts'

const shop = startLightFunnels()
afterAll(() => shop.stop())
const app = await startApp({ simulators: { 'services.lightfunnels.com': shop.url }, publicUrl: 'https://ours.example' })
const { call, ok } = app
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const read = async () => (await ok('GET', base, { as: key })).data[0]
const orders = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data

test('lightfunnels: after the owner signs in orders are read; test orders and old ones are left out', async () => {
  await ok('POST', base, { as: owner.token, body: { platform: 'lightfunnels', name: 'Funnels', credentials: APP } })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/lightfunnels/oauth/start`, { as: owner.token, body: {} })
  const asked = new URL(data.url)
  expect([asked.host, asked.searchParams.get('scope')]).toEqual(['app.lightfunnels.com', 'products,orders,customers,funnels'])
  const back = `/v1/integrations/oauth/callback?code=code-of-the-owner&state=${asked.searchParams.get('state')}`
  expect((await call('GET', back, { headers: { 'accept-language': 'en' } })).body).toContain('It is connected')
  shop.place({ created: Date.now() - 90 * DAY_MS })
  for (let count = 0; count < 30; count += 1) shop.place()
  shop.place({ test: true })
  await ok('POST', `${base}/${(await read()).id}/pull`, { as: key, body: { since: new Date(Date.now() - DAY_MS).toISOString() } })
  await until(async () => (await read()).pull.status === 'done')
  expect((await read()).orders).toEqual({ taken: 30, waiting: 0, notFollowed: 0 })
  expect((await orders())[0]).toMatchObject({
    customer: { name: 'Lina Saadi', phone: '+213550123456' },
    destination: { stateCode: '16', cityName: 'Bab Ezzouar' },
    items: [{ quantity: 2 }],
    totals: { subtotal: 5000, delivery: 400, total: 5400 },
  })
})

test('a country is its two letters, and never the beginning of a word; what does not say when it changed is read as of now', async () => {
  const other = startLightFunnels()
  const credentials = { ...APP, accessToken: TOKEN }
  const { context } = openDesk(lightfunnels, { 'services.lightfunnels.com': other.url }, { credentials, settings: {} })
  for (const country of ['DZ', 'Algeria', 'Algérie', 'الجزائر', ' dz ', '']) other.place({ country })
  const read = async (since: string | null = null) => (await lightfunnels.pull(context, { since, cursor: null })).orders
  const said = (await read()).map(({ address }) => address.country).reverse()
  expect(said).toEqual(['DZ', undefined, undefined, undefined, 'dz', undefined])
  const [first] = other.orders.values()
  const later = new Date(Date.now() + DAY_MS).toISOString()
  expect(await read(later)).toEqual([])
  Object.assign(first ?? {}, { updated: null })
  const [found, ...more] = await read(later)
  expect([more, Math.abs(Date.parse(found?.updatedAt ?? '') - Date.now()) < 60_000]).toEqual([[], true])
  await other.stop()
})

test('lightfunnels: reading an unchanged order again changes nothing', async () => {
  const before = await orders()
  await ok('POST', `${base}/${(await read()).id}/pull`, { as: key, body: {} })
  await until(async () => (await read()).pull.status === 'done')
  expect((await read()).pull).toMatchObject({ changed: 0 })
  expect(await orders()).toEqual(before)
})

test('lightfunnels: a confirmed order is announced once, however often it is pushed, and is fetched', async () => {
  await ok('POST', `${base}/${(await read()).id}/webhooks`, { as: owner.token })
  const { webhookUrl } = await read()
  expect([...shop.hooks.values()]).toMatchObject([{ type: 'order/confirmed', url: webhookUrl }])
  const { headers, body: raw } = shop.signed(APP.clientSecret, shop.told(shop.place()))
  const tell = (change: Record<string, string> = {}) =>
    call('POST', new URL(webhookUrl).pathname, { raw, headers: { ...headers, ...change } })
  expect((await tell({ 'lightfunnels-hmac': btoa('x'.repeat(32)) })).status).toBe(401)
  expect((await Promise.all([tell(), tell()])).map(({ status }) => status)).toEqual([200, 200])
  await until(async () => (await read()).orders.taken === 31)
})

test('its goods are read page after page', async () => {
  const look = (query = '') => call('GET', `/v1/actions/getLightfunnelsProducts${query}`, { as: key })
  expect((await look('?page=2')).status).toBe(422)
  expect((await look()).body.data).toMatchObject({
    nextPage: 2,
    products: { length: 50, 0: { price: 2500.5, variants: [{ sku: 'B-L' }] } },
  })
  expect((await look('?page=2')).body.data).toMatchObject({ nextPage: null, products: { length: 10 } })
})
