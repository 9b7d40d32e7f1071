import { afterAll, expect, test } from 'bun:test'
import easyorders from '../../../../adapters/connector/easyorders/index.ts'
import { requestDueStatusPushes } from '../../../../core/connectors/shops/stock/push-status.ts'
import { openDesk } from '../../../../plugins/connector/acceptance.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { KEY, SECRET, startEasyOrders } from './simulator.ts'

const shop = startEasyOrders()
afterAll(() => shop.stop())
const app = await startApp({ simulators: { 'api.easy-orders.net': shop.url }, publicUrl: 'https://ours.example' })
const { call, ok, context } = app
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const read = async () => (await ok('GET', base, { as: key })).data[0]
const webhooks: URL[] = []
const look = (query = '') => call('GET', `/v1/actions/getEasyordersProducts${query}`, { as: key })

test('easyorders: a store without a connected shop is told to connect one', async () => {
  expect((await look()).body.error).toMatchObject({ code: 'adapter_not_enabled' })
})

test('easyorders: after the owner agrees, the shop sends its key to an address that works once', async () => {
  const { data } = await ok('GET', `${base}/easyorders/install-url?name=Basket`, { as: owner.token })
  const asked = new URLSearchParams(new URL(data.url).hash.split('?')[1])
  const callback = new URL(asked.get('callback_url') ?? '')
  const send = (state = callback.search, apiKey = KEY) =>
    call('POST', `${callback.pathname}${state}`, { body: { api_key: apiKey, store_id: 'store-1' } })
  expect((await send('')).status).toBeGreaterThanOrEqual(400)
  expect((await Promise.all([send(), send()])).map(({ status }) => status).sort()).toEqual([200, 400])
  const back = new URL(asked.get('redirect_url') ?? '')
  expect((await call('GET', `${back.pathname}${back.search}`)).headers.get('location')).toEndWith('outcome=connected')
  expect(await read()).toMatchObject({ platform: 'easyorders', enabled: true })
  webhooks.push(...['orders_webhook', 'order_status_webhook'].map((name) => new URL(asked.get(name) ?? '')))
})

test('the webhooks that EasyOrders made then are believed by their token', async () => {
  await ok('PATCH', `/v1/stores/${storeId}/integrations/easyorders`, { as: owner.token, body: { settings: { currency: 'DZD' } } })
  const [created, changed] = webhooks
  const order = shop.place()
  const tell = (address: URL | undefined, body: object, query = address?.search) =>
    call('POST', `${address?.pathname}${query}`, { body }).then(({ status }) => status)
  expect(await tell(created, shop.shown(order), '')).toBe(401)
  expect(await tell(created, shop.shown(order), `${created?.search}0`)).toBe(401)
  expect(await tell(created, shop.shown(order))).toBe(200)
  await until(async () => (await read()).orders.taken === 1)
  shop.touch(order, 'canceled')
  expect(await tell(changed, shop.change(order))).toBe(200)
  const ours = async () => (await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })).data
  await until(async () => (await ours())[0].status === 'cancelled')
  const kept = await context.sql<{ url: string }[]>`select url from connector_callbacks`
  expect(kept.filter(({ url }) => url.includes('token'))).toEqual([])
})

test('easyorders: a callback with the right secret names an order, the order is fetched, and its status is written back', async () => {
  const { webhookUrl } = await read()
  const keys = { apiKey: KEY, webhookSecret: SECRET }
  await ok('POST', base, {
    as: owner.token,
    body: { platform: 'easyorders', name: 'Basket', credentials: keys, settings: { currency: 'DZD' } },
  })
  const order = shop.place()
  const tell = (secret: string, body: object) => call('POST', new URL(webhookUrl).pathname, { headers: { secret }, body })
  const lies = { ...shop.shown(order), total_cost: 1, full_name: 'Somebody else' }
  expect((await tell('guessed', lies)).status).toBe(401)
  expect((await Promise.all([tell(SECRET, lies), tell(SECRET, lies)])).map(({ status }) => status)).toEqual([200, 200])
  await until(async () => (await read()).orders.taken === 2)
  const [ours] = (await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })).data
  expect(ours).toMatchObject({ customer: { name: 'Lina Saadi' }, destination: { stateCode: '16' }, totals: { total: 5400 } })
  shop.touch(order, 'canceled')
  expect((await tell(SECRET, shop.change(order))).status).toBe(200)
  await until(async () => (await ok('GET', `/v1/orders/${ours.id}`, { as: key })).data.status === 'cancelled')
})

test('easyorders: an open link changes nothing; once agreed to, it changes only what it names', async () => {
  const { webhookUrl } = await read()
  const install = async () => {
    const { data } = await ok('GET', `${base}/easyorders/install-url?name=Basket`, { as: owner.token })
    return new URL(new URLSearchParams(new URL(data.url).hash.split('?')[1]).get('callback_url') ?? '')
  }
  const heard = async () =>
    (await call('POST', new URL(webhookUrl).pathname, { headers: { secret: SECRET }, body: { id: 'nobody' } })).status
  const callback = await install()
  expect(await heard()).toBe(200)
  expect((await call('POST', `${callback.pathname}${callback.search}`, { body: { api_key: KEY, store_id: 'store-1' } })).status).toBe(200)
  expect([await heard(), (await ok('GET', base, { as: key })).data.length]).toEqual([200, 1])
})

test('easyorders: the status of an order is written back once', async () => {
  const { webhookUrl } = await read()
  const order = shop.place()
  await call('POST', new URL(webhookUrl).pathname, { headers: { secret: SECRET }, body: shop.shown(order) })
  await until(async () => (await read()).orders.taken === 3)
  const [ours] = (await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })).data
  const body = { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} }
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, { as: owner.token, body })
  await ok('POST', `/v1/stores/${storeId}/orders/${ours.id}/carriers/sandbox/send`, { as: key })
  for (let count = 0; count < 2; count += 1) {
    await requestDueStatusPushes(context)
    await until(async () => order.status === 'in_delivery')
  }
  const written = shop.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  expect(written.at(-1)).toBe('{"status":"in_delivery"}')
  expect(new Set(written).size).toBe(written.length)
})

test('keys of another store do not take the place of those that stand; under another name they are a shop of their own', async () => {
  const install = async (name: string, store_id: string) => {
    const { data } = await ok('GET', `${base}/easyorders/install-url?name=${name}`, { as: owner.token })
    const asked = new URLSearchParams(new URL(data.url).hash.split('?')[1])
    const callback = new URL(asked.get('callback_url') ?? '')
    const { status } = await call('POST', `${callback.pathname}${callback.search}`, { body: { api_key: KEY, store_id } })
    return { status, heardAt: new URL(asked.get('orders_webhook') ?? '') }
  }
  const heard = async (address: URL) => (await call('POST', `${address.pathname}${address.search}`, { body: { id: 'nobody' } })).status
  const own = await install('Basket', 'store-1')
  const other = await install('Basket', 'store-2')
  expect([own.status, other.status, await heard(own.heardAt), await heard(other.heardAt)]).toEqual([200, 400, 200, 401])
  const named = await install('Ribbons', 'store-2')
  expect([named.status, await heard(own.heardAt), await heard(named.heardAt)]).toEqual([200, 200, 200])
  expect((await ok('GET', base, { as: key })).data.map(({ name }: { name: string }) => name).sort()).toEqual(['Basket', 'Ribbons'])
  // Which store a key is of that somebody typed in is known once an order of it was read.
  const { context: desk } = openDesk(easyorders, { 'api.easy-orders.net': shop.url }, { credentials: { apiKey: KEY }, settings: {} })
  await easyorders.readOrder?.(desk, { externalId: shop.place().id })
  const given = (storeId: string) => ({ ...desk, credentials: { ...desk.credentials, storeId } })
  expect(await easyorders.testConnection(given('store-1'))).toEqual({})
  expect(async () => easyorders.testConnection(given('store-2'))).toThrow('of another store')
})

test('its goods are read with its key, for its own store alone', async () => {
  const first = (await look()).body.data
  expect(first).toMatchObject({ nextPage: 2, products: { length: 50 } })
  expect(first.products[0]).toMatchObject({
    price: 2500.5,
    compareAtPrice: 3000,
    currency: 'DZD',
    inStock: false,
    variants: [{ price: 3000 }],
  })
  expect((await look('?page=2')).body.data).toMatchObject({ nextPage: null, products: { length: 10 } })
  const stranger = await app.shop()
  expect((await call('GET', `/v1/actions/getEasyordersProducts?storeId=${storeId}`, { as: stranger.key })).status).toBe(404)
  expect((await call('GET', '/v1/actions/getEasyordersProducts')).status).toBe(401)
})
