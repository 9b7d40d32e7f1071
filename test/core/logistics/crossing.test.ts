import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { until } from '../../support/until.ts'
import { untilWaiting } from '../../support/waiting.ts'

const folder = await scratchFolder()
await mkdir(join(folder, 'crossing'))
await writeFile(
  join(folder, 'crossing/index.ts'),
  `import { carrier, CarrierError } from 'serai/carrier'
const one = (slug, change) => carrier({
  slug, label: slug, countries: ['DZ'], currency: 'DZD', net: ['api.crossing.example'], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 30, rateWindows: [], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: () => ({}),
  async send(context, { reference, contents }) {
    const body = JSON.stringify({ reference, contents })
    const answer = await context.fetch('https://api.crossing.example/send', { method: 'POST', body })
    if (answer.status === 429) throw new CarrierError('rate_limited', 'Slow down.', { retryAfterSeconds: 1 })
    if (answer.status === 503) throw new CarrierError('unavailable', 'Broken.')
    return { trackingId: await answer.text() }
  },
  ...change,
})
export default [
  one('twins', {}),
  one('narrow', { sendMany: () => [], sendManyMax: 1 }),
  one('patient', { exactlyOnce: 'idempotencyKey' }),
  one('steady', { exactlyOnce: 'idempotencyKey', settleSeconds: 2 }),
]`,
)

/** So many calls at once fill the narrow one. */
const CALLS = 2
let gate = Promise.withResolvers<void>()
let held = 0
const calls = new Map<string, number>()
const carrier = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 120,
  async fetch(request) {
    const { reference, contents } = (await request.json()) as { reference: string; contents: string }
    const count = (calls.get(reference) ?? 0) + 1
    calls.set(reference, count)
    if (contents === 'BROKEN' && count === 1) return new Response('', { status: 503 })
    if (contents === 'HELD' || contents === 'BROKEN') {
      held += 1
      await gate.promise
    }
    if (contents === 'SILENT' || (contents === 'LOST' && count === 1)) await Bun.sleep(10_000)
    if (contents === 'LOST' && count === 2) return new Response('', { status: 429, headers: { 'retry-after': '1' } })
    return new Response(contents.startsWith('N') ? contents : `T-${reference}`)
  },
})
afterAll(() => carrier.stop(true))

const { call, ok, shop, context } = await startApp({
  adapterDirs: [folder],
  adapterIsolation: 'none',
  simulators: { 'api.crossing.example': `http://127.0.0.1:${carrier.port}` },
})
const { storeId, owner, key } = await shop()
const path = `/v1/stores/${storeId}/integrations`
const connect = async (slug: string): Promise<string> =>
  (await ok('PUT', `${path}/${slug}`, { as: owner.token, body: { enabled: true, credentials: {} } })).data.id
const accounts = {
  twins: await connect('twins'),
  narrow: await connect('narrow'),
  patient: await connect('patient'),
  steady: await connect('steady'),
}

const row = (contents = '') => ({
  recipient: { name: 'Lina', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '31', cityName: 'Oran' },
  contents,
})
const create = async (carrierAccountId: string, contents?: string) =>
  (await ok('POST', '/v1/parcels', { as: key, body: { ...row(contents), carrierAccountId } })).data.id as string
const submit = (id: string) => call('POST', `/v1/parcels/${id}/submit`, { as: key })
const read = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data
const noCarrier = (id: string) => ok('PATCH', `/v1/parcels/${id}`, { as: key, body: { carrierAccountId: null } })
const decide = (id: string, body: object) => call('POST', `/v1/parcels/${id}/outcome`, { as: key, body })
const startBatch = async (carrierAccountId: string, parcels: object[]) =>
  (await ok('POST', '/v1/parcels/batches', { as: key, body: { carrierAccountId, submit: true, parcels } })).data.id as string
const batch = async (id: string) => (await ok('GET', `/v1/parcels/batches/${id}`, { as: key })).data
const inLine = async (id: string) => (await context.sql`select 1 from parcels where id = ${id} and submit_at is not null`).length > 0

/** While the narrow one takes nothing more. */
async function whileFull(work: () => Promise<void>) {
  gate = Promise.withResolvers()
  held = 0
  const full = Promise.all(Array.from({ length: CALLS }, async () => submit(await create(accounts.narrow, 'HELD'))))
  await until(() => held === CALLS)
  await work().finally(gate.resolve)
  await full
}

test('what waits for its carrier is deleted, or given another: its batch hears it, and ends', async () => {
  let id = ''
  await whileFull(async () => {
    id = await startBatch(accounts.narrow, [row(), row(), row()])
    await until(async () => (await batch(id)).results.length === 3)
    const [deleted, moved] = (await batch(id)).results.map(({ parcelId }: { parcelId: string }) => parcelId)
    expect((await call('DELETE', `/v1/parcels/${deleted}`, { as: key })).status).toBe(204)
    await noCarrier(moved)
  })
  await until(async () => (await batch(id)).status === 'completed', 20_000)
  const { results, succeeded, failed } = await batch(id)
  expect(results.map(({ status, error }: { status: string; error: { code: string } | null }) => [status, error?.code ?? null])).toEqual([
    ['cancelled', 'not_found'],
    ['failed', 'conflict'],
    ['submitted', null],
  ])
  expect([succeeded, failed]).toEqual([1, 2])
})

test('what waits for its carrier is given another, or cancelled: who asked for its sending is told that it is not sent', () =>
  whileFull(async () => {
    const [left, cancelled] = [await create(accounts.narrow), await create(accounts.narrow)]
    const asked = Promise.all([submit(left), submit(cancelled)])
    await until(async () => (await inLine(left)) && (await inLine(cancelled)))
    await noCarrier(left)
    await ok('POST', `/v1/parcels/${cancelled}/cancel`, { as: key })
    expect((await asked).map(({ status, body }) => [status, body.error?.code])).toEqual([
      [409, 'conflict'],
      [409, 'invalid_transition'],
    ])
    expect(await read(left)).toMatchObject({ status: 'created', carrierAccountId: null, lastError: null })
  }))

test('submission: an order without a carrier by then is not enqueued', async () => {
  const id = await create(accounts.twins)
  const asked = await context.sql.begin(async (tx) => {
    await tx`select 1 from parcels where id = ${id} for update`
    const moved = noCarrier(id)
    await untilWaiting(context.sql, 1)
    const answer = submit(id)
    await untilWaiting(context.sql, 2)
    return { moved, answer }
  })
  await asked.moved
  const { status, body } = await asked.answer
  expect([status, body.error?.code, await inLine(id)]).toEqual([400, 'invalid_request', false])
})

test('a number is that of one parcel: neither a person nor the carrier gives it to another', async () => {
  const first = await create(accounts.twins, 'N1')
  expect((await submit(first)).body.data.trackingId).toBe('N1')
  const second = await create(accounts.twins, 'N1')
  const { status, body } = await submit(second)
  expect([status, body.data.status, body.data.outcomeUnknown]).toEqual([202, 'submitting', true])
  expect(body.data.lastError).toMatchObject({ code: 'outcome_unknown', message: expect.stringContaining('N1') })
  const taken = await decide(second, { taken: true, trackingId: 'N1' })
  expect([taken.status, taken.body.error.code]).toEqual([409, 'conflict'])
  expect((await decide(second, { taken: true, trackingId: 'N2' })).body.data).toMatchObject({
    status: 'submitted',
    trackingId: 'N2',
    lastError: null,
  })
})

test('submission: a parcel that a person gives up and the carrier accepts at the same moment is with the carrier', async () => {
  gate = Promise.withResolvers()
  held = 0
  const id = await create(accounts.patient, 'BROKEN')
  expect((await submit(id)).body.data.outcomeUnknown).toBe(true)
  await until(() => held === 1)
  expect((await decide(id, { taken: false })).body.data.status).toBe('created')
  gate.resolve()
  await until(async () => (await read(id)).status === 'submitted', 10_000)
  expect(await read(id)).toMatchObject({ trackingId: expect.stringMatching(/^T-/), lastError: null })
})

test('a lost answer stays unknown while the carrier takes no more calls: it is not ours to cancel', async () => {
  const id = await create(accounts.steady, 'LOST')
  await submit(id)
  const seen = new Set<string>()
  let parcel = await read(id)
  for (; parcel.status !== 'submitted'; parcel = await read(id)) {
    seen.add(`${parcel.status} ${parcel.outcomeUnknown}`)
    await Bun.sleep(20)
  }
  expect([...seen]).toEqual(['submitting true'])
  expect(calls.get(parcel.reference)).toBe(3)
})

test('submission: a row of a disabled account is reported as unknown, and its batch ends', async () => {
  const batchId = await startBatch(accounts.steady, [row('SILENT')])
  await until(async () => (await batch(batchId)).results.length === 1)
  const [{ parcelId }] = (await batch(batchId)).results
  await until(async () => (await read(parcelId)).outcomeUnknown)
  await ok('POST', `${path}/steady/enable`, { as: owner.token, body: { enabled: false } })
  await context.sql`update parcels set submitting_since = now() - interval '16 minutes', submit_at = now() where id = ${parcelId}`
  await until(async () => (await batch(batchId)).status === 'completed')
  expect((await batch(batchId)).results).toMatchObject([{ status: 'unknown', error: { code: 'outcome_unknown' } }])
})
