import { afterAll, expect, test } from 'bun:test'
import zrexpress from '../../../adapters/carrier/zrexpress/index.ts'
import { unavailableSlot } from '../../../core/data/shared/rate-limiter.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { callbackToken, carrier as maystro, rig as maystroRig } from './maystro/rig.ts'
import { rig as zrRig } from './zrexpress/rig.ts'

/** What a real server makes of what single carriers do: answers that were lost, labels as one file. */
const [atMaystro, atZr] = [maystroRig(maystro), zrRig(zrexpress as Carrier)]
const app = await startApp({ publicUrl: 'https://shop.example', simulators: { ...atMaystro.origins, ...atZr.origins } })
afterAll(() => Promise.all([atMaystro.close?.(), atZr.close?.()]))
const { ok, shop, person } = app
// The quotas are tested where time is not real; here nobody waits for them.
Object.assign(app.context.shared.rateLimiter, { acquire: async () => unavailableSlot(0), peek: async () => 0 })
await person('The administrator')
const { storeId, owner, key } = await shop()
const as = owner.token
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 2500 } })
const base = (slug: string) => `/v1/stores/${storeId}/integrations/${slug}`

for (const [slug, { credentials, settings }] of [
  ['maystro', atMaystro],
  ['zrexpress', atZr],
] as const)
  await ok('PUT', base(slug), { as, body: { enabled: true, credentials, settings } })

async function send(slug: string) {
  const { data: order } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Lina Belkacem', phone: '0550123456' },
      items: [{ productId: product.id, quantity: 1 }],
      destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' },
    },
  })
  const { data } = await ok('POST', `${base(slug)}/send`, { as, body: { orderId: order.id } })
  return data.parcel as { id: string; reference: string }
}
const settled = async (id: string) => {
  await until(async () => (await parcel(id)).status === 'submitted')
  return parcel(id)
}
const parcel = async (id: string) => (await ok('GET', `/v1/parcels/${id}`, { as: key })).data

test("carriers without signatures: a callback resolves an unknown outcome only after the carrier's API shows the reference", async () => {
  const { simulator } = atMaystro
  Object.assign(simulator.faults, { loseAnswer: 1 })
  const { id, reference } = await send('maystro')
  simulator.calm()
  expect(await parcel(id)).toMatchObject({ status: 'submitting', outcomeUnknown: true })
  const [order] = simulator.orders(reference)
  const tell = (raw: string) => ok('POST', `${base('maystro')}/webhook?token=${callbackToken}`, { raw })
  // Another order that is said to be ours is not believed.
  const { trackingId: stranger } = await maystro.send(atMaystro.open().context, atMaystro.shipment())
  await tell(JSON.stringify({ message: { data: btoa(JSON.stringify({ id: stranger, external_order_id: reference, status: 41 })) } }))
  expect(await parcel(id)).toMatchObject({ status: 'submitting', trackingId: null })
  await tell(simulator.callback({ id: order!.id, status: 4 }))
  expect(await parcel(id)).toMatchObject({ status: 'submitted', trackingId: order!.id, outcomeUnknown: false })
  expect(simulator.orders(reference).length).toBe(1)
})

test('a customer who could not be made leaves nobody in doubt about the parcel: it is sent as soon as that can be', async () => {
  const { simulator } = atZr
  Object.assign(simulator.faults, { on: '^POST /api/v1/customers/', error500: 1 })
  const { id, reference } = await send('zrexpress')
  expect((await parcel(id)).outcomeUnknown).toBe(false)
  simulator.calm()
  expect(await settled(id)).toMatchObject({ status: 'submitted', outcomeUnknown: false })
  expect((await atZr.parcelsOf(atZr.open(), reference)).length).toBe(1)
})

test('several labels are the one file of a carrier that binds them, unless each is asked for alone', async () => {
  const trackings: string[] = []
  for (let count = 0; count < 2; count++) trackings.push((await settled((await send('zrexpress')).id)).trackingId)
  const labels = async (body: object) => (await ok('POST', `${base('zrexpress')}/labels`, { as, body: { trackings, ...body } })).data
  expect(await labels({})).toMatchObject([{ trackingIds: trackings, contentType: 'application/pdf', url: expect.any(String) }])
  expect(await labels({ merge: false })).toMatchObject(trackings.map((trackingId) => ({ trackingId, url: expect.any(String) })))
  // On a host that is reached, their files come at once and become one.
  atZr.simulator.quirks.fileHost = zrexpress.net[0]!
  expect(await labels({})).toMatchObject([{ trackingIds: trackings, base64: expect.any(String) }])
})
