import { afterAll, describe, expect, test } from 'bun:test'
import { unavailableSlot } from '../../../core/data/shared/rate-limiter.ts'
import { type CarrierOperationName, carrierOperations } from '../../../plugins/carrier/operations.ts'
import { canServeOperation } from '../../../plugins/kind.ts'
import { startApp } from '../../support/app.ts'
import { platforms } from '../../support/platforms.ts'
import { untilValue } from '../../support/until.ts'

/** Every platform's first carrier, connected to a store of a real server, with its simulator in its hosts' place. */
const subjects = (await platforms()).map(({ carriers: [carrier], rigOf }) => ({ carrier: carrier!, rig: rigOf(carrier!) }))
const app = await startApp({
  publicUrl: 'https://shop.example',
  simulators: Object.assign({}, ...subjects.map(({ rig }) => rig.origins ?? {})),
})
afterAll(() => Promise.all(subjects.map(({ rig }) => rig.close?.())))
const { call, ok, shop, person } = app
// The quotas are tested where time is not real; here nobody waits for them.
app.context.shared.rateLimiter.acquire = async () => unavailableSlot(0)
app.context.shared.rateLimiter.peek = async () => 0
await person('The administrator')
const { storeId, owner, key } = await shop()
const as = owner.token
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 2500 } })

async function orderOf(change: object = {}) {
  const { data } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Lina Belkacem', phone: '0550123456' },
      items: [{ productId: product.id, quantity: 1 }],
      destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' },
      ...change,
    },
  })
  return data as { id: string }
}

const asked = new Set<CarrierOperationName>()

describe.each(subjects.map((subject) => [subject.carrier.slug, subject] as const))('%s in a store', (slug, { carrier, rig }) => {
  const base = `/v1/stores/${storeId}/integrations/${slug}`
  const offers = (name: CarrierOperationName) => canServeOperation(carrier, carrierOperations[name])
  const can = (name: CarrierOperationName) => offers(name) && Boolean(asked.add(name))
  const get = async (path: string) => (await ok('GET', `${base}/${path}`, { as })).data
  const post = async (path: string, body?: object) => (await ok('POST', `${base}/${path}`, { as, ...(body && { body }) })).data
  let sent: { id: string; trackingId: string }

  test('is connected, and its credentials work', async () => {
    const { data } = await ok('PUT', base, { as, body: { enabled: true, credentials: rig.credentials, settings: rig.settings } })
    expect(data).toMatchObject({ key: slug, status: 'connected' })
    asked.add('testConnection')
    expect(await post('testConnection')).toMatchObject({ ok: true })
    expect((await get('ping')).ok).toBe(true)
    expect((await post('ping', {})).ok).toBe(true)
    asked.add('ping')
  })

  test('sends an order, and a second one in bulk', async () => {
    const order = await orderOf()
    const { parcel } = await post('send', { orderId: order.id })
    expect(parcel).toMatchObject({ status: 'submitted', courierId: slug, outcomeUnknown: false })
    sent = parcel
    const rows = await post('sendMany', { orders: [{ orderId: (await orderOf()).id }, { orderId: (await orderOf()).id }] })
    expect(rows.map((row: { parcel: { status: string } }) => row.parcel.status)).toEqual(['submitted', 'submitted'])
    for (const name of ['send', 'sendMany'] as const) asked.add(name)
  })

  test('tells where it delivers and what it costs', async () => {
    if (can('states')) {
      expect((await get('states?limit=100')).length).toBeGreaterThan(20)
      expect(await get('wilayas')).toEqual(await get('states'))
      expect(await get('geo')).toEqual(await get('states'))
      asked.add('geography')
    }
    if (can('cities')) {
      const oran = (await get('states?limit=100')).find((state: { code?: string }) => state.code === '31')
      expect((await get(`communes?stateId=${oran.id}`)).length).toBeGreaterThan(0)
      const matches = (await get('geo/matches')) as { stateCode: string }[]
      const leftovers = (await get('geo/leftovers')) as { of: string }[]
      expect(matches.filter(({ stateCode }) => /^\d\d$/.test(stateCode)).length).toBeGreaterThan(0)
      expect(leftovers.every(({ of }) => of === 'carrier' || of === 'catalogue')).toBe(true)
    }
    if (can('centers')) expect((await get('centers')).length).toBeGreaterThan(0)
    if (can('fees')) expect((await get('fees?stateCode=31')).length).toBeGreaterThan(0)
    if (can('rates')) expect((await get('rates?stateCode=31&cityName=Oran&deliveryType=home'))[0].price).toBeGreaterThan(0)
    if (can('serviceFees')) expect(Array.isArray(await get('service-fees'))).toBe(true)
    if (can('stockProducts')) expect(Array.isArray(await get('stock/products'))).toBe(true)
    asked.add('resolve')
    expect(await post('resolve', { state: 'Wahran', city: 'oran' })).toMatchObject({ stateCode: '31', cityName: 'Oran' })
  })

  test('prints labels: one, several on one sheet, and by address', async () => {
    const one = await call('GET', `${base}/parcels/${sent.trackingId}/label`, { as })
    expect([200, 302]).toContain(one.status)
    if (one.status === 200) expect(String(one.body)).toStartWith('%PDF')
    const [label] = await post('labels', { trackings: [sent.trackingId] })
    expect(label.base64 ?? label.url).toBeString()
    const single = await post('labelIndividual', { tracking: sent.trackingId })
    expect(single.url ?? single.contentType).toMatch(/^https:|^application\/pdf/)
    for (const name of ['label', 'labels', 'labelIndividual'] as const) asked.add(name)
  })

  test('follows the parcel to its end, each step once', async () => {
    if (can('track')) expect((await get(`parcels/${sent.trackingId}`)).trackingId).toBe(sent.trackingId)
    if (can('list')) {
      expect((await get('list?limit=2&since=2026-01-01')).length).toBeGreaterThan(0)
      expect((await call('GET', `${base}/list?since=yesterday`, { as })).status).toBe(400)
    }
    const desk = rig.open()
    await rig.advance(desk, sent.trackingId, rig.raw.delivered)
    if (rig.origins) {
      asked.add('sync')
      await post('sync')
      await untilValue(
        () => get('sync/status'),
        ({ status }) => status === 'done',
      )
      asked.add('syncStatus')
    } else {
      // Its callback is what moves it.
      const request = await rig.callback!([
        { trackingId: sent.trackingId, carrierStatus: rig.raw.delivered, at: new Date().toISOString(), eventId: 'e1' },
      ])
      expect((await call('POST', `${base}/webhook`, { raw: request.body, headers: { ...request.headers } })).status).toBe(200)
    }
    const { data } = await ok('GET', `/v1/parcels/${sent.id}`, { as: key })
    expect(data).toMatchObject({ status: 'delivered', deliveredAt: expect.any(String) })
    expect(await get('statistics')).toMatchObject({ delivered: 1, total: 3, cash: { collected: 2500, currency: 'DZD' } })
    expect((await get('finance')).due).toBe(2500)
    const [line] = await get('encaissements/preview')
    expect(line).toMatchObject({ trackingId: sent.trackingId, amount: 2500 })
    expect(Array.isArray(await get('encaissements/batches'))).toBe(true)
    for (const name of ['statistics', 'finance', 'cashPreview', 'cashBatches'] as const) asked.add(name)
  })

  test('believes its own callbacks, and nobody else’s', async () => {
    if (!carrier.webhook || !rig.callback) return
    const { parcel } = await post('send', { orderId: (await orderOf()).id })
    const at = new Date().toISOString()
    await rig.advance(rig.open(), parcel.trackingId, rig.raw.moving, at)
    const request = await rig.callback([
      { trackingId: parcel.trackingId, carrierStatus: rig.raw.moving, at, eventId: `e-${parcel.trackingId}` },
    ])
    const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
    const tell = (address: string, body: Uint8Array) =>
      call('POST', `${base}/webhook${address}`, { raw: body, headers: { ...request.headers } })
    const forged = carrier.webhook.unsigned ? await tell('?token=nobody', request.body) : await tell(query, new TextEncoder().encode('{}'))
    expect([forged.status, forged.body.error.code]).toEqual([401, 'invalid_signature'])
    expect((await tell(query, request.body)).body).toEqual({ data: { received: 1, applied: 1 } })
    const { data } = await ok('GET', `/v1/parcels/${parcel.id}/events?limit=50`, { as: key })
    expect(data.map(({ source }: { source: string }) => source)).toContain(`webhook:${slug}`)
    // Again: nothing new.
    expect((await tell(query, request.body)).body.data.applied).toBe(0)
  })

  test('is told where to call, where it calls at all', async () => {
    if (!can('webhookUrl')) return
    const { url } = await get('webhookUrl')
    expect(url).toContain(`${base}/webhook`)
    expect(new URL(url).searchParams.has('token')).toBe(carrier.webhook!.unsigned !== undefined)
    expect((await call('POST', `${base}/webhook`, { raw: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(401)
    if (!can('setupWebhook')) return
    // A secret that somebody typed in is named when another takes its place.
    const typed = Object.keys(carrier.credentials).filter((name) => /^(webhook|callback)/.test(name))
    await ok('PATCH', base, { as, body: { credentials: Object.fromEntries(typed.map((name) => [name, 'typed in by a person'])) } })
    const set = await post('setupWebhook')
    expect(set.url).toContain('/webhook')
    expect(typed).toEqual(expect.arrayContaining(set.replaced))
    if (carrier.slug === 'zrexpress') expect(set.replaced).toEqual(typed)
  })

  test('no secret is in the trace', async () => {
    const { data } = await untilValue(
      () => ok('GET', `/v1/parcels/${sent.id}/trace`, { as: key }),
      ({ data }) => data.some(({ operation }: { operation: string }) => operation === 'send'),
    )
    const secrets = Object.entries(carrier.credentials).flatMap(([name, { secret }]) =>
      secret && rig.credentials[name] ? [String(rig.credentials[name])] : [],
    )
    for (const secret of secrets) expect(JSON.stringify(data)).not.toContain(secret)
  })

  test('gives back what it can, and refuses the rest in words', async () => {
    const { parcel } = await post('send', { orderId: (await orderOf()).id })
    if (can('validate')) expect((await call('POST', `${base}/orders/${parcel.trackingId}/validate`, { as })).status).toBeOneOf([200, 422])
    const gone = await call('DELETE', `${base}/orders/${parcel.trackingId}`, { as })
    if (can('remove')) expect(gone.status).toBeOneOf([200, 409, 422])
    else expect(gone.status).toBe(404)
    if (!offers('deleteMany')) return
    for (const name of ['deleteMany', 'removeMany'] as const) asked.add(name)
    const [row] = await post('orders/deleteMany', { trackings: [sent.trackingId] })
    expect(row).toMatchObject({ trackingId: sent.trackingId, deleted: false, message: expect.any(String) })
    expect((await ok('DELETE', `${base}/orders?trackings=${sent.trackingId}`, { as })).data.length).toBe(1)
  })
})

test('every segment that a carrier may have was served by one of them', () => {
  const elsewhere: CarrierOperationName[] = ['enable', 'scoring', 'syncOrders', 'createToken', 'createApiKey']
  const missing = (Object.keys(carrierOperations) as CarrierOperationName[]).filter((name) => !asked.has(name) && !elsewhere.includes(name))
  expect(missing.filter((name) => !/^cash|syncCash/.test(name))).toEqual([])
})
