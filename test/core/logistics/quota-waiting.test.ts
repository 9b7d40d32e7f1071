import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until, untilValue } from '../../support/until.ts'

const STATES = Array.from({ length: 14 }, (_, at) => `0${at + 1}`.slice(-2))

const carrierOf = (slug: string, windows: string) => `import { ask, carrier, CarrierError, problemOf, remembered } from 'serai/carrier'
const answered = async (context, path, init) => {
  const answer = await ask(context, 'Meter', \`https://api.${slug}.example/\${path}\`, init)
  if (!answer.ok) throw problemOf(context, 'Meter', answer, init)
  return answer.value
}
export default carrier({
  slug: '${slug}', label: 'Meter', countries: ['DZ'], currency: 'DZD', net: ['api.${slug}.example'], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: ${windows}, deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: (context) => answered(context, 'test').then(() => ({})),
  async send(context, { reference }) {
    await answered(context, 'send', { method: 'POST', json: { reference } })
    return { trackingId: reference }
  },
  async fees(context) {
    const rows = []
    for (const stateCode of ${JSON.stringify(STATES)})
      rows.push(await remembered(context, \`fees:\${stateCode}\`, () => answered(context, \`fees/\${stateCode}\`).then(() => ({ stateCode, home: 400, pickup: null }))))
    return rows
  },
})`

const folder = await scratchFolder()
for (const [slug, windows] of [
  ['meter', '[{ calls: 10, seconds: 5 }]'],
  ['rare', '[{ calls: 1, seconds: 600 }]'],
]) {
  await mkdir(join(folder, slug!))
  await writeFile(join(folder, slug!, 'index.ts'), carrierOf(slug!, windows!))
}

const paths: string[] = []
let throttled = false
const side = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    if (throttled) return Response.json({}, { status: 429, headers: { 'retry-after': '4' } })
    paths.push(new URL(request.url).pathname)
    return Response.json({})
  },
})
afterAll(() => side.stop(true))
const { call, ok, shop } = await startApp({
  adapterDirs: [folder],
  simulators: { 'api.meter.example': `http://127.0.0.1:${side.port}`, 'api.rare.example': `http://127.0.0.1:${side.port}` },
})

async function connected(slug: string) {
  const { storeId, owner, key } = await shop()
  const base = `/v1/stores/${storeId}/integrations/${slug}`
  const { data } = await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: {} } })
  return { base, as: owner.token, key, id: data.id as string, status: data.status as string }
}

const parcelFor = (carrierAccountId: string) => ({
  carrierAccountId,
  recipient: { name: 'Lina B', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: '', deliveryType: 'home' },
  codAmount: 2500,
})

test('a list that the quota cuts short says when to come again, and is read on in the background, each state once', async () => {
  const { base, as } = await connected('meter')
  const first = await call('GET', `${base}/fees?limit=100`, { as })
  expect([first.status, first.body.error?.code]).toEqual([429, 'rate_limited'])
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
  const isRead = () => new Set(paths.filter((path) => path.startsWith('/fees/'))).size === STATES.length
  await until(isRead, 40_000)
  expect(paths.filter((path) => path.startsWith('/fees/')).toSorted()).toEqual(STATES.map((code) => `/fees/${code}`))
  const { data } = await ok('GET', `${base}/fees?limit=100`, { as })
  expect(data.length).toBe(STATES.length)
}, 60_000)

test('a parcel that waits for its turn at the carrier is answered with 202, as submitting, and when to look again', async () => {
  const { id, key } = await connected('rare')
  const send = async () => {
    const { data } = await ok('POST', '/v1/parcels', { as: key, body: parcelFor(id) })
    return call('POST', `/v1/parcels/${data.id}/submit`, { as: key, body: {} })
  }
  await send()
  const waits = await send()
  expect([waits.status, waits.body.data.status, waits.body.data.lastError.code]).toEqual([202, 'submitting', 'rate_limited'])
  expect(Number(waits.headers.get('retry-after'))).toBeGreaterThan(100)
  expect((await ok('GET', `/v1/parcels/${waits.body.data.id}`, { as: key })).data.status).toBe('submitting')
}, 60_000)

test('a test that the carrier has no room for says so and not that the credentials are wrong, and is made up for', async () => {
  throttled = true
  const { base, as, status } = await connected('meter')
  expect(status).toBe('untested')
  const tested = await call('POST', `${base}/testConnection`, { as })
  expect([tested.status, tested.body.error?.code]).toEqual([429, 'rate_limited'])
  expect(Number(tested.headers.get('retry-after'))).toBeGreaterThan(0)
  throttled = false
  const read = async () => (await ok('GET', base, { as })).data.status
  await untilValue(read, (state) => state === 'connected', 30_000)
}, 60_000)
