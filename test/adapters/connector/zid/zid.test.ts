import { afterAll, expect, test } from 'bun:test'
import zid from '../../../../adapters/connector/zid/index.ts'
import { requestDueStatusPushes } from '../../../../core/connectors/shops/stock/push-status.ts'
import { openDesk } from '../../../../plugins/connector/acceptance.ts'
import type { Pulled } from '../../../../plugins/connector/index.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { rig } from './rig.ts'
import { APP, CODE, startZid, TOKENS } from './simulator.ts'

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
  await until(async () => (await read()).pull.status === 'done')
}

test('zid: after the owner signs in orders are read with both tokens, and changes are followed', async () => {
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
  await until(async () => (await read()).orders.taken === 13)
})

test("an order's status is written back to the shop once", async () => {
  const [, second] = shop.orders.values()
  const { data } = await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })
  const ours = data.find(({ metadata }: { metadata: { channelOrder: string } }) => metadata.channelOrder === `#${second?.id}`)
  await ok('PATCH', `/v1/orders/${ours.id}`, { as: key, body: { status: 'confirmed' } })
  for (let count = 0; count < 2; count += 1) {
    await requestDueStatusPushes(app.context)
    await until(() => shop.changes.length > 0)
  }
  expect(shop.changes).toEqual([{ id: second?.id ?? 0, status: 'preparing', tracking: null }])
})

test("zid: the return from a sign-in to the connectors' address completes it", async () => {
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

test('zid: an order that is deleted while pages are read hides no other order', async () => {
  const busy = startZid()
  const { context } = openDesk(
    zid,
    { 'api.zid.sa': busy.url },
    { credentials: { ...APP, accessToken: TOKENS.accessToken, authorization: TOKENS.authorization }, settings: {} },
  )
  for (let count = 0; count < 45; count += 1) busy.place()
  const newest = () => [...busy.orders.values()].toReversed()
  const throwAway = (from: number, count: number) => {
    for (const { id } of newest().slice(from, from + count)) busy.orders.delete(id)
  }
  const replaceAll = () => {
    busy.orders.clear()
    for (let count = 0; count < 25; count += 1) busy.place()
  }
  const readAll = async (meanwhile: (page: number) => void) => {
    const found = new Set<string>()
    let [cursor, pages]: [string | null, number] = [null, 0]
    do {
      const pulled: Pulled = await zid.pull(context, { since: null, cursor })
      for (const { externalId } of pulled.orders) found.add(externalId)
      cursor = pulled.cursor
      meanwhile(++pages)
    } while (cursor !== null)
    return { found, pages, left: newest().filter(({ id }) => !found.has(String(id))).length }
  }
  // Of what was read: some, the last of a page, and new ones before them; then all that was read of a page, so that it is begun anew.
  const some = await readAll((page) => {
    if (page === 1) throwAway(2, 3)
    if (page === 2) throwAway(9, 2)
    if (page === 3) for (let count = 0; count < 4; count += 1) busy.place()
  })
  expect([some.left, some.pages]).toEqual([4, 5])
  const all = await readAll((page) => void (page === 2 && throwAway(5, 20)))
  expect(all.left).toBe(0)
  const calls = busy.requests.length
  expect((await readAll(() => {})).left).toBe(0)
  const quiet = busy.requests.length
  // A list of others each time is no list.
  await expect(readAll((page) => void (page % 2 === 1 && replaceAll()))).rejects.toMatchObject({ reason: 'refused' })
  expect(busy.requests.slice(calls, quiet).filter(({ path }) => path.endsWith('/orders')).length).toBeLessThanOrEqual(5)
  await busy.stop()
})
