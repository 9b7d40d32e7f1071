import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processWebhook } from '../../../core/connectors/shops/inbox/process-webhook.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'

const folder = await scratchFolder()
await mkdir(join(folder, 'odd'))
await writeFile(
  join(folder, 'odd/index.ts'),
  `import { carrier, createReceiver } from 'serai/carrier'
import { connector, createShopReceiver, jsonIn } from 'serai/connector'
const read = (body) => JSON.parse(new TextDecoder().decode(body))
const usual = { net: [], settings: {}, credentials: { token: { label: 'Token', secret: true, optional: true } }, rateWindows: [], testConnection: () => ({}) }
const one = (slug, webhook) => carrier({
  ...usual, slug, label: slug, countries: ['DZ'], currency: 'DZD', exactlyOnce: 'unsafe', settleSeconds: 2, deliveryTypes: ['home'],
  editableIn: [], cancellableIn: [], statuses: { arrived: 'delivered', moving: 'in_transit' },
  send: (_, { reference }) => ({ trackingId: slug + '-' + reference }),
  track: (_, ids) => ids.map((trackingId) => ({ trackingId, carrierStatus: 'moving', at: new Date().toISOString() })),
  webhook,
})
const answer = { status: 200, contentType: 'text/plain', body: 'mine' }
const results = {
  thrown: () => { throw new TypeError('a fault') },
  nothing: () => undefined,
  unknown: () => ({ outcome: 'maybe' }),
  eventless: () => ({ outcome: 'events', signed: true }),
  unsure: () => ({ outcome: 'events', events: [] }),
  mistaken: () => ({ outcome: 'events', signed: true, events: [{ at: 5 }] }),
  undeclared: () => ({ outcome: 'challenge', answer }),
  hanging: () => new Promise(() => {}),
}
const asTold = { outcome: 'events', signed: true }
const shop = (slug, webhook) => connector({
  ...usual, slug, label: slug, install: ['keys'], pull: () => ({ orders: [], cursor: null }), readOrder: () => null, webhook,
})
let isBroken = true
export default [
  one('odd', { receive: ({ url }) => results[new URL(url).searchParams.get('do')]() }),
  one('hinting', { unsigned: 'token', receive: ({ body }) => ({ ...asTold, events: [read(body)] }) }),
  one('sure', { receive: ({ body }) => ({ ...asTold, events: [read(body)] }) }),
  shop('mending', { receive: createShopReceiver({ verify: ({ headers }) => headers['x-proof'] === 'right', parse({ body }) {
    if (isBroken) { isBroken = false; throw new Error('not today') }
    return [read(body)]
  } }) }),
  shop('hinting-shop', { receive: createShopReceiver({ signed: false, verify: () => true, parse: ({ body }) => read(body) }) }),
  shop('forgetful', { receive: ({ headers, body }) => (headers.secret === 'right' ? { outcome: 'unread', signed: true } : { outcome: 'invalid' }) }),
  shop('sloppy', { receive: ({ body, isStored }) => (!isStored ? { ...asTold, events: [{ at: 5 }] } : { ...asTold, events: [read(body)] }) }),
  shop('generous', { receive: () => ({ outcome: 'tokens', tokens: { accessToken: 'a', expiresAt: '2050-01-01T00:00:00Z' } }) }),
]`,
)

const { call, ok, shop, context } = await startApp({ adapterDirs: [folder], adapterIsolation: 'none' })
const { sql } = context
const { storeId, owner, key } = await shop()
const base = `/v1/stores/${storeId}/integrations`
const connect = async (slug: string): Promise<string> => {
  const body = { enabled: true, credentials: { token: 'a-secret-of-the-address' } }
  return (await ok('PUT', `${base}/${slug}`, { as: owner.token, body })).data.id
}
const tell = (slug: string, body: object, headers = {}) => call('POST', `${base}/${slug}/webhook`, { body, headers })
const inbox = (connectionId: string) =>
  sql<{ id: string; events: string | null; signed: boolean; workedAt: string | null; news: number | null }[]>`
    select id, events, signed, worked_at, news from connector_callbacks where connection_id = ${connectionId} order by id`

await connect('odd')
test.each([
  ['thrown', 502],
  ['nothing', 502],
  ['unknown', 502],
  ['eventless', 502],
  ['unsure', 502],
  ['mistaken', 502],
  ['undeclared', 502],
  ['hanging', 504],
] as const)(
  'webhook intake: an adapter whose answer is %s makes the platform send its callback again, with %d',
  async (what, status) => {
    const { status: found, body } = await call('POST', `${base}/odd/webhook?do=${what}`, { body: {} })
    expect([found, typeof body.error.code]).toEqual([status, 'string'])
  },
  20_000,
)

test('webhook intake: callbacks beyond the share of one store are sent again later, and delay no other store', async () => {
  const other = await shop()
  const there = `/v1/stores/${other.storeId}/integrations`
  await ok('PUT', `${there}/sure`, { as: other.owner.token, body: { enabled: true, credentials: {} } })
  const hanging = Array.from({ length: 100 }, () => call('POST', `${base}/odd/webhook?do=hanging`, { body: {} }))
  const first = await Promise.race(hanging)
  expect([first.status, first.body.error.code, first.headers.get('retry-after')]).toEqual([503, 'unavailable', '3'])
  const told = { trackingId: 'nobody', carrierStatus: 'moving', at: new Date().toISOString() }
  expect((await call('POST', `${there}/sure/webhook`, { body: told })).status).toBe(200)
  const statuses = (await Promise.all(hanging)).map(({ status }) => status)
  expect([504, 503].map((status) => statuses.filter((one) => one === status).length)).toEqual([32, 68])
}, 30_000)

test('webhook intake: events of an adapter that is declared unsigned are hints, even if it says that they are signed', async () => {
  for (const [slug, status] of [
    ['hinting', 'in_transit'],
    ['sure', 'delivered'],
  ] as const) {
    const destination = { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'x', deliveryType: 'home' }
    const body = { recipient: { name: 'Lina', phone: '0550123456' }, destination, carrierAccountId: await connect(slug) }
    const { data: parcel } = await ok('POST', '/v1/parcels', { as: key, body })
    const { data: submitted } = await ok('POST', `/v1/parcels/${parcel.id}/submit`, { as: key })
    const told = { trackingId: submitted.trackingId, carrierStatus: 'arrived', at: new Date().toISOString() }
    expect((await tell(slug, told)).body).toEqual({ data: { received: 1, applied: 1 } })
    expect([slug, (await ok('GET', `/v1/parcels/${parcel.id}`, { as: key })).data.status]).toEqual([slug, status])
  }
})

test('webhook intake: a proven callback of a shop that cannot be read is stored, and read again by its job', async () => {
  const id = await connect('mending')
  expect((await tell('mending', { gone: '7' })).status).toBe(401)
  expect((await tell('mending', { gone: '7' }, { 'x-proof': 'right' })).body).toEqual({ data: { received: true } })
  await until(async () => (await inbox(id)).every(({ workedAt }) => workedAt !== null))
  expect(await inbox(id)).toMatchObject([{ events: null, signed: true, news: 1 }])
  expect(await sql`select external_id from connector_orders where connection_id = ${id}`).toMatchObject([{ externalId: '7' }])
})

test('webhook intake: a proven callback of a shop with malformed events is stored, and read again by its job', async () => {
  const id = await connect('sloppy')
  expect((await tell('sloppy', { gone: '9' })).body).toEqual({ data: { received: true } })
  await until(async () => (await inbox(id)).every(({ workedAt }) => workedAt !== null))
  expect(await inbox(id)).toMatchObject([{ events: null, signed: true, news: 1 }])
})

test('webhook intake: a callback that its adapter never reads stays in the inbox, and its job says why', async () => {
  const id = await connect('forgetful')
  expect((await tell('forgetful', {}, { secret: 'right' })).status).toBe(200)
  const [stored] = await inbox(id)
  await expect(processWebhook(context, stored?.id ?? '')).rejects.toThrow('The adapter could not read this webhook.')
  expect((await inbox(id))[0]?.workedAt).toBeNull()
})

test('webhook intake: unsigned events of a shop name orders to read, and erase nobody', async () => {
  const id = await connect('hinting-shop')
  const events = [{ gone: '8' }, { privacy: { wants: 'forget', orders: null } }]
  expect((await tell('hinting-shop', events)).status).toBe(200)
  await until(async () => (await inbox(id)).every(({ workedAt }) => workedAt !== null))
  expect(await inbox(id)).toMatchObject([{ signed: false, news: 2 }])
  // The order is read from the shop, which has never had it: a deletion that is trusted would be recorded.
  expect(await sql`select 1 from connector_orders where connection_id = ${id}`).toEqual([] as never)
  expect(await sql`select 1 from erasures where project_id = ${projectIdOf(storeId)}`).toEqual([] as never)
})

test('webhook intake: an adapter without a sign-in cannot deliver tokens', async () => {
  const id = await connect('generous')
  expect((await tell('generous', {})).status).toBe(502)
  expect(await sql`select 1 from oauth_tokens where connection_id = ${id}`).toEqual([] as never)
})
