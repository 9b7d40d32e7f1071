import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startApp } from '../../support/app.ts'
import { findDifferences, findDrift } from '../../support/checks.ts'

const { ok, shop, context } = await startApp()
const { sql } = context

const SECRET = 'a secret'
const on = await shop()
const { key: as, storeId } = on
const store = `/v1/stores/${storeId}`
const body = { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} }
await ok('PUT', `${store}/integrations/sandbox`, { as: on.owner.token, body })
const made = async (product: object) =>
  (await ok('POST', '/v1/products', { as, body: { storeId, initialStock: 100_000, ...product } })).data
/** Twenty-one products, seven pieces of each, whose price divides by nothing: two lines of almost each. */
const parts = await Promise.all(Array.from({ length: 20 }, (_, at) => made({ name: `Part ${at}`, price: 101.01 + at, weightKg: 0.05 })))
const items = parts.map(({ id }) => ({ productId: id, quantity: 7 }))
const set = await made({ name: 'Set', price: 99.99, bundles: [{ name: 'All', price: 777.77, quantity: 7, items }] })
const asMany = (count: number) => Array.from({ length: count }, () => ({ productId: set.id, offerId: set.bundles[0].id, quantity: 1 }))
const MOST = 200

const place = async () =>
  (
    await ok('POST', '/v1/orders', {
      as,
      body: {
        storeId,
        customer: { name: 'Lina', phone: '+213560000001' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'x', deliveryType: 'home' },
        items: asMany(MOST),
      },
    })
  ).data
const heldOf = async () => (await ok('GET', `/v1/products/${set.id}`, { as })).data.stock.reserved
const addsUp = async () => expect([await findDifferences(sql), await findDrift(sql)]).toEqual([[], []])

test('an order of as many bundles as it may have is taken, changed and cancelled', async () => {
  const { id, items, totals } = await place()
  expect(items.length).toBeGreaterThan(6_000)
  expect(totals.subtotal).toBe(155_554)
  expect((await ok('GET', `/v1/orders/${id}`, { as })).data.items).toEqual(items)
  expect(await heldOf()).toBe(7 * MOST)
  const { data } = await ok('PATCH', `/v1/orders/${id}`, { as, body: { items: asMany(MOST - 1) } })
  expect(data.totals.subtotal).toBe(154_776.23)
  expect(await heldOf()).toBe(7 * (MOST - 1))
  expect((await ok('PATCH', `/v1/orders/${id}`, { as, body: { status: 'cancelled' } })).data.status).toBe('cancelled')
  expect(await heldOf()).toBe(0)
  await addsUp()
}, 60_000)

test('it is sent in parts, delivered and brought back', async () => {
  const { id, items } = await place()
  const send = async (body: object) => (await ok('POST', `${store}/orders/${id}/carriers/sandbox/send`, { as, body })).data.parcel
  const parcels = [await send({ items: [{ item: 0, quantity: 1 }] }), await send({})]
  for (const [at, { trackingId }] of parcels.entries()) {
    const raw = JSON.stringify({ tracking: trackingId, status: 'delivered', at: new Date().toISOString(), eventId: `e${at}` })
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    await ok('POST', `${store}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
  }
  const { data } = await ok('POST', '/v1/orders/return', { as, body: { orderId: id } })
  expect([data.items.length, data.order.status]).toEqual([items.length, 'returned'])
  await addsUp()
}, 60_000)
