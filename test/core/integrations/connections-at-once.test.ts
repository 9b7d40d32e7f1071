import { afterAll, expect, test } from 'bun:test'
import { APP, CODE, startZid } from '../../adapters/connector/zid/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const zid = startZid()
afterAll(() => zid.stop())
/** What the platform is asked waits for this, where it is named. */
const held = { path: '', asked: 0, until: Promise.resolve() }
const inFront = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    if (`${request.method} ${pathname}` === held.path) {
      held.asked += 1
      await held.until
    }
    const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
    return fetch(zid.url + pathname + search, { method: request.method, headers: request.headers, ...(body && { body }) })
  },
})
afterAll(() => inFront.stop(true))
const app = await startApp({
  simulators: { 'oauth.zid.sa': inFront.url.origin, 'api.zid.sa': inFront.url.origin },
  publicUrl: 'https://ours.example',
})
const { call, ok, context } = app
const { sql } = context
const { storeId, owner } = await app.shop()
const as = owner.token
const base = `/v1/stores/${storeId}/integrations/connectors`

/** Holds what the platform is asked, and does something meanwhile. */
async function meanwhile(path: string, begun: () => Promise<unknown>, work: () => Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  Object.assign(held, { path, asked: 0, until: promise })
  const done = begun()
  await until(async () => held.asked > 0)
  await work().finally(resolve)
  held.path = ''
  return done
}
const connect = async (name: string) =>
  (await ok('POST', base, { as, body: { platform: 'zid', name, credentials: APP } })).data as { id: string }
const beginning = async ({ id }: { id: string }) => {
  const { data } = await ok('POST', `/v1/stores/${storeId}/integrations/zid/oauth/start?connection=${id}`, { as, body: {} })
  return `/v1/integrations/oauth/callback?code=${CODE}&state=${new URL(data.url).searchParams.get('state')}`
}
const at = ({ id }: { id: string }) => `/v1/stores/${storeId}/integrations/zid?connection=${id}`
const sealedOf = async ({ id }: { id: string }) =>
  (await sql<{ credentials: string }[]>`select credentials from integrations where id = ${id}`)[0]?.credentials

test('connections: two changes at once overwrite nothing of each other', async () => {
  const settings = { shop: 'one.example', orders: 1, skus: 'A' }
  const { data: made } = await ok('POST', base, { as, body: { platform: 'sandbox-shop', name: 'x', credentials: {}, settings } })
  const change = (change: object) =>
    ok('PATCH', `/v1/stores/${storeId}/integrations/sandbox-shop?connection=${made.id}`, { as, body: change })
  for (let orders = 2; orders < 8; orders += 1) {
    await Promise.all([change({ settings: { orders } }), change({ settings: { skus: `S${orders}` } }), change({ name: `n${orders}` })])
    const { data } = await ok('GET', `/v1/stores/${storeId}/integrations/sandbox-shop?connection=${made.id}`, { as })
    expect([data.name, data.settings]).toMatchObject([`n${orders}`, { orders, skus: `S${orders}` }])
  }
})

test('connections: credentials from a platform are merged with a change made meanwhile, and dropped if the connection is gone', async () => {
  const one = await connect('Baskets')
  await call('GET', await beginning(one))
  const subscribe = () => call('POST', `${base}/${one.id}/webhooks`, { as })
  await meanwhile('GET /v1/managers/webhooks', subscribe, () => ok('PATCH', at(one), { as, body: { credentials: { clientId: '49' } } }))
  const { data } = await ok('GET', at(one), { as })
  expect(data.credentials).toMatchObject({ clientId: '49', webhookSecret: expect.stringContaining('•') })
  const other = await connect('Ribbons')
  await call('GET', await beginning(other))
  const asked = () => call('POST', `${base}/${other.id}/webhooks`, { as })
  const answer = await meanwhile('GET /v1/managers/webhooks', asked, () => ok('DELETE', `${base}/${other.id}`, { as }))
  expect([answer, await sealedOf(other)]).toMatchObject([{ status: 404 }, ''])
})

test('connections: a sign-in for a connection that is removed meanwhile leaves nothing behind', async () => {
  const one = await connect('Gone')
  const back = await beginning(one)
  const come = () => call('GET', back, { headers: { 'accept-language': 'en' } })
  const answer = await meanwhile('POST /oauth/token', come, () => ok('DELETE', `${base}/${one.id}`, { as }))
  expect((answer as { body: string }).body).toContain('could not be connected')
  expect(await sql`select 1 from oauth_tokens where connection_id = ${one.id}`).toHaveLength(0)
})

test('connections: a change of a connection that is removed meanwhile is answered with 404', async () => {
  for (const change of [{ name: 'Other' }, { credentials: { clientSecret: 'another' } }, { enabled: false }]) {
    const one = await connect(`Goes ${Object.keys(change)}`)
    const goes = sql.begin(async (tx) => {
      await tx`select 1 from integrations where id = ${one.id} for update`
      await Bun.sleep(700)
      await tx`update integrations set deleted_at = now(), enabled = false, credentials = '' where id = ${one.id}`
    })
    await Bun.sleep(100)
    const [{ status }] = await Promise.all([call('PATCH', at(one), { as, body: change }), goes])
    expect([change, status, await sealedOf(one)]).toEqual([change, 404, ''])
  }
})

test('connections: two registrations of callbacks at once leave one subscription of each topic, with the stored secret', async () => {
  const one = await connect('Twice')
  await call('GET', await beginning(one))
  const subscribe = () => call('POST', `${base}/${one.id}/webhooks`, { as })
  const answers = await Promise.all([subscribe(), subscribe()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const hooks = [...zid.hooks.values()].filter(({ target_url: target }) => target.endsWith(one.id))
  expect([hooks.length, new Set(hooks.map(({ password }) => password)).size]).toEqual([3, 1])
  const [first] = hooks
  const { headers, body: raw } = zid.sent(zid.place(), first?.password ?? '')
  expect((await call('POST', new URL(first?.target_url ?? '').pathname, { raw, headers })).status).toBe(200)
})
