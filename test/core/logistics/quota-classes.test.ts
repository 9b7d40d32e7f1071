import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { platforms } from '../../support/platforms.ts'

/** Carriers that count calls by the minute, with the windows that they really have. */
const SLUGS = ['yalidine', 'ecotrack', 'maystro']
const subjects = (await platforms()).flatMap(({ carriers: [carrier], rigOf, folder: name }) =>
  carrier && SLUGS.includes(name) ? [{ name, carrier, rig: rigOf(carrier) }] : [],
)
const app = await startApp({
  publicUrl: 'https://shop.example',
  simulators: Object.assign({}, ...subjects.map(({ rig }) => rig.origins ?? {})),
})
afterAll(() => Promise.all(subjects.map(({ rig }) => rig.close?.())))
const { call, ok, shop } = app

describe.each(subjects.map((subject) => [subject.name, subject] as const))('a new account of %s', (_, { carrier, rig }) => {
  test('can be tested, asked and sent with while screens read all that they can', async () => {
    const { storeId, owner, key } = await shop()
    const as = owner.token
    const base = `/v1/stores/${storeId}/integrations/${carrier.slug}`
    const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 2500 } })
    await ok('PUT', base, { as, body: { enabled: true, credentials: rig.credentials, settings: rig.settings } })
    // Two rounds of all that a screen may ask for, more than a window has room for.
    const screens = Array.from({ length: 24 }, (_, at) => `cities?stateId=${at + 1}`)
    const reads = ['fees', 'centers', 'states', 'cities', ...screens, 'service-fees', 'fees', 'centers', 'cities']
    const answers = await Promise.all(reads.map((path) => call('GET', `${base}/${path}`, { as })))
    for (const [at, { status, headers, body }] of answers.entries()) {
      if (status >= 500) console.log(reads[at], JSON.stringify(body))
      expect([200, 404, 422, 429]).toContain(status)
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const tested = await call('POST', `${base}/testConnection`, { as })
    expect(tested.body).toMatchObject({ data: { ok: true } })
    const resolved = await call('POST', `${base}/resolve`, { as, body: { state: 'Oran', city: 'Oran' } })
    expect([resolved.status, resolved.body.data?.stateCode]).toEqual([200, '31'])
    const { data: order } = await ok('POST', '/v1/orders', {
      as: key,
      body: {
        storeId,
        customer: { name: 'Lina Belkacem', phone: '0550123456' },
        items: [{ productId: product.id, quantity: 1 }],
        destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' },
      },
    })
    const sent = await call('POST', `${base}/send`, { as, body: { orderId: order.id } })
    expect([sent.status, sent.body.data?.parcel?.status]).toEqual([200, 'submitted'])
    expect(await ok('POST', `${base}/testConnection`, { as })).toMatchObject({ data: { ok: true } })
  }, 120_000)
})
