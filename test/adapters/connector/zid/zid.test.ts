import { afterAll, expect, test } from 'bun:test'
import zid from '../../../../adapters/connector/zid/index.ts'
import { tellDue } from '../../../../core/sales/channels/tell.ts'
import { startApp } from '../../../support/app.ts'
import { eventually } from '../../../support/receiver.ts'
import { rig } from './rig.ts'
import { APP, CODE, startZid } from './simulator.ts'

const shop = startZid()
afterAll(() => shop.stop())
const app = await startApp({ simulators: { 'oauth.zid.sa': shop.url, 'api.zid.sa': shop.url }, publicUrl: 'https://ours.example' })
const { call, ok } = app
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const read = async () => (await ok('GET', base, { as: key })).data[0]
const pulled = async (since: string) => {
  await ok('POST', `${base}/${(await read()).id}/pull`, { as: key, body: { since } })
  await eventually(async () => (await read()).pull.status === 'done')
}

test('a shop whose owner signs in is read with both tokens, and what changed is followed', async () => {
  await ok('POST', base, { as: owner.token, body: { platform: 'zid', name: 'Baskets', credentials: APP } })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/zid/oauth/start`, { as: owner.token, body: {} })
  const asked = new URL(data.url)
  expect([asked.host, asked.searchParams.has('scope')]).toEqual(['oauth.zid.sa', false])
  const back = `/v1/integrations/oauth/callback?code=${CODE}&state=${asked.searchParams.get('state')}`
  expect((await call('GET', back, { headers: { 'accept-language': 'en' } })).body).toContain('It is connected')
  for (let count = 0; count < 12; count += 1) shop.place()
  await pulled('2026-11-20T00:00:00Z')
  expect((await read()).orders).toEqual({ taken: 12, waiting: 0, notFollowed: 0 })
  const { data: orders } = await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })
  for (const order of orders)
    expect(order).toMatchObject({
      customer: { name: 'Lina Saadi', phone: '+213550123456' },
      destination: { cityName: 'Bab Ezzouar', address: '3 rue A, Centre' },
      totals: { subtotal: 5000, delivery: 400, discount: 0, total: 5400 },
      note: 'Ring twice',
    })
  const [first] = shop.orders.values()
  if (first) shop.touch(first, 'canceled')
  await pulled(new Date((first?.updated ?? 0) - 1000).toISOString())
  expect((await read()).pull).toMatchObject({ changed: 1 })
})

test('a callback is believed under its password, and its order is read once', async () => {
  const { id, webhookUrl } = await read()
  await ok('POST', `${base}/${id}/webhooks`, { as: owner.token })
  const hooks = [...shop.hooks.values()]
  expect(hooks.map(({ event, target_url }) => [event, target_url])).toEqual([
    ['order.create', webhookUrl],
    ['order.status.update', webhookUrl],
    ['order.payment_status.update', webhookUrl],
  ])
  const order = shop.place()
  const tell = (password: string) => {
    const { headers, body: raw } = shop.sent(order, password)
    return call('POST', new URL(webhookUrl).pathname, { raw, headers })
  }
  expect((await tell('of somebody else')).status).toBe(401)
  const password = hooks[0]?.password ?? ''
  expect((await Promise.all([tell(password), tell(password)])).map(({ status }) => status)).toEqual([200, 200])
  await eventually(async () => (await read()).orders.taken === 13)
})

test('what becomes of an order is told there once', async () => {
  const [, second] = shop.orders.values()
  const { data } = await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })
  const ours = data.find(({ metadata }: { metadata: { channelOrder: string } }) => metadata.channelOrder === `#${second?.id}`)
  await ok('PATCH', `/v1/orders/${ours.id}`, { as: key, body: { status: 'confirmed' } })
  for (let count = 0; count < 2; count += 1) {
    await tellDue(app.context)
    await eventually(() => shop.changes.length > 0)
  }
  expect(shop.changes).toEqual([{ id: second?.id ?? 0, status: 'preparing', tracking: null }])
})

test('who comes back from a sign-in to the address of the connectors is signed in, and goes on', async () => {
  const other = await app.shop()
  const at = `/v1/stores/${other.storeId}/integrations/connectors`
  await ok('POST', at, { as: other.owner.token, body: { platform: 'zid', name: 'Baskets', credentials: APP } })
  const back = async (query = '') => {
    const { data } = await ok('GET', `${at}/zid/install-url?name=Baskets${query}`, { as: other.owner.token })
    const state = new URL(data.url).searchParams.get('state')
    const come = () => call('GET', `/v1/integrations/connectors/zid/callback?code=${CODE}&state=${state}`)
    return [await come(), await come()] as const
  }
  const [done, again] = await back()
  expect([done.status, done.headers.get('location'), again.status]).toEqual([
    303,
    '/v1/integrations/connectors/mobile-result?platform=zid&outcome=connected',
    400,
  ])
  const [named] = await back('&returnTo=https://app.example/shops')
  expect(named.headers.get('location')).toMatch(/^https:\/\/app\.example\/shops\?connection=int_.*outcome=connected$/)
})

test('two tokens are needed', async () => {
  const side = rig(zid)
  const { authorization: _, ...half } = side.credentials
  const desk = side.open({ credentials: half })
  await expect(Promise.resolve(zid.testConnection(desk.context))).rejects.toMatchObject({ reason: 'unauthorized' })
  await side.close?.()
})
