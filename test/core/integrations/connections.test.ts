import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { deleteOrphanedConnections } from '../../../core/integrations/connections/delete-orphaned.ts'
import { startYalidine } from '../../adapters/carrier/yalidine/simulator.ts'
import { startApp } from '../../support/app.ts'
import { allOf } from '../../support/pages.ts'
import { untilValue } from '../../support/until.ts'

const simulator = await startYalidine({})
afterAll(() => simulator.stop())
const { call, ok, shop, person, context } = await startApp({ simulators: { 'api.yalidine.app': simulator.url } }, { socket: true })
await person('The administrator')
const { storeId, owner, key } = await shop()
const base = `/v1/stores/${storeId}/integrations`
const connection = { enabled: true, credentials: { ...simulator.credentials }, settings: { fromStateCode: '16' } }
const { data: connected } = await ok('PUT', `${base}/yalidine`, { as: owner.token, body: connection })

test('secrets are masked in every answer, and a mask sent back keeps what it masks', async () => {
  expect(connected).toMatchObject({ key: 'yalidine', kind: 'carrier', enabled: true, status: 'connected' })
  const read = await ok('GET', `${base}/yalidine`, { as: owner.token })
  expect(read.data.credentials.apiToken).toStartWith('••••')
  expect(JSON.stringify(read)).not.toContain(simulator.credentials.apiToken)
  const { credentials } = read.data
  const again = await ok('PUT', `${base}/yalidine`, { as: owner.token, body: { ...connection, credentials } })
  expect(again.data).toMatchObject({ id: connected.id, status: 'connected' })
})

test('fields that the adapter does not know, lacks or cannot take are refused by name', async () => {
  const { status, body } = await call('PUT', `${base}/yalidine`, {
    as: owner.token,
    body: { enabled: true, credentials: { apiId: '1', apiTokn: 'x' }, settings: { fromStateCode: '99', insured: true } },
  })
  expect([status, body.error.code]).toEqual([422, 'invalid_integration_fields'])
  expect(body.error.details.map((detail: { path: string }) => detail.path).sort()).toEqual([
    '/body/credentials/apiToken',
    '/body/credentials/apiTokn',
    '/body/settings/fromStateCode',
    '/body/settings/insured',
  ])
  expect((await call('PUT', `${base}/nobody`, { as: owner.token, body: connection })).status).toBe(404)
})

test('connections: wrong credentials are reported when they are saved', async () => {
  const other = await shop()
  const { data } = await ok('PUT', `/v1/stores/${other.storeId}/integrations/yalidine`, {
    as: other.owner.token,
    body: { ...connection, credentials: { apiId: 'no', apiToken: 'nobody' } },
  })
  expect(data).toMatchObject({ status: 'failed', statusMessage: expect.any(String) })
  const tested = await ok('POST', `/v1/stores/${other.storeId}/integrations/yalidine/testConnection`, { as: other.owner.token })
  expect(tested.data.ok).toBe(false)
})

test('connections: an adapter for several companies is listed once for each company', async () => {
  const { data } = await ok('GET', '/v1/adapters', { as: owner.token })
  const slugs = data.map((adapter: { key: string }) => adapter.key)
  for (const slug of ['sandbox', 'yalidine', 'yalitec', 'guepex', 'economiqua', 'easyandspeed', 'wecan']) expect(slugs).toContain(slug)
  const yalitec = data.find((adapter: { key: string }) => adapter.key === 'yalitec')
  expect(yalitec.hosts).toContain('api.yalitec.me')
  expect(yalitec.credentials.find((field: { name: string }) => field.name === 'apiToken')).toMatchObject({ secret: true, required: true })
})

test("the carrier's segments speak our words", async () => {
  const get = async (path: string) => (await ok('GET', `${base}/yalidine/${path}`, { as: owner.token })).data
  expect(await get('wilayas')).toHaveLength(20)
  const states = await allOf({ ok }, `${base}/yalidine/wilayas`, owner.token)
  expect(states).toHaveLength(58)
  expect(await allOf({ ok }, `${base}/yalidine/geo`, owner.token)).toEqual(states)
  expect(await get('states?limit=100')).toEqual(states)
  expect((await get('communes?stateId=16')).length).toBeGreaterThan(10)
  expect((await get('geo/centers')).length).toBeGreaterThan(0)
  expect((await get('fees?stateCode=31'))[0]).toMatchObject({ stateCode: '31', home: expect.any(Number) })
  expect(await get('webhookUrl')).toEqual({ url: expect.stringContaining(`${base}/yalidine/webhook`) })
  expect(await get('ping')).toMatchObject({ ok: true })
  const { data } = await ok('POST', `${base}/yalidine/resolve`, { as: owner.token, body: { state: 'wahran', city: 'وهران' } })
  expect(data).toMatchObject({
    stateCode: '31',
    cityCode: '3101',
    cityName: 'Oran',
    place: { stateId: '31', stateName: 'Oran', cityId: expect.any(String), cityName: 'Oran' },
    deliverable: { home: true },
  })
})

test('an order goes through the platform, its proof of ownership, its signed callbacks and its money', async () => {
  const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 4500, initialStock: 5 } })
  const { data: order } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Amina Saadi', phone: '0550123456' },
      items: [{ productId: product.id, quantity: 1 }],
      destination: { country: 'DZ', stateCode: 'وهران', cityName: 'arzeu', address: 'Rue 1', deliveryType: 'home' },
    },
  })
  const { data: sent } = await ok('POST', `${base}/yalidine/send`, { as: owner.token, body: { orderId: order.id } })
  const { trackingId } = sent.parcel
  expect(simulator.parcels(order.reference)[0]).toMatchObject({
    tracking: trackingId,
    fields: { to_commune_name: 'Arzew', price: 4500, contact_phone: '0550123456' },
  })

  const { data: hook } = await ok('GET', `${base}/yalidine/webhookUrl`, { as: owner.token })
  expect(await simulator.crc(hook.url)).toBe(true)
  const play = async (status: string) => {
    simulator.advance(trackingId, status)
    return simulator.deliver(hook.url, simulator.callback('parcel_status_updated', [trackingId]))
  }
  await play('Sorti en livraison')
  await play('Livré')
  simulator.pay(trackingId, 'payed', 'pmt-1')
  await simulator.deliver(hook.url, simulator.callback('parcel_payment_updated', [trackingId]))
  expect((await ok('GET', `/v1/orders/${order.id}`, { as: key })).data.status).toBe('delivered')
  const { data: parcel } = await ok('GET', `/v1/parcels/${sent.parcel.id}`, { as: key })
  expect(parcel).toMatchObject({ status: 'delivered', cashStatus: 'paid_out' })
  const { data: events } = await ok('GET', `/v1/parcels/${parcel.id}/events`, { as: key })
  expect(events.at(-1)).toMatchObject({
    source: 'webhook:yalidine',
    fromStatus: 'out_for_delivery',
    toStatus: 'delivered',
    payload: { carrierStatus: 'Livré' },
  })
  expect((await ok('GET', `${base}/yalidine/finance`, { as: owner.token })).data).toMatchObject({ paidOut: 4500, due: 0 })

  const forged = await call('POST', `${base}/yalidine/webhook`, {
    raw: '{"type":"parcel_status_updated","events":[]}',
    headers: { 'x-yalidine-signature': createHmac('sha256', 'wrong').update('x').digest('hex') },
  })
  expect([forged.status, forged.body.error.code]).toEqual([401, 'invalid_signature'])
})

test('news that no callback brought is fetched by a synchronisation', async () => {
  const { data: parcel } = await ok('POST', '/v1/parcels', {
    as: key,
    body: {
      submit: true,
      carrierAccountId: connected.id,
      recipient: { name: 'Lina K', phone: '0660112233' },
      codAmount: 900,
      destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' },
    },
  })
  simulator.advance(parcel.trackingId, 'Expédié')
  const answer = await call('POST', `${base}/yalidine/sync`, { as: owner.token })
  expect(answer.status).toBe(202)
  const read = async () => (await ok('GET', `${base}/yalidine/sync/status`, { as: owner.token })).data
  // The tests before may have used the polls' share of the minute: the synchronisation then goes on in the next one.
  const state = await untilValue(read, ({ status }) => status === 'done' || status === 'failed', 100_000)
  expect(state).toMatchObject({ status: 'done', parcels: expect.any(Number), changed: 1 })
  const { data: events } = await ok('GET', `/v1/parcels/${parcel.id}/events`, { as: key })
  expect(events.at(-1)).toMatchObject({ source: 'poller', toStatus: 'in_transit' })
}, 120_000)

test('a carrier that reports a parcel we thought it had not taken has it', async () => {
  const { data: parcel } = await ok('POST', '/v1/parcels', {
    as: key,
    body: {
      submit: true,
      carrierAccountId: connected.id,
      recipient: { name: 'Sofia B', phone: '0660112244' },
      codAmount: 700,
      destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: 'x', deliveryType: 'home' },
    },
  })
  await context.sql`update parcels set status = 'created', tracking_id = null where id = ${parcel.id}`
  const { data: hook } = await ok('GET', `${base}/yalidine/webhookUrl`, { as: owner.token })
  await simulator.deliver(hook.url, simulator.callback('parcel_created', [parcel.trackingId]))
  expect((await ok('GET', `/v1/parcels/${parcel.id}`, { as: key })).data).toMatchObject({
    status: 'submitted',
    trackingId: parcel.trackingId,
  })
})

test('connections: an unknown status of a carrier moves no parcel and is counted', async () => {
  const { data } = await ok('GET', '/v1/parcels?status=in_transit', { as: key })
  simulator.advance(data[0].trackingId, 'Statut que personne ne connaît')
  const { data: hook } = await ok('GET', `${base}/yalidine/webhookUrl`, { as: owner.token })
  await simulator.deliver(hook.url, simulator.callback('parcel_status_updated', [data[0].trackingId]))
  expect((await ok('GET', `/v1/parcels/${data[0].id}`, { as: key })).data.status).toBe('in_transit')
  expect([...(await context.sql`select raw, count from unknown_statuses`)]).toEqual([{ raw: 'Statut que personne ne connaît', count: 1 }])
})

test('a connection with parcels on their way is switched off, not deleted', async () => {
  const refused = await call('DELETE', `${base}/yalidine`, { as: owner.token })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
  await ok('POST', `${base}/yalidine/enable`, { as: owner.token, body: { enabled: false } })
  expect((await call('GET', `${base}/yalidine/wilayas`, { as: owner.token })).body.error.code).toBe('carrier_not_enabled')
  const fresh = await shop()
  await ok('PUT', `/v1/stores/${fresh.storeId}/integrations/sandbox`, {
    as: fresh.owner.token,
    body: { enabled: true, credentials: { webhookSecret: 'x' } },
  })
  expect((await call('DELETE', `/v1/stores/${fresh.storeId}/integrations/sandbox`, { as: fresh.owner.token })).status).toBe(204)
  expect((await call('GET', `/v1/stores/${fresh.storeId}/integrations/sandbox`, { as: fresh.owner.token })).status).toBe(404)
})

test('a viewer reads, and cannot connect or send; a stranger sees nothing', async () => {
  const viewer = await person('Viewer')
  const stranger = await person('Stranger')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: viewer.email, role: 'viewer' } })
  expect((await call('GET', base, { as: viewer.token })).status).toBe(200)
  expect(
    (await call('PUT', `${base}/sandbox`, { as: viewer.token, body: { enabled: true, credentials: { webhookSecret: 'x' } } })).status,
  ).toBe(403)
  expect((await call('POST', `${base}/yalidine/send`, { as: viewer.token, body: { orderId: 'ord_x' } })).status).toBe(403)
  expect((await call('GET', base, { as: stranger.token })).status).toBe(404)
  expect((await call('GET', `${base}/yalidine/wilayas`, { as: stranger.token })).status).toBe(404)
})

test("connections: a deleted store's connections are erased a day later", async () => {
  const { storeId: leaving, owner: its } = await shop()
  const path = `/v1/stores/${leaving}/integrations/yalidine`
  const { data } = await ok('PUT', path, { as: its.token, body: connection })
  await ok('DELETE', `/v1/stores/${leaving}`, { as: its.token })
  const kept = async () => (await context.sql`select credentials <> '' as kept from integrations where id = ${data.id}`)[0]?.kept
  const { signal } = new AbortController()
  await deleteOrphanedConnections(context, {}, signal)
  expect(await kept()).toBe(true)
  await context.sql`update stores set deleted_at = now() - interval '25 hours' where id = ${leaving}`
  await deleteOrphanedConnections(context, {}, signal)
  expect(await kept()).toBe(false)
  expect((await ok('GET', `${base}/yalidine`, { as: owner.token })).data.credentials.apiToken).toStartWith('••••')
})
