import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { transaction } from '../../../core/data/sql.ts'
import { releaseOrder } from '../../../core/orders/parcels/apply-parcel-moves.ts'
import { startApp } from '../../support/app.ts'
import { findDifferences, findDrift } from '../../support/checks.ts'
import { until, untilValue } from '../../support/until.ts'

const app = await startApp()
const { call, ok, shop, person } = app
await person('The administrator')

const SECRET = 'a secret of the sandbox'

async function sandboxShop(settings: Record<string, unknown> = {}) {
  const store = await shop({ settings })
  const as = store.owner.token
  const { data: product } = await ok('POST', '/v1/products', {
    as,
    body: { storeId: store.storeId, name: 'Basket', sku: 'SNK-42', price: 6500, initialStock: 100 },
  })
  const { data: carrier } = await ok('PUT', `/v1/stores/${store.storeId}/integrations/sandbox`, {
    as,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  return { ...store, as, product, carrier }
}

type Shop = Awaited<ReturnType<typeof sandboxShop>>

const order = ({ storeId, product }: Shop, change: Record<string, unknown> = {}, customer: Record<string, unknown> = {}) => ({
  storeId,
  customer: { name: 'Amina Saadi', phone: '0550 12 34 56', ...customer },
  destination: { country: 'DZ', stateCode: '16 - Alger', cityName: 'bab ezzouar', address: 'cité 5 juillet', deliveryType: 'home' },
  items: [{ productId: product.id, quantity: 2 }],
  ...change,
})

const stock = async ({ projectId: _, key, product }: Shop) =>
  (await ok('GET', `/v1/inventory/balances?namespace=main&key=${product.inventoryKey}`, { as: key })).data[0]

async function callback(
  { storeId }: Shop,
  tracking: string,
  status: string,
  options: { at?: string; eventId?: string; secret?: string } = {},
) {
  const { at = new Date().toISOString(), eventId = crypto.randomUUID(), secret = SECRET } = options
  const raw = JSON.stringify({ tracking, status, at, eventId })
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  return call('POST', `/v1/stores/${storeId}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
}

async function sent(on: Shop, change: Record<string, unknown> = {}, customer: Record<string, unknown> = {}) {
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on, change, customer) })
  const { data } = await ok('POST', `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`, { as: on.as, body: {} })
  return { order: made, parcel: data.parcel }
}

test('an order becomes a parcel, callbacks move it, stock and timeline stay right', async () => {
  const on = await sandboxShop({ deliveryPrices: { home: 500 } })
  const { order: made, parcel } = await sent(on)
  expect(made.totals).toEqual({ subtotal: 13000, delivery: 500, discount: 0, total: 13500 })
  expect(made.destination).toMatchObject({ stateCode: '16', cityName: 'Bab Ezzouar' })
  expect(made.customer.phone).toBe('+213550123456')
  expect(parcel).toMatchObject({
    status: 'submitted',
    codAmount: 13500,
    courierId: 'sandbox',
    carrierAccountId: on.carrier.id,
    reference: made.reference,
  })
  expect(parcel.trackingId).toMatch(/^SBX\d+$/)
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 2, available: 98 })

  expect((await callback(on, parcel.trackingId, 'out for delivery')).status).toBe(200)
  expect(await stock(on)).toMatchObject({ onHand: 98, reserved: 0 })
  // The ledger's own routes leave alone what the order holds.
  const [taken] = (await ok('GET', `/v1/inventory/operations?filter[reference]=${made.reference}`, { as: on.key })).data
  for (const path of [`operations/${taken.id}/reverse`, `reservations/${taken.reservationId}/release`])
    expect((await call('POST', `/v1/inventory/${path}`, { as: on.key })).body.error.code).toBe('conflict')
  expect((await callback(on, parcel.trackingId, 'delivered')).status).toBe(200)
  const read = await ok('GET', `/v1/parcels/${parcel.id}`, { as: on.key })
  expect(read.data).toMatchObject({ status: 'delivered', cashStatus: 'collected' })
  expect(read.data.deliveredAt).toBeString()
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data.status).toBe('delivered')
  const { data: events } = await ok('GET', `/v1/parcels/${parcel.id}/events`, { as: on.key })
  expect(events.map((event: Record<string, unknown>) => [event.type, event.source, event.fromStatus, event.toStatus])).toEqual([
    ['created', 'api', undefined, undefined],
    ['submitted', 'api', undefined, 'submitted'],
    ['status_changed', 'webhook:sandbox', 'submitted', 'out_for_delivery'],
    ['status_changed', 'webhook:sandbox', 'out_for_delivery', 'delivered'],
  ])
  expect(events[2].payload.carrierStatus).toBe('out for delivery')
})

test('a return puts the goods back on the shelf', async () => {
  const on = await sandboxShop()
  const { order: made, parcel } = await sent(on)
  for (const status of ['picked up', 'delivery failed', 'delivery failed', 'returning', 'returned'])
    expect((await callback(on, parcel.trackingId, status)).status).toBe(200)
  expect((await ok('GET', `/v1/parcels/${parcel.id}`, { as: on.key })).data).toMatchObject({ status: 'returned', deliveryAttempts: 2 })
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data.status).toBe('returned')
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 0 })
})

test('late, repeated and forged callbacks move nothing', async () => {
  const on = await sandboxShop()
  const { parcel } = await sent(on)
  const now = Date.now()
  await callback(on, parcel.trackingId, 'out for delivery', { at: new Date(now).toISOString(), eventId: 'e-1' })
  await callback(on, parcel.trackingId, 'out for delivery', { at: new Date(now).toISOString(), eventId: 'e-1' })
  await callback(on, parcel.trackingId, 'picked up', { at: new Date(now - 60_000).toISOString() })
  const forged = await callback(on, parcel.trackingId, 'delivered', { secret: 'another' })
  expect([forged.status, forged.body.error.code]).toEqual([401, 'invalid_signature'])
  expect((await ok('GET', `/v1/parcels/${parcel.id}`, { as: on.key })).data.status).toBe('out_for_delivery')
  expect((await ok('GET', `/v1/parcels/${parcel.id}/events`, { as: on.key })).data).toHaveLength(3)
})

test('sending the same order at once and again makes one parcel', async () => {
  const on = await sandboxShop()
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on) })
  const path = `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { as: on.as, body: {} })))
  expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200))
  expect(new Set(answers.map((answer) => answer.body.data.parcel.trackingId)).size).toBe(1)
  expect((await ok('GET', '/v1/parcels', { as: on.key })).data).toHaveLength(1)
})

test('a refusal says why, leaves the order as it was, and can be mended and sent again', async () => {
  const on = await sandboxShop()
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on, {}, { name: 'FAIL Amina' }) })
  const path = `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`
  const refused = await call('POST', path, { as: on.as, body: {} })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'carrier_refused'])
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data.status).toBe('pending')
  await ok('PATCH', `/v1/orders/${made.id}`, {
    as: on.key,
    body: { customer: { name: 'Amina' }, items: [{ productId: on.product.id, quantity: 3 }] },
  })
  const sent = await call('POST', path, { as: on.as, body: { notes: 'call first' } })
  expect(sent.body.data.parcel).toMatchObject({
    status: 'submitted',
    recipient: { name: 'Amina' },
    codAmount: 19500,
    contents: 'Basket x3',
    notes: 'call first',
  })
})

test('unsend frees the order with its stock, and a second sending is another parcel', async () => {
  const on = await sandboxShop()
  const { order: made, parcel } = await sent(on)
  await ok('POST', `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/unsend`, { as: on.as, body: {} })
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data).toMatchObject({ status: 'confirmed', parcelId: null })
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 2 })
  const again = await ok('POST', `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`, { as: on.as, body: {} })
  expect(again.data.parcel.trackingId).not.toBe(parcel.trackingId)
  expect(again.data.parcel.reference).toBe(`${made.reference}-2`)
})

test('an order that is taken back with its parcel deleted is sent anew, not found as it was', async () => {
  const on = await sandboxShop()
  const { order: made, parcel } = await sent(on)
  await ok('POST', `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/delete`, { as: on.as, body: {} })
  expect((await call('GET', `/v1/parcels/${parcel.id}`, { as: on.key })).status).toBe(404)
  const again = await ok('POST', `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`, { as: on.as, body: {} })
  expect(again.data.parcel.reference).toBe(`${made.reference}-2`)
  expect(again.data.parcel.trackingId).not.toBe(parcel.trackingId)
})

test("an order that the carrier's own word of our cancellation took along is free again, its stock held", async () => {
  const on = await sandboxShop()
  const { order: made, parcel } = await sent(on)
  await callback(on, parcel.trackingId, 'cancelled')
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data.status).toBe('cancelled')
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 0 })
  await transaction(app.context.sql, (tx) =>
    releaseOrder(tx, { projectId: on.projectId, id: parcel.id, orderId: made.id, partId: null, returnCondition: null }),
  )
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data).toMatchObject({ status: 'confirmed', parcelId: null })
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 2 })
})

test('an order that is cancelled takes along the parcel that no carrier has', async () => {
  const on = await sandboxShop()
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on, {}, { name: 'FAIL Amina' }) })
  const path = `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`
  expect((await call('POST', path, { as: on.as, body: {} })).status).toBe(422)
  expect((await ok('PATCH', `/v1/orders/${made.id}`, { as: on.key, body: { status: 'cancelled' } })).data.status).toBe('cancelled')
  expect((await ok('GET', '/v1/parcels', { as: on.key })).data[0].status).toBe('cancelled')
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 0 })
  const [given] = (await ok('GET', '/v1/parcels', { as: on.key })).data
  await ok('DELETE', `/v1/parcels/${given.id}`, { as: on.key })
  expect((await ok('GET', `/v1/orders/${made.id}`, { as: on.key })).data).toMatchObject({ status: 'cancelled', parcelId: null })
  expect((await call('POST', path, { as: on.as, body: {} })).body.error.code).toBe('invalid_transition')
  expect(
    (
      await ok('PATCH', `/v1/orders/${made.id}`, { as: on.key, body: { status: 'pending', customer: { name: 'Amina' } } }).catch(
        (error) => error,
      )
    ).message,
  ).toContain('Unsend')
  await ok('PATCH', `/v1/orders/${made.id}`, { as: on.key, body: { status: 'pending' } })
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 2 })
})

test('while an order is being handed over nothing is decided about it', async () => {
  const on = await sandboxShop()
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on, {}, { name: 'SLOW Amina' }) })
  const sending = ok('POST', `/v1/stores/${on.storeId}/orders/${made.id}/carriers/sandbox/send`, { as: on.as, body: {} })
  await Bun.sleep(500)
  for (const body of [{ status: 'cancelled' }, { customer: { name: 'Lina' } }]) {
    expect((await call('PATCH', `/v1/orders/${made.id}`, { as: on.key, body })).body.error.code).toBe('outcome_unknown')
  }
  expect((await call('DELETE', `/v1/orders/${made.id}`, { as: on.key })).body.error.code).toBe('outcome_unknown')
  expect((await sending).data.parcel.status).toBe('submitted')
})

test('another address changes what delivery costs, and no price', async () => {
  const on = await sandboxShop({ deliveryPrices: { home: 500, byState: { '31': { home: 800 } } } })
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on) })
  await ok('PATCH', `/v1/products/${on.product.id}`, { as: on.key, body: { price: 9999 } })
  const { data } = await ok('PATCH', `/v1/orders/${made.id}`, { as: on.key, body: { destination: { stateCode: '31', cityName: 'Oran' } } })
  expect(data.totals).toEqual({ subtotal: 13000, delivery: 800, discount: 0, total: 13800 })
})

test('an order is refused for stock, price or phone that cannot be, and leaves nothing behind', async () => {
  const on = await sandboxShop()
  const bad = async (change: Record<string, unknown>, customer?: Record<string, unknown>) => {
    const answer = await call('POST', '/v1/orders', { as: on.key, body: order(on, change, customer) })
    return [answer.status, answer.body.error.code]
  }
  expect(await bad({ items: [{ productId: on.product.id, quantity: 101 }] })).toEqual([422, 'reserved_stock_conflict'])
  expect(await bad({ items: [{ productId: 'prd_nope', quantity: 1 }] })).toEqual([422, 'product_unavailable'])
  expect(await bad({}, { phone: '12' + '3' })).toEqual([422, 'invalid_phone'])
  expect(await bad({ items: [{ productId: on.product.id, quantity: 1, price: 1 }] })).toEqual([400, 'invalid_request'])
  expect((await ok('GET', '/v1/orders', { as: on.key })).data).toHaveLength(0)
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 0 })
})

test('cancelling gives the stock back, and deleting does too', async () => {
  const on = await sandboxShop()
  const { data: made } = await ok('POST', '/v1/orders', { as: on.key, body: order(on) })
  expect((await ok('PATCH', `/v1/orders/${made.id}`, { as: on.key, body: { status: 'cancelled' } })).data.status).toBe('cancelled')
  expect(await stock(on)).toMatchObject({ onHand: 100, reserved: 0 })
  expect((await call('PATCH', `/v1/orders/${made.id}`, { as: on.key, body: { status: 'delivered' } })).body.error.code).toBe(
    'invalid_transition',
  )
  const { data: other } = await ok('POST', '/v1/orders', { as: on.key, body: order(on) })
  await ok('DELETE', `/v1/orders/${other.id}`, { as: on.key })
  expect(await stock(on)).toMatchObject({ reserved: 0 })
  expect((await call('GET', `/v1/orders/${other.id}`, { as: on.key })).status).toBe(404)
})

test('a storefront orders without a credential where the store allows it', async () => {
  const on = await sandboxShop()
  const { data: made } = await ok('POST', '/v1/orders', { body: order(on) })
  expect(made.source).toBe('storefront')
  expect((await ok('GET', `/v1/orders/${made.id}/track`)).data).toMatchObject({ status: 'pending', trackingId: null })
  await ok('PATCH', `/v1/stores/${on.storeId}`, { as: on.as, body: { settings: { publicOrders: false } } })
  expect((await call('POST', '/v1/orders', { body: order(on) })).status).toBe(401)
})

test('a batch answers row by row, and its parcels are submitted', async () => {
  const on = await sandboxShop()
  const row = (name: string, change: Record<string, unknown> = {}) => ({
    recipient: { name, phone: '0660112233' },
    destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'x', deliveryType: 'home' },
    codAmount: 1200,
    ...change,
  })
  const answer = await call('POST', '/v1/parcels/batches', {
    as: on.key,
    body: {
      carrierAccountId: on.carrier.id,
      submit: true,
      parcels: [row('A'), row('B', { recipient: { name: 'B', phone: '1' + '23' } }), row('C')],
    },
  })
  expect(answer.status).toBe(202)
  const read = async () => (await ok('GET', `/v1/parcels/batches/${answer.body.data.id}`, { as: on.key })).data
  const batch = await untilValue(read, ({ status }) => status === 'completed')
  expect(batch).toMatchObject({ status: 'completed', total: 3, succeeded: 2, failed: 1 })
  expect(batch.results[1].error.code).toBe('invalid_phone')
  await until(async () => (await ok('GET', '/v1/parcels?status=submitted', { as: on.key })).data.length === 2)
})

test('after all of this the books agree', async () => {
  expect(await findDrift(app.context.sql)).toEqual([])
  expect(await findDifferences(app.context.sql)).toEqual([])
})
