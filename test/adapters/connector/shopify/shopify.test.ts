import { afterAll, expect, test } from 'bun:test'
import shopify from '../../../../adapters/connector/shopify/index.ts'
import { openDesk } from '../../../../plugins/connector/acceptance.ts'
import { startApp } from '../../../support/app.ts'
import { letterTo } from '../../../support/letters.ts'
import { until } from '../../../support/until.ts'
import { APP, startShopify, TOKEN } from './simulator.ts'

const shop = startShopify()
afterAll(() => shop.stop())
const app = await startApp({ simulators: { [shop.host]: shop.url, 'basket.example': shop.url }, publicUrl: 'https://ours.example' })
const { call, ok, context } = app
const admin = await app.person('The administrator')
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const read = async () => (await ok('GET', base, { as: key })).data[0]

test("shopify: after the owner signs in orders are read, and callbacks come to the platform's one address", async () => {
  const body = { platform: 'shopify', name: shop.host, credentials: APP, settings: { shop: shop.host } }
  const { data: connector } = await ok('POST', base, { as: owner.token, body })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/shopify/oauth/start`, { as: owner.token, body: {} })
  const asked = new URL(data.url)
  expect([asked.host, asked.searchParams.get('scope'), asked.searchParams.get('client_id')]).toEqual([
    shop.host,
    'read_products,read_orders,write_orders,read_merchant_managed_fulfillment_orders,write_merchant_managed_fulfillment_orders,write_fulfillments',
    APP.clientId,
  ])
  const backWith = (state: string | null, change: Parameters<typeof shop.sendBack>[1] = {}) =>
    call('GET', `/v1/integrations/oauth/callback?${shop.sendBack(state ?? '', change)}`, { headers: { 'accept-language': 'en' } })
  for (const [change, why] of [
    [{ secret: 'guessed' }, 'is not signed'],
    [{ minutes: -2 }, 'has expired'],
    [{ shop: 'other.myshopify.com' }, 'for another account'],
  ] as const) {
    const again = await ok('POST', `/v1/stores/${storeId}/integrations/shopify/oauth/start`, { as: owner.token, body: {} })
    expect((await backWith(new URL(again.data.url).searchParams.get('state'), change)).body).toContain(why)
  }
  expect((await backWith(asked.searchParams.get('state'))).body).toContain('It is connected')
  shop.place()
  await ok('POST', `${base}/${connector.id}/pull`, { as: key, body: { since: '2026-11-20T00:00:00Z' } })
  await until(async () => (await read()).pull.status === 'done')
  expect((await read()).orders).toEqual({ taken: 1, waiting: 0, notFollowed: 0 })
  await ok('POST', `${base}/${connector.id}/webhooks`, { as: owner.token })
  expect(shop.hooks.size).toBe(5)
  const { headers, body: raw } = shop.signed(APP.clientSecret, 'orders/create', shop.told(shop.place()))
  const tell = (change: Record<string, string> = {}) =>
    call('POST', '/v1/integrations/connectors/shopify/webhook', { raw, headers: { ...headers, ...change } })
  expect((await tell({ 'x-shopify-shop-domain': 'other.myshopify.com' })).status).toBe(404)
  expect((await tell({ 'x-shopify-hmac-sha256': btoa('x'.repeat(32)) })).status).toBe(401)
  expect((await Promise.all([tell(), tell()])).map(({ status }) => status)).toEqual([200, 200])
  await until(async () => (await read()).orders.taken === 2)
  const { data: orders } = await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })
  expect(orders).toMatchObject([{ customer: { phone: '+213550123456' }, totals: { total: 5400, delivery: 400 } }, {}])
  await until(async () => (await context.sql`select 1 from connector_callbacks where worked_at is null`).length === 0)
})

test('shopify: connecting again changes nothing until the owner agrees', async () => {
  const install = (query: string) => call('GET', `${base}/shopify/install-url?shop=${shop.host}${query}`, { as: owner.token })
  const asked = new URL((await install('')).body.data.url)
  expect(asked.searchParams.get('client_id')).toBe(APP.clientId)
  shop.place()
  await ok('POST', `${base}/${(await read()).id}/pull`, { as: key, body: { since: '2026-11-20T00:00:00Z' } })
  await until(async () => (await read()).pull.status === 'done')
  expect((await read()).orders.taken).toBe(3)
  const other = await call('GET', `${base}/shopify/install-url?shop=other.myshopify.com&name=${shop.host}`, { as: owner.token })
  expect([other.status, (await read()).shop]).toEqual([409, shop.host])
})

test("shopify: with the server's own app, only the store that signed in to a shop receives its callbacks, and the order is fetched from the shop", async () => {
  const lent = { enabled: true, credentials: APP, settings: {} }
  await ok('PUT', '/v1/platform/integrations/shopify', { as: admin.token, body: lent })
  const [stranger, theirs] = [await app.shop(), await app.shop()]
  const of = (store: typeof stranger) => `/v1/stores/${store.storeId}/integrations/connectors`
  const connect = async (store: typeof stranger, name: string) => {
    const body = { platform: 'shopify', name, credentials: {}, settings: { shop: shop.host } }
    return (await ok('POST', of(store), { as: store.owner.token, body })).data
  }
  // As many as are looked at, all before the one that it is.
  const forged = []
  forged.push(await connect(stranger, 'Mine'))
  // As if there had been no rule against connecting a shop twice.
  for (let count = 1; count < 20; count += 1) {
    const other = { id: `${forged[0].id}${count}`, name: `Mine ${count}`, credentials: context.vault.seal('{}', `${forged[0].id}${count}`) }
    await context.sql`insert into integrations select (jsonb_populate_record(i, ${context.sql.json(other)})).* from integrations i
      where id = ${forged[0].id}`
  }
  await ok('POST', '/v1/products', {
    as: theirs.key,
    body: { storeId: theirs.storeId, name: 'Basket', sku: 'B', price: 1, initialStock: 9 },
  })
  const { id, webhookUrl } = await connect(theirs, 'Theirs')
  const start = `/v1/stores/${theirs.storeId}/integrations/shopify/oauth/start`
  const { data } = await ok('POST', start, { as: theirs.owner.token, body: {} })
  await call('GET', `/v1/integrations/oauth/callback?${shop.sendBack(new URL(data.url).searchParams.get('state') ?? '')}`)
  const order = shop.place()
  const tell = async (told: string, path = '/v1/integrations/connectors/shopify/webhook') => {
    const { headers, body: raw } = shop.signed(APP.clientSecret, 'orders/create', told)
    return (await call('POST', path, { raw, headers })).status
  }
  expect(await tell(shop.told(order))).toBe(200)
  const own = [new URL(forged[0].webhookUrl).pathname, `/v1/stores/${stranger.storeId}/integrations/shopify/webhook`]
  for (const path of own) expect([path, await tell(shop.told(order), path)]).toEqual([path, 401])
  // Signed by the same app, of an order of another shop.
  expect(await tell(shop.told({ ...order, id: order.id + 500, total: '1.00' }), new URL(webhookUrl).pathname)).toBe(200)
  await until(async () => (await context.sql`select 1 from connector_callbacks where worked_at is null`).length === 0)
  const made = (store: typeof stranger) => ok('GET', `/v1/orders?storeId=${store.storeId}`, { as: store.key })
  expect((await made(theirs)).data).toMatchObject([{ totals: { total: 5400 } }])
  expect((await made(stranger)).data).toEqual([])
  expect(await context.sql`select 1 from connector_callbacks where connection_id like ${`${forged[0].id}%`}`).toHaveLength(0)
  expect(await context.sql`select 1 from connector_callbacks where connection_id = ${id}`).toHaveLength(2)
})

test('shopify: a redact request erases the customer, also from a shop that has left, and the owner is told which orders it concerns', async () => {
  const theirs = await app.shop()
  const of = `/v1/stores/${theirs.storeId}/integrations/connectors`
  const body = { platform: 'shopify', name: 'Theirs', credentials: {}, settings: { shop: shop.host } }
  const { data: connector } = await ok('POST', of, { as: theirs.owner.token, body })
  const start = `/v1/stores/${theirs.storeId}/integrations/shopify/oauth/start`
  const { data } = await ok('POST', start, { as: theirs.owner.token, body: {} })
  await call('GET', `/v1/integrations/oauth/callback?${shop.sendBack(new URL(data.url).searchParams.get('state') ?? '')}`)
  const placed = [shop.place(), shop.place(), shop.place()]
  await ok('POST', `${of}/${connector.id}/pull`, { as: theirs.key, body: { since: '2026-11-20T00:00:00Z' } })
  await until(async () => (await ok('GET', of, { as: theirs.key })).data[0].pull.status === 'done')
  const tell = async (topic: string, told: object, secret = APP.clientSecret) => {
    const { headers, body: raw } = shop.signed(secret, topic, JSON.stringify(told))
    const { status } = await call('POST', '/v1/integrations/connectors/shopify/webhook', { raw, headers })
    await until(async () => (await context.sql`select 1 from connector_callbacks where worked_at is null`).length === 0)
    return status
  }
  const knownPeople = async () => {
    const rows = await context.sql`select external_id, told::text || coalesce(applied::text, '') as all from connector_orders
      where connection_id = ${connector.id} order by external_id`
    return rows
      .filter(({ all }) => all.includes('Lina') || all.includes('0550123456') || all.includes('rue A'))
      .map((row) => Number(row.externalId))
  }
  const ids = (await knownPeople()).slice(-3)
  expect(ids).toEqual(placed.map(({ id }) => id))
  const customer = { id: 1, email: 'lina@example.dz', phone: null }
  const [first = 0, second = 0] = ids

  expect(await tell('customers/data_request', { shop_domain: shop.host, customer, orders_requested: [first] })).toBe(200)
  expect((await letterTo(app, theirs.owner.email, 'A customer requests')).text).toContain(placed[0]!.name)
  expect((await knownPeople()).slice(-3)).toEqual(ids)

  expect(await tell('customers/redact', { shop_domain: 'other.myshopify.com', customer, orders_to_redact: [first] })).toBe(200)
  expect((await knownPeople()).slice(-3)).toEqual(ids)
  expect(await tell('customers/redact', { shop_domain: shop.host, customer, orders_to_redact: [first, 404] })).toBe(200)
  expect((await knownPeople()).slice(-2)).toEqual(ids.slice(1))
  expect((await letterTo(app, theirs.owner.email, 'requested the deletion')).text).toContain(placed[0]!.name)
  const waiting = async () => (await ok('GET', of, { as: theirs.key })).data[0].orders.waiting
  const before = await waiting()

  shop.tokens.clear()
  expect(await tell('app/uninstalled', { id: 1, myshopify_domain: shop.host })).toBe(200)
  expect((await letterTo(app, theirs.owner.email, 'needs attention')).text).toContain('Shopify')
  expect(await tell('shop/redact', { shop_id: 1, shop_domain: shop.host }, 'guessed')).toBe(401)
  expect(await tell('shop/redact', { shop_id: 1, shop_domain: shop.host })).toBe(200)
  expect([await knownPeople(), second > 0, before > 0, await waiting()]).toEqual([[], true, true, 0])
  shop.tokens.add(TOKEN)
})

test('shopify: a shop without a connection is answered that nothing of it is stored', async () => {
  const tell = async (topic: string, secret: string) => {
    const told = { shop_id: 1, shop_domain: 'nobody.myshopify.com', customer: {}, orders_to_redact: [5], id: 5, line_items: [{}] }
    const { headers, body: raw } = shop.signed(secret, topic, JSON.stringify(told))
    const named = { ...headers, 'x-shopify-shop-domain': 'nobody.myshopify.com' }
    return (await call('POST', '/v1/integrations/connectors/shopify/webhook', { raw, headers: named })).status
  }
  expect([await tell('shop/redact', APP.clientSecret), await tell('customers/redact', APP.clientSecret)]).toEqual([200, 200])
  expect([await tell('shop/redact', 'guessed'), await tell('orders/create', APP.clientSecret)]).toEqual([401, 404])
})

test('shopify: a fulfilment is written back once for each location that ships', async () => {
  const contextOf = (settings: object) =>
    openDesk(
      shopify,
      { [shop.host]: shop.url },
      { credentials: { ...APP, accessToken: TOKEN }, settings: { shop: shop.host, ...settings } },
    ).context
  const order = shop.place()
  const told = { externalId: String(order.id), carrier: 'Atlas', trackingId: 'TRK-1' }
  const push = (status: 'confirmed' | 'sent' | 'delivered' | 'returned' | 'cancelled', settings = {}, externalId = told.externalId) =>
    shopify.pushStatus?.(contextOf(settings), { ...told, externalId, status })
  await push('confirmed')
  expect(order.sent).toEqual([])
  await push('sent', { notifyCustomer: 'yes' })
  await push('sent')
  expect(order.sent).toMatchObject([1, 2].map(() => ({ number: 'TRK-1', company: 'Atlas', notified: 1, displayStatus: 'FULFILLED' })))
  await push('delivered')
  await push('delivered')
  expect([shop.events, order.isPaid]).toEqual([['DELIVERED', 'DELIVERED'], false])
  await push('delivered', { paidWhenDelivered: 'yes' })
  await push('delivered', { paidWhenDelivered: 'yes' })
  expect([shop.events.length, order.isPaid]).toEqual([2, true])
  await expect(push('cancelled')).rejects.toThrow('Cannot cancel a fulfilled order')
  await expect(push('sent', {}, '404')).rejects.toThrow('no such order')
  const other = shop.place()
  await push('cancelled', {}, String(other.id))
  await push('cancelled', {}, String(other.id))
  expect(other.cancelled).not.toBeNull()
})

test('shopify: lines removed at the shop are removed here; an order without lines is cancelled', async () => {
  const edited = startShopify()
  const credentials = { ...APP, accessToken: TOKEN }
  const { context: desk } = openDesk(shopify, { [edited.host]: edited.url }, { credentials, settings: { shop: edited.host } })
  const lines = ['Basket', 'Ribbon'].map((title) => ({ title, quantity: 2, current: 2 }))
  const order = edited.place({ lines, total: '10400.00' })
  const read = async () => (await shopify.readOrder?.(desk, { externalId: String(order.id) }))?.order
  for (let count = 0; count < 3; count += 1) edited.takeAway(order)
  expect(await read()).toMatchObject({ status: 'open', total: '2900', delivery: '400', items: [{ name: 'Ribbon', quantity: 1 }] })
  edited.takeAway(order)
  expect(order.cancelled).toBeNull()
  const ordered = { status: 'cancelled', total: '10400', items: [{ name: 'Basket', quantity: 2 }, { quantity: 2 }] }
  expect(await read()).toMatchObject(ordered)
  expect((await shopify.pull(desk, { since: null, cursor: null })).orders).toMatchObject([ordered])
  await edited.stop()
})

test('all lines of an order are read, and one that has too many waits with its reason and hides no other', async () => {
  const large = startShopify()
  const credentials = { ...APP, accessToken: TOKEN }
  const { context: desk, logged } = openDesk(shopify, { [large.host]: large.url }, { credentials, settings: { shop: large.host } })
  const linesOf = (count: number, gone = 0) =>
    Array.from({ length: count }, (_, at) => ({ title: `Basket ${at}`, quantity: 1, current: at < gone ? 0 : 1 }))
  const placed = [linesOf(10), linesOf(11), linesOf(200), linesOf(201), linesOf(330, 140)].map((lines) => large.place({ lines }))
  const { orders, unreadable = [] } = await shopify.pull(desk, { since: null, cursor: null })
  expect(orders.map(({ externalId, items }) => [externalId, items.length])).toEqual(
    [10, 11, 200, undefined, 190].flatMap((count, at) => (count === undefined ? [] : [[String(placed[at]?.id), count]])),
  )
  expect(orders[2]?.items.map(({ name }) => name)).toEqual(linesOf(200).map(({ title }) => title))
  expect(logged).toMatchObject([{ fields: { rows: 1 } }])
  expect(unreadable.map(({ externalId, reason }) => [externalId, reason])).toEqual([
    [String(placed[3]?.id), 'It has 201 lines; at most 200 are allowed. Divide it into several orders in the shop.'],
  ])
  for (const [at, order] of placed.entries()) {
    const read = await shopify.readOrder?.(desk, { externalId: String(order.id) })
    const found = orders.find(({ externalId }) => externalId === String(order.id))
    if (found) expect([at, read]).toEqual([at, { order: { ...found, raw: read?.order?.raw } }])
    else expect(read).toMatchObject({ unreadable: { externalId: String(order.id) } })
  }
  await large.stop()
})

test('shopify: public data of a shop is found under its own domain too', async () => {
  const look = async (page: number) =>
    (await ok('GET', `/v1/actions/getShopifyProducts?url=https://basket.example/x&page=${page}`, { as: key })).data
  const first = await look(1)
  expect(first).toMatchObject({ nextPage: 2, products: { length: 250 } })
  expect(first.products[0]).toMatchObject({ price: 19.99, compareAtPrice: 25, inStock: true, variants: [{ sku: 'B-L', name: 'L' }] })
  expect(await look(2)).toMatchObject({ nextPage: null })
})
