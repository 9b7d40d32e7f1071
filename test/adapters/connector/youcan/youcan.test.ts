import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { asPhpWrites } from '../../../../adapters/connector/youcan/webhook.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { APP, startYouCan } from './simulator.ts'

const youcan = startYouCan()
afterAll(() => youcan.stop())
const app = await startApp({
  simulators: { 'api.youcan.shop': youcan.url, [youcan.host]: youcan.url },
  publicUrl: 'https://ours.example',
})
const { call, ok } = app
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })

test('JSON is written as PHP writes it', () => {
  const written = asPhpWrites({ id: '1', name: 'مرحبا', url: 'https://a.dz/x' })
  expect(written).toBe(String.raw`{"id":"1","name":"\u0645\u0631\u062d\u0628\u0627","url":"https:\/\/a.dz\/x"}`)
  const digest = createHmac('sha256', 'test_secret').update(written).digest('hex')
  expect(digest).toBe('8182739fe5926bde2e182a7ee25edd5bedaf0601ac08c19b7bd45d6a66583f05')
})

test('youcan: after the owner signs in orders are read, and a new order is imported once, however often it is pushed', async () => {
  const { data: connector } = await ok('POST', base, { as: owner.token, body: { platform: 'youcan', name: 'Basket', credentials: APP } })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/youcan/oauth/start`, { as: owner.token, body: {} })
  const asked = new URL(data.url)
  expect([asked.host, ...asked.searchParams.getAll('scope[]')]).toEqual(['seller-area.youcan.shop', 'read-orders', 'edit-rest-hooks'])
  const back = `/v1/integrations/oauth/callback?code=code-of-the-owner&state=${asked.searchParams.get('state')}`
  expect((await call('GET', back, { headers: { 'accept-language': 'en' } })).body).toContain('It is connected')
  const read = async () => (await ok('GET', base, { as: key })).data[0]
  for (let count = 0; count < 25; count += 1) youcan.place()
  await ok('POST', `${base}/${connector.id}/pull`, { as: key, body: { since: '2026-11-20T00:00:00Z' } })
  await until(async () => (await read()).pull.status === 'done')
  expect((await read()).orders).toEqual({ taken: 25, waiting: 0, notFollowed: 0 })
  await ok('POST', `${base}/${connector.id}/webhooks`, { as: owner.token })
  expect([...youcan.hooks.values()]).toMatchObject([{ event: 'order.create', target_url: (await read()).webhookUrl }])
  const { headers, body: raw } = youcan.signed(APP.clientSecret, youcan.shown(youcan.place()))
  const tell = (change: Record<string, string> = {}) =>
    call('POST', new URL(connector.webhookUrl).pathname, { raw, headers: { ...headers, ...change } })
  expect((await tell({ 'x-youcan-signature': '0'.repeat(64) })).status).toBe(401)
  expect((await Promise.all([tell(), tell()])).map(({ status }) => status)).toEqual([200, 200])
  await until(async () => (await read()).orders.taken === 26)
  const { data: orders } = await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })
  expect(orders[0]).toMatchObject({
    customer: { name: 'Lina Saadi', phone: '+213550123456' },
    destination: { stateCode: '16', cityName: 'Bab Ezzouar' },
    totals: { subtotal: 5000, delivery: 400, total: 5400 },
  })
})

test('youcan: public data of a shop is fetched from its host', async () => {
  const look = async (page: number) =>
    (await ok('GET', `/v1/actions/getYoucanProducts?url=https://${youcan.host}/x&page=${page}`, { as: key })).data
  const first = await look(1)
  expect(first).toMatchObject({ nextPage: 2, products: { length: 20 } })
  expect(first.products[0]).toMatchObject({ price: 2500.5, compareAtPrice: 3000, variants: [{ sku: 'B-L', name: 'L', inStock: true }] })
  expect(await look(2)).toMatchObject({ nextPage: null, products: { length: 10 } })
  for (const [url, status] of [
    ['http://127.0.0.1:1/', 400],
    ['nobody.example', 502],
  ] as const)
    expect([url, (await call('GET', `/v1/actions/getYoucanProducts?url=${url}`, { as: key })).status]).toEqual([url, status])
  expect((await call('GET', `/v1/actions/getYoucanProducts?url=${youcan.host}`)).status).toBe(401)
  for (const [query, status] of [
    [`host=${youcan.host}`, 200],
    [`subdomain=${youcan.host.split('.')[0]}`, 200],
    ['subdomain=a/b', 400],
    ['host=127.0.0.1:1', 400],
    ['', 400],
  ] as const)
    expect([query, (await call('GET', `/v1/actions/getYoucanProducts?${query}`, { as: key })).status]).toEqual([query, status])
})
