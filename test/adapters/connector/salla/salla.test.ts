import { afterAll, expect, test } from 'bun:test'
import salla from '../../../../adapters/connector/salla/index.ts'
import { withTax } from '../../../../adapters/connector/salla/prices.ts'
import { timeIn } from '../../../../adapters/connector/salla/times.ts'
import { requestDueStatusPushes } from '../../../../core/connectors/shops/stock/push-status.ts'
import { projectIdOf } from '../../../../core/data/project-ids.ts'
import { storePushedTokens } from '../../../../core/integrations/connections/oauth-client/pushed-tokens.ts'
import { openDesk } from '../../../../plugins/connector/acceptance.ts'
import type { Pulled } from '../../../../plugins/connector/index.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { APP, CODE, MERCHANT, startSalla, TOKEN } from './simulator.ts'

const SECRET = 'app-secret'
/** Its first token lives for a moment only. */
const shop = startSalla({ tokenSeconds: 3 })
afterAll(() => shop.stop())
const app = await startApp({
  simulators: { 'accounts.salla.sa': shop.url, 'api.salla.dev': shop.url },
  publicUrl: 'https://ours.example',
})
const { call, ok } = app
const admin = await app.person('The administrator')
const { storeId, owner, key } = await app.shop()
const base = `/v1/stores/${storeId}/integrations/connectors`
await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
const read = async () => (await ok('GET', base, { as: key })).data[0]
const orders = async () =>
  (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data as {
    readonly id: string
    readonly status: string
    readonly metadata: { readonly channelOrder: string }
  }[]
const pulled = async (since?: string) => {
  await ok('POST', `${base}/${(await read()).id}/pull`, { as: key, body: since ? { since } : {} })
  await until(async () => (await read()).pull.status === 'done')
}

test.each([
  ['Asia/Riyadh', '2024-02-15T08:23:05.000Z'],
  ['UTC', '2024-02-15T11:23:05.000Z'],
  ['+02:00', '2024-02-15T09:23:05.000Z'],
  ['Nowhere/Land', undefined],
] as const)('a time of %s is read in its zone', (timezone, expected) => {
  expect(timeIn({ date: '2024-02-15 11:23:05.000000', timezone_type: 3, timezone })).toBe(expected)
})

test('a price is shown with the tax that Salla takes out of it', () => {
  expect([withTax(45.22, '15.00'), withTax(15, '15.00'), withTax(45.2174, '15.00')]).toEqual(['52', '17.25', '52'])
  expect([withTax('4.522', '10.00'), withTax(99.95, '0.00'), withTax(99.95, null), withTax(null, '15.00')]).toEqual([
    '4.974',
    '99.95',
    '99.95',
    undefined,
  ])
})

test('salla: at the rate limit the orders read so far are kept, and the next poll goes on after them', async () => {
  const busy = startSalla()
  const { context } = openDesk(salla, { 'api.salla.dev': busy.url }, { credentials: { ...APP, accessToken: TOKEN }, settings: {} })
  for (let count = 0; count < 12; count += 1) busy.place()
  const found: string[] = []
  let cursor: string | null = null
  const cursors: (string | null)[] = []
  do {
    busy.allow(12)
    const page: Pulled = await salla.pull(context, { since: null, cursor })
    found.push(...page.orders.map(({ externalId }) => externalId))
    cursors.push(page.cursor)
    cursor = page.cursor
  } while (cursor !== null)
  expect(found).toEqual([...busy.orders.keys()].reverse().map(String))
  expect(cursors).toEqual(['5 12', '10 12', null])
  await busy.stop()
})

test('salla: after the owner signs in orders are read, and the tokens are renewed once', async () => {
  const body = {
    platform: 'salla',
    name: 'Baskets',
    credentials: { ...APP, webhookSecret: SECRET },
    settings: { merchant: String(MERCHANT) },
  }
  await ok('POST', base, { as: owner.token, body })
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/salla/oauth/start`, { as: owner.token, body: {} })
  const asked = new URL(data.url)
  expect([asked.host, asked.searchParams.get('scope')]).toEqual([
    'accounts.salla.sa',
    'offline_access orders.read_write shipping.read webhooks.read_write',
  ])
  // It takes hyphens out of what it is given.
  const state = asked.searchParams.get('state')?.replaceAll('-', '')
  const back = `/v1/integrations/oauth/callback?code=${CODE}&state=${state}`
  expect((await call('GET', back, { headers: { 'accept-language': 'en' } })).body).toContain('It is connected')
  for (let count = 0; count < 8; count += 1) shop.place()
  shop.place({ slug: 'payment_pending' })
  await Bun.sleep(3_000)
  await pulled('2026-11-20T00:00:00Z')
  expect((await read()).orders).toEqual({ taken: 8, waiting: 0, notFollowed: 0 })
  expect(shop.tokens.state).toMatchObject({ renewed: 1, revoked: false, asked: ['authorization_code', 'refresh_token'] })
  const found = (number: string) => orders().then((all) => all.find(({ metadata }) => metadata.channelOrder === number))
  const goes = { stateCode: '16', cityName: 'Bab Ezzouar' }
  const lina = { name: 'Lina Saadi', phone: '+213550123456' }
  const plain = { customer: lina, destination: goes, totals: { subtotal: 5000, delivery: 400, total: 5400 } }
  expect(await found('#40497001')).toMatchObject(plain)
  // What it is more than goods is delivery, with the tax on it.
  const taxed = { customer: lina, destination: goes, totals: { subtotal: 5000, delivery: 459.99, discount: 0, total: 5459.99 } }
  expect(await found('#40497002')).toMatchObject(taxed)
})

test('salla: an unchanged order changes nothing, and a changed one is updated', async () => {
  await pulled('2026-11-20T00:00:00Z')
  expect((await read()).pull).toMatchObject({ changed: 0 })
  const [first] = shop.orders.values()
  if (first) shop.touch(first, 'canceled')
  shop.requests.length = 0
  await pulled(new Date((first?.updated ?? 0) - 1000).toISOString())
  expect((await read()).pull).toMatchObject({ changed: 1 })
  expect(shop.requests.filter(({ path }) => path.endsWith('/orders/items'))).toHaveLength(1)
})

test('callbacks are believed under their token or signature, and their order is read once', async () => {
  const { id, webhookUrl } = await read()
  await ok('POST', `${base}/${id}/webhooks`, { as: owner.token })
  expect([...shop.hooks.values()].every(({ url, version }) => url === webhookUrl && version === 2)).toBe(true)
  const token = shop.hooks.get(`order.created ${webhookUrl}`)?.headers[0]?.value ?? ''
  const tell = (event: object, proof: { secret?: string; token?: string }) => {
    const { headers, body: raw } = shop.sent(event, proof)
    return call('POST', new URL(webhookUrl).pathname, { raw, headers })
  }
  const order = shop.place()
  const news = shop.news(order, 'order.created')
  expect((await tell(news, { secret: 'of somebody else' })).status).toBe(401)
  expect((await tell(news, { token: 'of-somebody-else' })).status).toBe(401)
  const told = await Promise.all([tell(news, { token }), tell(news, { secret: SECRET }), tell(news, { token: SECRET })])
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200])
  await until(async () => (await read()).orders.taken === 9)
  shop.touch(order, 'canceled')
  await tell(shop.news(order, 'order.status.updated'), { token })
  const number = `#${order.reference}`
  await until(async () => (await orders()).some((one) => one.metadata.channelOrder === number && one.status === 'cancelled'))
})

test('the platform’s one address takes news of the shop that they name', async () => {
  const order = shop.place()
  const tell = (event: object) => {
    const { headers, body: raw } = shop.sent(event, { secret: SECRET })
    return call('POST', '/v1/integrations/connectors/salla/webhook', { raw, headers })
  }
  const news = shop.news(order)
  expect((await tell({ ...news, merchant: 5 })).status).toBe(404)
  expect((await tell(news)).status).toBe(200)
  await until(async () => (await read()).orders.taken === 10)
})

test("an order's status is written back to the shop once", async () => {
  const [, second] = shop.orders.values()
  const ours = (await orders()).find(({ metadata }) => metadata.channelOrder === `#${second?.reference}`)
  await ok('PATCH', `/v1/orders/${ours?.id}`, { as: key, body: { status: 'confirmed' } })
  for (let count = 0; count < 2; count += 1) {
    await requestDueStatusPushes(app.context)
    await until(() => shop.statuses.length > 0)
  }
  expect(shop.statuses).toEqual([{ id: second?.id ?? 0, slug: 'in_progress' }])
})

test('in easy mode Salla hands the tokens over: of the shop that is named, under the app’s own proof, once', async () => {
  const easy = await app.shop()
  const connectors = `/v1/stores/${easy.storeId}/integrations/connectors`
  const credentials = { ...APP, webhookSecret: SECRET, callbackToken: 'of-the-callbacks' }
  const connect = async (name: string, settings: object) =>
    (await ok('POST', connectors, { as: easy.owner.token, body: { platform: 'salla', name, credentials, settings } })).data
  const named = await connect('Named', { merchant: '77' })
  await connect('Nameless', {})
  const addresses = [named.webhookUrl, 'https://ours.example/v1/integrations/connectors/salla/webhook'] as const
  const statuses = async () =>
    (
      await app.context.sql<
        { name: string; status: string }[]
      >`select name, status from integrations where project_id = ${projectIdOf(easy.storeId)}`
    )
      .map(({ name, status }) => `${name} ${status}`)
      .sort()
  const tell = (event: object, proof: { secret?: string; token?: string } = { secret: SECRET }, address: string = addresses[0]) => {
    const { headers, body: raw } = shop.sent(event, proof)
    return call('POST', new URL(address).pathname, { raw, headers })
  }
  const sealed = async () => (await app.context.sql`select version, handed_until from oauth_tokens where connection_id = ${named.id}`)[0]

  // Not proven, proven by what is not the app's, of another shop, too old, or unreadable.
  expect((await tell(shop.handed({ merchant: 77 }), { secret: 'of somebody else' })).status).toBe(401)
  expect((await tell(shop.handed({ merchant: 77 }), { token: 'of-the-callbacks' })).status).toBe(200)
  expect((await tell(shop.handed({ merchant: 78 }))).status).toBe(200)
  expect((await tell(shop.handed({ merchant: 77, seconds: -5 }))).status).toBe(200)
  expect((await tell({ ...shop.handed({ merchant: 77 }), data: null })).status).toBe(200)
  expect(await sealed()).toBeUndefined()

  // What comes of it is that which came last of all that were handed over, in whatever order, each time again.
  const before = shop.handed({ merchant: 77, access: 'of-before', refresh: 'r0', seconds: 86_400 })
  const now = shop.handed({ merchant: 77 })
  for (const event of [now, before, now])
    for (const address of addresses) expect((await tell(event, { secret: SECRET }, address)).status).toBe(200)
  expect((await tell(shop.handed({ merchant: 78 }), { secret: SECRET }, addresses[1])).status).toBe(404)
  await until(async () => (await statuses()).includes('Named connected'))
  expect(await sealed()).toMatchObject({ version: 1 })
  expect(await statuses()).toEqual(['Named connected', 'Nameless untested'])
  await ok('POST', `${connectors}/${named.id}/pull`, { as: easy.key, body: { since: '2026-11-20T00:00:00Z' } })
  await until(async () => {
    const { data } = await ok('GET', connectors, { as: easy.key })
    return data.some(({ pull }: { pull: { status: string; seen?: number } }) => pull?.status === 'done')
  })
  // Nothing of it lies about.
  const kept = await app.context.sql<{ body: Buffer }[]>`select body from connector_callbacks`
  expect(kept.some(({ body }) => body.toString().includes('access_token'))).toBe(false)
})

test("salla: with the server's own app, typing in a shop's number hands over no tokens of that shop", async () => {
  const credentials = { ...APP, webhookSecret: SECRET }
  await ok('PUT', '/v1/platform/integrations/salla', { as: admin.token, body: { enabled: true, credentials } })
  const stranger = await app.shop()
  const connectors = `/v1/stores/${stranger.storeId}/integrations/connectors`
  const body = { platform: 'salla', name: 'Mine', credentials: {}, settings: { merchant: '99' } }
  const { data: made } = await ok('POST', connectors, { as: stranger.owner.token, body })
  const addresses = ['/v1/integrations/connectors/salla/webhook', new URL(made.webhookUrl).pathname]
  const tell = async (path: string) => {
    const { headers, body: raw } = shop.sent(shop.handed({ merchant: 99 }), { secret: SECRET })
    return (await call('POST', path, { raw, headers })).status
  }
  const versions = async () => [...(await app.context.sql`select version from oauth_tokens where connection_id = ${made.id}`)]
  expect([await tell(addresses[0] ?? ''), await tell(addresses[1] ?? '')]).toEqual([404, 401])
  expect(await versions()).toEqual([])
  // A user who signed in to a shop of their own receives its callbacks, and still gets no tokens of another.
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  await storePushedTokens(
    app.context,
    { projectId: projectIdOf(made.storeId), id: made.id },
    { accessToken: 'of-their-own-shop', expiresAt },
  )
  for (const path of addresses) expect([path, await tell(path)]).toEqual([path, 200])
  expect(await versions()).toMatchObject([{ version: 1 }])
})
