import { afterAll, expect, test } from 'bun:test'
import { processWebhook } from '../../../core/connectors/shops/inbox/process-webhook.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { KEY, SECRET, startEasyOrders } from '../../adapters/connector/easyorders/simulator.ts'
import { APP as LIGHT_APP, startLightFunnels } from '../../adapters/connector/lightfunnels/simulator.ts'
import { FORM, APP as META_APP, PAGE, startMetaLeads } from '../../adapters/connector/meta-leads/simulator.ts'
import { MERCHANT, APP as SALLA_APP, startSalla } from '../../adapters/connector/salla/simulator.ts'
import { startYouCan, APP as YOUCAN_APP } from '../../adapters/connector/youcan/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const CODE = 'code-of-the-owner'
const EPOCH = '2026-01-01T00:00:00Z'
const shops = { easy: startEasyOrders(), light: startLightFunnels(), meta: startMetaLeads(), salla: startSalla(), youcan: startYouCan() }
afterAll(() => Promise.all(Object.values(shops).map((shop) => shop.stop())))
/** Which shop of Salla a token is of; undefined: as the simulator has it. */
let merchant: number | undefined
const salla = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/oauth2/user/info' && merchant !== undefined) return Response.json({ id: 1, merchant: { id: merchant } })
    const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
    return fetch(shops.salla.url + pathname + search, { method: request.method, headers: request.headers, ...(body && { body }) })
  },
})
afterAll(() => salla.stop(true))
const app = await startApp({
  simulators: {
    'api.easy-orders.net': shops.easy.url,
    'services.lightfunnels.com': shops.light.url,
    'graph.facebook.com': shops.meta.url,
    'api.youcan.shop': shops.youcan.url,
    'accounts.salla.sa': salla.url.origin,
    'api.salla.dev': salla.url.origin,
  },
  publicUrl: 'https://ours.example',
})
const { call, ok, context } = app
const { sql } = context
// The first to sign up.
const admin = await app.person('The administrator')

/** A store that sells baskets, and is connected to a shop once and again. */
async function selling(platform: string, credentials: object, settings: object = {}) {
  const made = await app.shop()
  const { storeId, owner, key } = made
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const product = { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 }
  const { data: basket } = await ok('POST', '/v1/products', { as: key, body: product })
  const connect = async (name: string) => {
    const { data } = await ok('POST', base, { as: owner.token, body: { platform, name, credentials, settings } })
    return { ...data, at: `${base}/${data.id}` } as { id: string; at: string; webhookUrl: string }
  }
  const signIn = async ({ id }: { id: string }) => {
    const start = `/v1/stores/${storeId}/integrations/${platform}/oauth/start?connection=${id}`
    const { data } = await ok('POST', start, { as: owner.token, body: {} })
    await call('GET', `/v1/integrations/oauth/callback?code=${CODE}&state=${new URL(data.url).searchParams.get('state')}`)
  }
  const read = async ({ id }: { id: string }) =>
    (await ok('GET', base, { as: key })).data.find((one: { id: string }) => one.id === id) as {
      pull: { status: string; message: string | null }
      orders: { taken: number; waiting: number }
    }
  const pull = async (connector: { id: string; at: string }, since = EPOCH) => {
    await ok('POST', `${connector.at}/pull`, { as: key, body: { since } })
    await until(async () => ['done', 'failed'].includes((await read(connector)).pull.status))
    return read(connector)
  }
  const orders = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data as { status: string }[]
  const forget = (connector: { at: string }) => ok('DELETE', connector.at, { as: owner.token })
  return { ...made, base, basket, connect, signIn, read, pull, orders, forget }
}

test('a shop that says its number when asked gives no order twice: deleted and connected again, or connected twice', async () => {
  const store = await selling('salla', SALLA_APP)
  const first = await store.connect('Baskets')
  await store.signIn(first)
  for (let count = 0; count < 3; count += 1) shops.salla.place()
  expect((await store.pull(first)).orders.taken).toBe(3)
  // Beside the one that stands, and under its name once that is gone.
  const beside = await store.connect('Beside')
  await store.signIn(beside)
  const refused = await store.pull(beside)
  expect([refused.pull.status, refused.pull.message, refused.orders.taken]).toEqual([
    'failed',
    'The store is connected to this shop of Salla already (Baskets). Delete one of both connections.',
    0,
  ])
  await store.forget(first)
  expect(await store.pull(beside)).toMatchObject({ pull: { status: 'done' }, orders: { taken: 3 } })
  await store.forget(beside)
  const again = await store.connect('Baskets')
  await store.signIn(again)
  const [, changed] = [...shops.salla.orders.values()]
  if (changed) shops.salla.touch(changed, 'canceled')
  expect((await store.pull(again)).orders.taken).toBe(3)
  expect((await store.orders()).map(({ status }) => status).sort()).toEqual(['cancelled', 'pending', 'pending'])
  // Another store is another's.
  const other = await selling('salla', SALLA_APP)
  const theirs = await other.connect('Baskets')
  await other.signIn(theirs)
  expect((await other.pull(theirs)).orders.taken).toBe(2)
})

test('reconnecting a shop: a connection with orders stays with its shop after any sign-in; one without orders follows the new shop', async () => {
  const store = await selling('salla', SALLA_APP)
  const one = await store.connect('Baskets')
  await store.signIn(one)
  shops.salla.place()
  const { orders } = await store.pull(one)
  try {
    merchant = MERCHANT + 1
    expect((await store.pull(one)).pull.status).toBe('done')
    await store.signIn(one)
    expect((await store.pull(one)).pull).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('orders of another shop of Salla'),
    })
    const other = await store.connect('Ribbons')
    await store.signIn(other)
    expect((await store.pull(other, new Date().toISOString())).pull.status).toBe('done')
  } finally {
    merchant = undefined
  }
  await store.signIn(one)
  expect(await store.pull(one)).toMatchObject({ pull: { status: 'done' }, orders })
})

test('an account of funnels is known again', async () => {
  const store = await selling('lightfunnels', LIGHT_APP)
  const first = await store.connect('Funnels')
  await store.signIn(first)
  const since = new Date(Date.now() - DAY_MS).toISOString()
  for (let count = 0; count < 3; count += 1) shops.light.place()
  expect((await store.pull(first, since)).orders.taken).toBe(3)
  await store.forget(first)
  const again = await store.connect('Called otherwise')
  await store.signIn(again)
  expect((await store.pull(again, since)).orders.taken).toBe(3)
  expect(await store.orders()).toHaveLength(3)
})

test('reconnecting a shop: when only an order identifies the shop, the first order read does so before it is imported', async () => {
  const store = await selling('easyorders', { apiKey: KEY, webhookSecret: SECRET }, { currency: 'DZD' })
  const [first, placed] = [await store.connect('Baskets'), shops.easy.place()]
  const tell = async ({ webhookUrl }: { webhookUrl: string }) => {
    const { pathname } = new URL(webhookUrl)
    expect((await call('POST', pathname, { headers: { secret: SECRET }, body: shops.easy.shown(placed) })).status).toBe(200)
    await until(async () => (await sql`select 1 from connector_callbacks where worked_at is null`).length === 0)
  }
  await tell(first)
  expect(await store.orders()).toHaveLength(1)
  const beside = await store.connect('Beside')
  await tell(beside)
  expect([(await store.orders()).length, (await store.read(beside)).orders.taken]).toEqual([1, 0])
  await store.forget(first)
  await store.forget(beside)
  const again = await store.connect('Baskets')
  await tell(again)
  expect([(await store.orders()).length, (await store.read(again)).orders.taken]).toEqual([1, 1])
})

test('a page of forms is known again, has one connector in a store, and one that has its answers is of no other page', async () => {
  await ok('PUT', '/v1/platform/integrations/meta-leads', { as: admin.token, body: { enabled: true, credentials: META_APP } })
  const store = await selling('meta-leads', {})
  const connect = async (name: string) => {
    const connector = await store.connect(name)
    await store.signIn(connector)
    return connector
  }
  const configure = ({ at }: { at: string }, pageId: string, how = 'configure') =>
    call('POST', `${at}/meta-leads/${how}`, {
      as: store.owner.token,
      body: { pageId, forms: [{ formId: FORM, productId: store.basket.id }] },
    })
  const first = await connect('Dar')
  expect((await configure(first, PAGE.id)).status).toBe(200)
  shops.meta.answer()
  expect((await store.pull(first)).orders.taken).toBe(1)
  const { data: pages } = await ok('GET', `${first.at}/meta-leads/pages`, { as: store.key })
  const elsewhere = pages.find(({ id }: { id: string }) => id !== PAGE.id).id
  expect((await configure(first, elsewhere, 'reconfigure')).body.error).toMatchObject({ code: 'conflict' })
  const beside = await connect('Beside')
  expect((await configure(beside, PAGE.id)).body.error).toMatchObject({ code: 'conflict' })
  await store.forget(first)
  expect((await configure(beside, PAGE.id)).status).toBe(200)
  expect((await store.pull(beside)).orders.taken).toBe(1)
  expect(await store.orders()).toHaveLength(1)
  await store.forget(beside)
})

test('a page goes on telling the app of its answers until no store has it any more', async () => {
  const isTold = () => shops.meta.apps.has(META_APP.clientId)
  const stores = [await selling('meta-leads', {}), await selling('meta-leads', {})] as const
  const [one, other] = stores
  const [first, second] = [await one.connect('Dar'), await other.connect('Dar')]
  for (const [store, connector] of [
    [one, first],
    [other, second],
  ] as const) {
    await store.signIn(connector)
    const body = { pageId: PAGE.id, forms: [{ formId: FORM, productId: store.basket.id }] }
    await ok('POST', `${connector.at}/meta-leads/configure`, { as: store.owner.token, body })
    expect((await ok('GET', store.base, { as: store.key })).data[0].webhooks).toMatchObject({ subscribedAt: expect.any(String) })
  }
  await one.forget(first)
  expect(isTold()).toBe(true)
  await ok('DELETE', `/v1/stores/${other.storeId}/integrations/meta-leads?connection=${second.id}`, { as: other.owner.token })
  expect(isTold()).toBe(false)
})

test('reconnecting a shop: a shop without an id is recognized by an order, and two connections import no order twice', async () => {
  const store = await selling('youcan', YOUCAN_APP)
  const first = await store.connect('Baskets')
  await store.signIn(first)
  for (let count = 0; count < 15; count += 1) shops.youcan.place()
  expect((await store.pull(first)).orders.taken).toBe(15)
  const beside = await store.connect('Beside')
  await store.signIn(beside)
  shops.youcan.place()
  await Promise.all([store.pull(first), store.pull(beside)])
  expect(await store.orders()).toHaveLength(16)
  await store.forget(first)
  shops.youcan.place()
  expect((await store.pull(beside)).orders.taken).toBe(17)
  await store.forget(beside)
  const again = await store.connect('Called otherwise')
  await store.signIn(again)
  expect((await store.pull(again)).orders.taken).toBe(17)
  expect(await store.orders()).toHaveLength(17)
})

test('reconnecting a shop: a callback about an order whose connection is being removed is dropped', async () => {
  const store = await selling('easyorders', { apiKey: KEY, webhookSecret: SECRET }, { currency: 'DZD' })
  const [first, placed] = [await store.connect('Baskets'), shops.easy.place()]
  await sql`insert into connector_callbacks (project_id, id, connection_id, url, method, headers, body)
    values (${projectIdOf(store.storeId)}, 'ccb_late', ${first.id}, '/', 'POST', '{}', ${Buffer.from(JSON.stringify(shops.easy.shown(placed)))})`
  // It is read of the shop while the connection is deleted.
  const goes = sql.begin(async (tx) => {
    await tx`select 1 from integrations where id = ${first.id} for update`
    await Bun.sleep(1_500)
    await tx`update integrations set deleted_at = now(), enabled = false where id = ${first.id}`
  })
  await Bun.sleep(200)
  await Promise.all([goes, processWebhook(context, 'ccb_late')])
  expect([(await store.orders()).length, await sql`select 1 from connector_orders where connection_id = ${first.id}`]).toMatchObject([
    0,
    [],
  ])
})
