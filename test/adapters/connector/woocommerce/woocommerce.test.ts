import { afterAll, describe, expect, test } from 'bun:test'
import woocommerce from '../../../../adapters/connector/woocommerce/index.ts'
import { renewWebhooks } from '../../../../core/connectors/shops/install/register-webhooks.ts'
import { requestDueStatusPushes } from '../../../../core/connectors/shops/stock/push-status.ts'
import { openDesk } from '../../../../plugins/connector/acceptance.ts'
import type { Pulled } from '../../../../plugins/connector/index.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { KEYS, startWoo } from './simulator.ts'

const woo = startWoo()
afterAll(() => woo.stop())
const app = await startApp({ simulators: { [woo.host]: woo.url }, publicUrl: 'https://ours.example' })
const { call, ok, context } = app
const { sql } = context
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })

const worked = () =>
  until(async () => {
    const [row] = await sql<{ left: number }[]>`select (select count(*) from connector_callbacks where worked_at is null)::int
      + (select count(*) from graphile_worker.jobs where task_identifier like 'connectors.%' and task_identifier not like '%ue')::int as left`
    return row?.left === 0
  })
const via = async (address: string, init: RequestInit) => {
  const { pathname } = new URL(address)
  const raw = new Uint8Array(await new Response(init.body).arrayBuffer())
  return (await call('POST', pathname, { raw, headers: init.headers as Record<string, string> })).status
}
const ours = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data

/** The shop's owner says yes on the shop's own page, and the shop sends its keys. */
async function install(change: object = {}) {
  const { data } = await ok('GET', `${base}/woocommerce/install-url?shop=https://${woo.host}/cart`, { as: owner.token })
  const asked = new URL(data.url)
  expect([asked.host, asked.pathname]).toEqual([woo.host, '/wc-auth/v1/authorize'])
  const state = asked.searchParams.get('user_id')
  const keys = { key_id: 1, user_id: state, consumer_key: KEYS.consumerKey, consumer_secret: KEYS.consumerSecret, ...change }
  const [callback, back] = ['callback_url', 'return_url'].map((name) => new URL(asked.searchParams.get(name) ?? ''))
  const send = () => call('POST', callback?.pathname ?? '', { body: keys })
  const comesBack = () => call('GET', `${back?.pathname}${back?.search}&success=1`)
  return { send, comesBack }
}

test('more orders than a page holds are read of one second too, also where some are thrown away meanwhile', async () => {
  const many = startWoo()
  const { context: desk } = openDesk(
    { ...woocommerce, net: [many.host] },
    { [many.host]: many.url },
    { credentials: KEYS, settings: { shop: many.host } },
  )
  const at = '2026-11-20T09:59:59'
  const placed = Array.from({ length: 130 }, () => String(many.place({ date_modified_gmt: at }).id))
  placed.push(...Array.from({ length: 5 }, () => String(many.place().id)))
  const found = new Set<string>()
  let cursor: string | null = null
  do {
    const page: Pulled = await woocommerce.pull(desk, { since: null, cursor })
    for (const { externalId } of page.orders) found.add(externalId)
    for (const { externalId } of page.orders.slice(0, 3)) many.orders.delete(Number(externalId))
    cursor = page.cursor
  } while (cursor !== null)
  expect(placed.filter((id) => !found.has(id))).toEqual([])
  await many.stop()
})

describe('a shop', () => {
  test('is connected by keys that it sends itself, once, and only where it takes them', async () => {
    const wrong = await install({ consumer_secret: 'cs_wrongwrongwrong' })
    expect((await wrong.send()).status).toBe(400)
    expect((await wrong.comesBack()).headers.get('location')).toEndWith('outcome=failed')
    const go = (query = '') => call('GET', `${base}/woocommerce/install?shop=${woo.host}${query}`, { as: owner.token })
    expect([(await go()).status, (await go('&redirect=false')).body.data.url]).toEqual([
      303,
      expect.stringContaining('/wc-auth/v1/authorize'),
    ])
    const denied = await install()
    expect((await denied.comesBack()).headers.get('location')).toEndWith('outcome=denied')
    const right = await install()
    expect((await Promise.all([right.send(), right.send()])).map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await right.comesBack()).headers.get('location')).toEndWith('outcome=connected')
    expect(
      (await call('POST', '/v1/integrations/connectors/woocommerce/callback', { body: { user_id: 'x' } })).status,
    ).toBeGreaterThanOrEqual(400)
    // Keys that the shop does not know do not take the place of those that it does: all that follows is read with them.
    expect((await (await install({ consumer_secret: 'cs_wrongwrongwrong' })).send()).status).toBe(400)
    const { data } = await ok('GET', base, { as: key })
    expect(data).toMatchObject([{ platform: 'woocommerce', shop: woo.host, name: woo.host, enabled: true }])
  })

  test('tells its orders, is told what became of them, and is asked again when it gave up', async () => {
    const [connector] = (await ok('GET', base, { as: key })).data
    const at = `${base}/${connector.id}`
    const one = woo.place()
    expect((await ok('POST', `${at}/webhooks`, { as: owner.token })).data.webhooks.message).toBeNull()
    expect(woo.hooks.size).toBe(4)
    const address = new URL(connector.webhookUrl).pathname
    const ping = { raw: 'webhook_id=7', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await call('POST', address, ping)).status).toBe(200)
    expect(await woo.tell('order.created', one, via)).toEqual([200])
    await worked()
    const [made] = await ours()
    expect(made).toMatchObject({
      customer: { name: 'Lina Saadi', phone: '+213550123456' },
      destination: { stateCode: '16', cityName: 'Bab Ezzouar' },
      totals: { subtotal: 5000, delivery: 400, total: 5400 },
      metadata: { channel: 'woocommerce', channelOrder: `#${one.id}` },
    })
    await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, {
      as: owner.token,
      body: { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} },
    })
    await ok('POST', `/v1/stores/${storeId}/orders/${made.id}/carriers/sandbox/send`, { as: key })
    await requestDueStatusPushes(context)
    await worked()
    expect(one.meta_data.map((meta) => meta.key).sort()).toEqual(['_tracking_number', '_tracking_provider'])
    // Its own echo changes nothing, and neither do callbacks that went astray until it gave up.
    expect(await woo.tell('order.updated', one, via)).toEqual([200])
    for (let count = 0; count < 6; count += 1) await woo.tell('order.updated', one, async () => 503)
    expect([...woo.hooks.values()].filter(({ status }) => status === 'disabled').length).toBe(1)
    await renewWebhooks(context, connector.id)
    expect([woo.hooks.size, [...woo.hooks.values()].every(({ status }) => status === 'active')]).toEqual([4, true])
    expect(await ours()).toMatchObject([{ id: made.id, status: 'sent' }])
  })

  test('that nobody told us of is read, and says nothing of what waits for its payment', async () => {
    const [connector] = (await ok('GET', base, { as: key })).data
    for (let count = 0; count < 60; count += 1) woo.place()
    woo.place({ status: 'pending' })
    await ok('POST', `${base}/${connector.id}/pull`, { as: key, body: { since: '2026-11-20T00:00:00Z' } })
    await until(async () => (await ok('GET', base, { as: key })).data[0].pull.status === 'done')
    expect((await ok('GET', base, { as: key })).data[0]).toMatchObject({ pull: { changed: 60 }, orders: { taken: 61 } })
  })

  test('inbox: an order with a status that a plugin of the shop added waits with its reason', async () => {
    const [connector] = (await ok('GET', base, { as: key })).data
    const placed = woo.place({ status: 'confirmed' })
    await ok('POST', `${base}/${connector.id}/pull`, { as: key, body: { since: '2026-11-20T00:00:00Z' } })
    const waiting = async () =>
      (await ok('GET', `${base}/${connector.id}/orders?state=waiting`, { as: key })).data.find(
        ({ externalId }: { externalId: string }) => externalId === String(placed.id),
      )
    await until(async () => (await waiting()) !== undefined)
    expect(await waiting()).toMatchObject({ why: 'unreadable', raw: { id: placed.id, status: 'confirmed' } })
    expect((await waiting()).message).toContain('Its status “confirmed” is not one of WooCommerce')
  })
})

test('woocommerce: public data of a shop is fetched from its host, and from no other address', async () => {
  const look = (url: string, page = 1) =>
    call('GET', `/v1/actions/getWoocommerceProducts?url=${encodeURIComponent(url)}&page=${page}`, { as: key })
  const { body } = await look(`https://${woo.host}/shop?x=1`)
  expect(body.data).toMatchObject({ nextPage: 2 })
  expect(body.data.products[0]).toMatchObject({ name: 'Basket 1', price: 2500.5, compareAtPrice: 3000, currency: 'DZD', inStock: true })
  expect((await look(woo.host, 2)).body.data).toMatchObject({ products: { length: 30 }, nextPage: null })
  for (const url of ['http://127.0.0.1:5432/', 'localhost', 'x']) expect([url, (await look(url)).status]).toEqual([url, 400])
  expect((await call('GET', `/v1/actions/getWoocommerceProducts?url=${woo.host}`)).status).toBe(401)
})
