import { afterAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { type Received, receiver } from '../../support/receiver.ts'
import { until, untilValue } from '../../support/until.ts'

const SECRET = 'rehearsal'
const { call, ok, shop, person, context } = await startApp({
  adapterDirs: [join(import.meta.dir, '../../support/adapters')],
  adapterIsolation: 'none',
})
await person('The administrator')
const { storeId, owner, key, projectId } = await shop()
const as = owner.token
const connect = async (slug: string, credentials = {}) =>
  (await ok('PUT', `/v1/stores/${storeId}/integrations/${slug}`, { as, body: { enabled: true, credentials, settings: {} } })).data.id
const sandbox = await connect('sandbox', { webhookSecret: SECRET })
const tortoise = await connect('tortoise')
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 1000, stockKeeping: false } })

const mailbox = receiver()
afterAll(() => mailbox.reply(() => new Response(null, { status: 204 })))
await ok('POST', '/v1/webhook-endpoints', { as: key, body: { url: mailbox.url, events: ['*'] } })
/** What was told of a parcel, in its order. */
const toldOf = (parcelId: string) =>
  mailbox.all
    .map(({ event }: Received) => event)
    .filter(({ data }) => data.parcel?.id === parcelId)
    .sort((a, b) => a.data.sequence - b.data.sequence)

const home = { country: 'DZ', stateCode: '31', cityName: 'Arzew', address: 'Rue 1', deliveryType: 'home' }
/** The sandbox has one centre a state, in its capital. */
const desk = { ...home, deliveryType: 'pickup' }
const row = (name: string, change: Record<string, unknown> = {}) => ({
  recipient: { name, phone: '0550123456' },
  destination: home,
  codAmount: 1000,
  ...change,
})
const order = async (destination: object, name = 'Lina') =>
  (
    await ok('POST', '/v1/orders', {
      as: key,
      body: { storeId, customer: { name, phone: '0550123456' }, destination, items: [{ productId: product.id, quantity: 1 }] },
    })
  ).data.id as string
const create = async (change: Record<string, unknown>, name = 'Lina') =>
  (await ok('POST', '/v1/parcels', { as: key, body: row(name, change) })).data
const read = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data
const eventsOf = async (id: string) => (await ok('GET', `/v1/parcels/${id}/events`, { as: key })).data

async function callback(trackingId: string, status: string, at: Date) {
  const raw = JSON.stringify({ tracking: trackingId, status, at: at.toISOString(), eventId: crypto.randomUUID() })
  const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
  await ok('POST', `/v1/stores/${storeId}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
}

describe('a parcel for a centre, without saying which', () => {
  const rewritten = {
    from: { stateCode: '31', cityName: 'Arzew' },
    to: { stateCode: '31', cityName: 'Oran', pickupId: 'SBC31' },
    distanceKm: expect.any(Number),
  }
  const ways: Record<string, () => Promise<{ parcel: Record<string, unknown>; destinationRewritten: unknown }>> = {
    async 'POST /v1/parcels'() {
      const { data, destinationRewritten } = await ok('POST', '/v1/parcels', {
        as: key,
        body: row('Lina', { destination: desk, carrierAccountId: sandbox, submit: true }),
      })
      return { parcel: data, destinationRewritten }
    },
    async 'POST /v1/parcels/{id}/submit'() {
      const made = await create({ destination: desk, carrierAccountId: sandbox })
      const { data, destinationRewritten } = await ok('POST', `/v1/parcels/${made.id}/submit`, { as: key })
      return { parcel: data, destinationRewritten }
    },
    async 'orders/{id}/carriers/{code}/send'() {
      const path = `/v1/stores/${storeId}/orders/${await order(desk)}/carriers/sandbox/send`
      const { data, destinationRewritten } = await ok('POST', path, { as, body: {} })
      return { parcel: data.parcel, destinationRewritten }
    },
    async 'integrations/{key}/parcels/send'() {
      const body = { orderId: await order(desk) }
      const { data, destinationRewritten } = await ok('POST', `/v1/stores/${storeId}/integrations/sandbox/parcels/send`, { as, body })
      return { parcel: data.parcel, destinationRewritten }
    },
    async 'integrations/{key}/send'() {
      const body = { orderId: await order(desk) }
      return (await ok('POST', `/v1/stores/${storeId}/integrations/sandbox/send`, { as, body })).data
    },
    async 'integrations/{key}/parcels/sendMany'() {
      const body = { orders: [{ orderId: await order(desk) }, { orderId: await order(desk) }] }
      return (await ok('POST', `/v1/stores/${storeId}/integrations/sandbox/parcels/sendMany`, { as, body })).data[1]
    },
    async 'integrations/dispatcher/dispatch'() {
      const rules = [{ name: 'All', when: {}, choose: 'order', carriers: [{ carrier: 'sandbox' }] }]
      await ok('PUT', `/v1/stores/${storeId}/integrations/dispatcher/rules`, { as, body: { rules } })
      const body = { orderId: await order(desk) }
      return (await ok('POST', `/v1/stores/${storeId}/integrations/dispatcher/dispatch`, { as: key, body })).data[0]
    },
    async 'POST /v1/parcels/batches'() {
      const body = { carrierAccountId: sandbox, submit: true, parcels: [row('Lina', { destination: desk })] }
      const { data: batch } = await ok('POST', '/v1/parcels/batches', { as: key, body })
      const [{ parcelId, destinationRewritten }] = (await completed(batch.id)).results
      return { parcel: await read(parcelId), destinationRewritten }
    },
  }
  for (const [way, send] of Object.entries(ways)) {
    test(`goes to the nearest one, and ${way} says so`, async () => {
      const { parcel, destinationRewritten } = await send()
      expect(destinationRewritten).toEqual(rewritten)
      expect(parcel).toMatchObject({
        status: 'submitted',
        destination: { ...rewritten.to, cityCode: '3101', deliveryType: 'pickup', address: 'Rue 1' },
      })
    })
  }

  test('the distance is measured where both places are known', async () => {
    const { destinationRewritten } = await ok('POST', '/v1/parcels', {
      as: key,
      body: row('Lina', { destination: desk, carrierAccountId: sandbox, submit: true }),
    })
    expect(destinationRewritten.distanceKm).toBeGreaterThan(25)
    expect(destinationRewritten.distanceKm).toBeLessThan(45)
  })
})

test('a stop desk of another carrier gives way to the nearest of this one, with a warning', async () => {
  await context.sql`insert into pickups (project_id, connection_id, center_id, name, address, country_code, city_name)
    values (${projectId}, ${tortoise}, 'TOR-1', 'Desk', 'Rue 2', 'DZ', 'Oran')`
  const send = (pickupId: string) =>
    ok('POST', '/v1/parcels', {
      as: key,
      body: row('Lina', { destination: { ...desk, pickupId }, carrierAccountId: sandbox, submit: true }),
    })
  // Without a list of its own, the carrier itself judges the id.
  expect((await send('TOR-1')).data.destination.pickupId).toBe('TOR-1')
  await context.sql`insert into pickups (project_id, connection_id, center_id, name, address, country_code, city_name)
    values (${projectId}, ${sandbox}, 'SBC31', 'Desk', 'Rue 3', 'DZ', 'Oran')`
  const foreign = await send('TOR-1')
  expect([foreign.data.destination.pickupId, foreign.warnings[0].code]).toEqual(['SBC31', 'pickup_of_other_carrier'])
  // The carrier itself says whether it knows a desk that is in no list.
  expect((await send('UNLISTED')).data.destination.pickupId).toBe('UNLISTED')
  await context.sql`insert into pickups (project_id, connection_id, center_id, name, address, country_code, city_name)
    values (${projectId}, ${sandbox}, 'TOR-1', 'Desk', 'Rue 2', 'DZ', 'Oran')`
  expect((await send('TOR-1')).data.destination.pickupId).toBe('TOR-1')
})

test('a delivery type that the carrier does not know is refused with a message, on every way to submit', async () => {
  const destination = { ...home, deliveryType: 'return_point' }
  const { data, warnings } = await ok('POST', '/v1/parcels', {
    as: key,
    body: row('Lina', { destination, carrierAccountId: sandbox, submit: true }),
  })
  expect([data.destination.deliveryType, warnings[0].code]).toEqual(['home', 'delivery_type_unsupported'])
})

test('a parcel that a carrier refuses gets its first destination back before the next carrier is asked', async () => {
  const made = await create({ destination: desk, carrierAccountId: sandbox }, 'FAIL Lina')
  expect((await call('POST', `/v1/parcels/${made.id}/submit`, { as: key })).body.error.code).toBe('carrier_refused')
  expect((await read(made.id)).destination).toEqual(made.destination)
})

test("a carrier's refusal is reported to the caller, on the timeline and by an event", async () => {
  const made = await create({ carrierAccountId: sandbox, submit: true }, 'FAIL Lina')
  expect(made).toMatchObject({ status: 'created', lastError: { code: expect.any(String), message: expect.any(String) } })
  const { code, message } = made.lastError
  expect(await eventsOf(made.id)).toMatchObject([
    { type: 'created' },
    { type: 'submission_failed', source: 'system', payload: { code, message } },
  ])
  await until(() => toldOf(made.id).length === 2)
  expect(toldOf(made.id)[1]).toMatchObject({
    type: 'parcel.submission_failed',
    projectId,
    data: { parcel: { id: made.id, status: 'created', lastError: { code, message } }, code, message, sequence: 2 },
  })
  await ok('PATCH', `/v1/parcels/${made.id}`, { as: key, body: { recipient: { name: 'Lina' } } })
  await ok('POST', `/v1/parcels/${made.id}/submit`, { as: key })
  await until(() => toldOf(made.id).length === 3)
  expect(toldOf(made.id)[2].data).toMatchObject({ fromStatus: 'created', toStatus: 'submitted', sequence: 3 })
})

test('a disabled connection is reported the same way', async () => {
  const made = await create({ carrierAccountId: tortoise })
  await ok('POST', `/v1/stores/${storeId}/integrations/tortoise/enable`, { as, body: { enabled: false } })
  const answer = await call('POST', `/v1/parcels/${made.id}/submit`, { as: key })
  await ok('POST', `/v1/stores/${storeId}/integrations/tortoise/enable`, { as, body: { enabled: true } })
  expect(answer.body.error.code).toBe('carrier_not_enabled')
  expect((await eventsOf(made.id)).at(-1)).toMatchObject({ type: 'submission_failed', payload: { code: 'carrier_not_enabled' } })
})

test('each event has its own number, a second failed attempt is announced, and a deleted parcel is shown', async () => {
  const made = await create({ carrierAccountId: sandbox, submit: true })
  const at = (minutes: number) => new Date(Date.now() + minutes * 1_000)
  await callback(made.trackingId, 'delivery failed', at(1))
  const second = at(2)
  await callback(made.trackingId, 'delivery failed', second)
  await callback(made.trackingId, 'delivery failed', second)
  await callback(made.trackingId, 'delivered', at(3))
  await until(() => toldOf(made.id).length === 6)
  expect(toldOf(made.id).map(({ type, data }) => [data.sequence, type, data.fromStatus, data.toStatus])).toEqual([
    [1, 'parcel.created', undefined, undefined],
    [2, 'parcel.status_changed', 'created', 'submitted'],
    [3, 'parcel.status_changed', 'submitted', 'delivery_failed'],
    [4, 'parcel.status_changed', 'delivery_failed', 'delivery_failed'],
    [5, 'parcel.status_changed', 'delivery_failed', 'delivered'],
    [6, 'parcel.delivered', 'delivery_failed', 'delivered'],
  ])
  expect((await read(made.id)).deliveryAttempts).toBe(2)
  const spare = await create({})
  expect((await call('DELETE', `/v1/parcels/${spare.id}`, { as: key })).status).toBe(204)
  await until(() => toldOf(spare.id).length === 2)
  expect(toldOf(spare.id)[1]).toMatchObject({ type: 'parcel.deleted', data: { parcel: spare, sequence: 2 } })
})

const completed = (batchId: string) =>
  untilValue(
    async () => (await ok('GET', `/v1/parcels/batches/${batchId}`, { as: key })).data,
    ({ status }) => status === 'completed',
  )

test('a long batch is worked through while its first parcels are sent: neither waits for the other', async () => {
  const rows = Array.from({ length: 300 }, () => row('Lina'))
  const { data } = await ok('POST', '/v1/parcels/batches', { as: key, body: { carrierAccountId: sandbox, submit: true, parcels: rows } })
  const left = async () =>
    (await context.sql`select 1 from parcel_batch_rows where batch_id = ${data.id} and status not in ('submitted', 'failed')`).length
  await untilValue(left, (count) => count === 0, 25_000)
}, 120_000)

test('a batch is complete when it is known what became of each submission, and says so row by row', async () => {
  const lost = row('TIMEOUT Lina', { carrierAccountId: sandbox })
  const body = {
    carrierAccountId: sandbox,
    submit: true,
    parcels: [
      row('Lina', { destination: desk }),
      row('FAIL Lina'),
      row('Lina', { recipient: { name: 'B', phone: '123' } }),
      row('A', { submit: false }),
      lost,
    ],
  }
  const { data } = await ok('POST', '/v1/parcels/batches', { as: key, body })
  expect([data.status, data.total, data.results]).toEqual(['processing', 5, []])
  const batch = await completed(data.id)
  expect(
    batch.results.map(({ status, error }: { status: string; error: { code: string } | null }) => [status, error?.code ?? null]),
  ).toEqual([
    ['submitted', null],
    ['failed', expect.any(String)],
    ['failed', 'invalid_phone'],
    ['created', null],
    ['submitted', null],
  ])
  expect(batch).toMatchObject({ status: 'completed', succeeded: 3, failed: 2, unknown: 0 })
  await until(() => mailbox.all.some(({ event }) => event.type === 'batch.completed' && event.data.batch.id === data.id))
  const told = mailbox.all.find(({ event }) => event.type === 'batch.completed' && event.data.batch.id === data.id)!.event.data.batch
  expect(told).toEqual(batch)
}, 120_000)

test('two batches of a project, and one that a dead process left behind, are worked to their end', async () => {
  const bulk = () => ok('POST', '/v1/parcels/batches', { as: key, body: { parcels: Array.from({ length: 45 }, () => row('Lina')) } })
  const batches = await Promise.all([bulk(), bulk()])
  for (const { data } of batches) expect(await completed(data.id)).toMatchObject({ status: 'completed', succeeded: 45 })
  const { data } = await bulk()
  await context.sql`delete from graphile_worker._private_jobs where key = ${`batches:${projectId}`} and locked_at is null`
  await context.sql`select graphile_worker.add_job('parcels.sweep')`
  expect(await completed(data.id)).toMatchObject({ status: 'completed', succeeded: 45 })
})

test('a sending that takes longer than ten seconds answers 202 with the parcel as it is, and its first answer stays', async () => {
  const made = await create({ carrierAccountId: tortoise }, 'SLOWER Lina')
  const orderId = await order(home, 'SLOWER Lina')
  const body = row('SLOWER Lina', { carrierAccountId: tortoise, submit: true })
  const creation = { as: key, body, headers: { 'idempotency-key': 'slow-once' } }
  const [submitted, sent, created, meanwhile] = await Promise.all([
    call('POST', `/v1/parcels/${made.id}/submit`, { as: key }),
    call('POST', `/v1/stores/${storeId}/orders/${orderId}/carriers/tortoise/send`, { as, body: {} }),
    call('POST', '/v1/parcels', creation),
    Bun.sleep(500).then(() => call('POST', '/v1/parcels', creation)),
  ])
  expect([submitted.status, submitted.body.data.status]).toEqual([202, 'submitting'])
  expect([sent.status, sent.body.data.parcel.status]).toEqual([202, 'submitting'])
  expect([created.status, created.body.data.status]).toEqual([201, 'submitting'])
  expect(meanwhile.body.error.code).toBe('idempotency_in_progress')
  await until(async () => (await read(created.body.data.id)).status === 'submitted')
  expect((await call('POST', '/v1/parcels', creation)).body).toEqual(created.body)
}, 120_000)

test('an answer that was lost with its process is given once to the next request that asks', async () => {
  const creation = {
    as: key,
    body: row('Lina', { carrierAccountId: sandbox, submit: true }),
    headers: { 'idempotency-key': 'died-over' },
  }
  const first = await call('POST', '/v1/parcels', creation)
  const owed = context.vault.seal(JSON.stringify({ data: { ...first.body.data, status: 'created' } }), projectId)
  await context.sql`update idempotency_keys set body = ${owed}, settles_until = now() - interval '1 second' where key = 'died-over'`
  const again = await Promise.all([call('POST', '/v1/parcels', creation), call('POST', '/v1/parcels', creation)])
  const given = again.filter(({ status }) => status === 201)
  expect(given.map(({ body }) => body)).toEqual(given.map(() => first.body))
  expect((await call('POST', '/v1/parcels', creation)).body).toEqual(first.body)
})
