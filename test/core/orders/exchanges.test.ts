import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startApp } from '../../support/app.ts'
import { findDifferences, findDrift } from '../../support/checks.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context

const SECRET = 'a secret'
const on = await shop({ phone: '0550111111', address: '5 rue des Ateliers', settings: { deliveryPrices: { home: 400 } } })
const other = await shop()
const as = on.key
const product = async (body: object) => (await ok('POST', '/v1/products', { as, body: { storeId: on.storeId, ...body } })).data
const shirt = await product({ name: 'Shirt', sku: 'S', price: 1000, initialStock: 100 })
const hat = await product({ name: 'Hat', sku: 'H', price: 1500, initialStock: 100 })
for (const [key, credentials] of [['sandbox', { webhookSecret: SECRET }]] as const)
  await ok('PUT', `/v1/stores/${on.storeId}/integrations/${key}`, {
    as: on.owner.token,
    body: { enabled: true, credentials, settings: {} },
  })
await ok('POST', '/v1/promos', { as: on.owner.token, body: { storeId: on.storeId, code: 'TEN', kind: 'percent', value: 10 } })

let people = 0
const place = async (quantity = 2, more: object = {}) =>
  (
    await ok('POST', '/v1/orders', {
      as,
      body: {
        storeId: on.storeId,
        customer: { name: 'Lina', phone: `055012${String(++people).padStart(4, '0')}` },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '12 rue', deliveryType: 'home' },
        items: [{ productId: shirt.id, quantity }],
        ...more,
      },
    })
  ).data
const read = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as })).data
const send = (id: string, body: object = {}) => call('POST', `/v1/stores/${on.storeId}/orders/${id}/carriers/sandbox/send`, { as, body })
const parcelsOf = (id: string) =>
  sql<
    { id: string; trackingId: string; takesBack: string | null; codAmount: string }[]
  >`select id, tracking_id, takes_back, cod_amount from parcels where order_id = ${id} order by id`

let said = 0
async function carried(id: string, ...statuses: string[]) {
  const [parcel] = (await parcelsOf(id)).slice(-1)
  for (const status of statuses) {
    const raw = JSON.stringify({ tracking: parcel!.trackingId, status, at: new Date().toISOString(), eventId: `e${++said}` })
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    await ok('POST', `/v1/stores/${on.storeId}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
  }
}
async function delivered(quantity?: number, more?: object) {
  const { id } = await place(quantity, more)
  expect((await send(id)).status).toBe(200)
  await carried(id, 'delivered')
  return id as string
}
const back = (orderId: string, more: object = {}, headers = {}) =>
  call('POST', '/v1/orders/return', { as, body: { orderId, ...more }, headers })
const onHand = async ({ inventoryKey }: { inventoryKey: string }) =>
  (await ok('GET', `/v1/inventory/balances?namespace=main&key=${inventoryKey}`, { as })).data[0].onHand as number
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const act = (orderId: string, returnId: string, what: string, body?: object) =>
  call('POST', `/v1/orders/${orderId}/returns/${returnId}/${what}`, { as, ...(body && { body }) })
const exchangeTo = (quantity: number, more: object = {}) => ({ exchange: { items: [{ productId: hat.id, quantity }], ...more } })
const addsUp = async () => expect([await findDifferences(sql), await findDrift(sql)]).toEqual([[], []])

test('goods are exchanged at the door: one new order, one new parcel, the old goods back when they have come', async () => {
  const id = await delivered(2)
  const shirts = await onHand(shirt)
  const asked = { items: [{ item: 0, quantity: 1 }], received: false, ...exchangeTo(1) }
  const { status, body } = await back(id, asked)
  expect(status).toBe(201)
  const { exchange, order, ...kept } = body.data
  expect(kept).toMatchObject({
    status: 'awaited',
    restocked: false,
    operationId: null,
    receivedAt: null,
    exchangeOrderId: exchange.order.id,
  })
  expect(order.status).toBe('delivered')
  expect(exchange).toMatchObject({ credit: 1000, left: 0 })
  expect(exchange.order).toMatchObject({
    status: 'confirmed',
    exchangeOf: id,
    customer: order.customer,
    totals: { subtotal: 1500, delivery: 400, discount: 1000, total: 900 },
  })
  expect(await onHand(shirt)).toBe(shirts)
  // It is submitted once, however many requests do so at once, and names the goods to bring back.
  const sent = await Promise.all([1, 2, 3].map(() => send(exchange.order.id)))
  expect(sent.map((answer) => answer.status)).toEqual([200, 200, 200])
  expect(await parcelsOf(exchange.order.id)).toMatchObject([{ takesBack: 'Shirt x1', codAmount: '900.0000' }])
  const atCarrier = await sql<
    { value: { shipment: { takesBack?: string } } }[]
  >`select value from adapter_storage where value::text like '%Shirt x1%'`
  expect(JSON.stringify(atCarrier)).toContain('"takesBack":"Shirt x1"')
  await carried(exchange.order.id, 'out for delivery', 'delivered')
  const came = await act(id, kept.id, 'receive', {})
  expect(came.body.data).toMatchObject({ status: 'received', restocked: true, order: { status: 'delivered' }, exchange: { credit: 1000 } })
  expect(await onHand(shirt)).toBe(shirts + 1)
  expect(codeOf(await act(id, kept.id, 'receive', {}))).toEqual([409, 'invalid_transition'])
  expect((await read(id)).returns).toMatchObject([{ id: kept.id, status: 'received', exchangeOrderId: exchange.order.id }])
  await addsUp()
})

test('what counts is what was asked for the goods, at most what their order came to', async () => {
  const id = await delivered(4, { promoCode: 'TEN' })
  const one = { items: [{ item: 0, quantity: 1 }], received: false }
  const bound = await back(id, { ...one, ...exchangeTo(1, { credit: 4001 }) })
  expect(codeOf(bound)).toEqual([400, 'invalid_request'])
  const usual = (await back(id, { ...one, ...exchangeTo(1) })).body.data.exchange
  expect(usual).toMatchObject({ credit: 900, left: 0, order: { totals: { discount: 900, total: 1000 } } })
  const generous = (await back(id, { ...one, ...exchangeTo(1, { credit: 2500 }) })).body.data.exchange
  expect(generous).toMatchObject({ credit: 2500, left: 600, order: { totals: { total: 0 } } })
  // All together no more than the order came to.
  expect(codeOf(await back(id, { ...one, ...exchangeTo(1, { credit: 601 }) }))).toEqual([400, 'invalid_request'])
  // Other lines, or another address: what was promised still counts.
  const dearer = await ok('PATCH', `/v1/orders/${usual.order.id}`, { as, body: { items: [{ productId: hat.id, quantity: 2 }] } })
  expect(dearer.data.totals).toEqual({ subtotal: 3000, delivery: 400, discount: 900, total: 2500 })
  const smaller = await ok('PATCH', `/v1/orders/${generous.order.id}`, {
    as,
    body: { destination: { deliveryType: 'home', stateCode: '31', cityName: 'Oran' } },
  })
  expect(smaller.data.totals.total).toBe(0)
  expect(codeOf(await back(id, { ...one, ...exchangeTo(1, { credit: -1 }) }))).toEqual([400, 'invalid_request'])
  expect(codeOf(await back(id, { ...one, restock: true }))).toEqual([400, 'invalid_request'])
  expect(codeOf(await back(id, { ...one, exchange: { items: [{ productId: hat.id, quantity: 5000 }] } }))[1]).toBe(
    'reserved_stock_conflict',
  )
  await addsUp()
})

test('what is left of a credit is told to the last place', async () => {
  const [odd, small] = [await product({ name: 'Scarf', price: 100.1 }), await product({ name: 'Button', price: 33.4 })]
  const id = await delivered(1, { items: [{ productId: odd.id, quantity: 1 }] })
  const { data } = (await back(id, { received: false, exchange: { items: [{ productId: small.id, quantity: 1 }], credit: 100.1 } })).body
  await ok('PATCH', `/v1/orders/${data.exchange.order.id}`, { as, body: { deliveryPrice: 0 } })
  await send(data.exchange.order.id)
  await carried(data.exchange.order.id, 'delivered')
  expect((await act(id, data.id, 'receive', {})).body.data.exchange).toMatchObject({ credit: 100.1, left: 66.7 })
})

test('what was sent instead is worth what was given for it, goods too', async () => {
  const id = await delivered(2)
  const first = (await back(id, exchangeTo(1))).body.data.exchange
  expect(first).toMatchObject({ credit: 2000, left: 100, order: { totals: { total: 0 } } })
  await send(first.order.id)
  await carried(first.order.id, 'delivered')
  const second = (await back(first.order.id, exchangeTo(1))).body.data.exchange
  expect(second).toMatchObject({ credit: 1500, order: { totals: { total: 400 } } })
  await addsUp()
})

test('goods that are here are exchanged at once, even for themselves', async () => {
  const id = await delivered(2)
  const before = await onHand(shirt)
  const { data } = (await back(id, { exchange: { items: [{ productId: shirt.id, quantity: 2 }] } })).body
  expect(data).toMatchObject({
    status: 'received',
    restocked: true,
    order: { status: 'returned' },
    exchange: { order: { totals: { total: 400 } } },
  })
  expect(await onHand(shirt)).toBe(before + 2)
  await send(data.exchange.order.id)
  expect((await parcelsOf(data.exchange.order.id))[0]!.takesBack).toBe(null)
  await addsUp()
})

test('what is awaited nobody else returns; of those who try at once one succeeds', async () => {
  const id = await delivered(2)
  const tries = await Promise.all([1, 2, 3, 4].map((at) => back(id, { received: at % 2 === 0, ...exchangeTo(1) })))
  const codes = tries.map(({ status, body }) => body.error?.code ?? status).sort()
  expect(codes.filter((code) => code === 201).length).toBe(1)
  const exchanges = await sql`select 1 from orders where exchange_of = ${id}`
  expect(exchanges.length).toBe(1)
  await addsUp()
})

test('an exchange that comes to nothing leaves the goods with the customer', async () => {
  const id = await delivered(1)
  for (const end of ['cancelled', 'deleted', 'refused'] as const) {
    const { data } = (await back(id, { received: false, ...exchangeTo(1) })).body
    const instead = data.exchange.order.id
    expect(codeOf(await act(id, data.id, 'cancel'))).toEqual([409, 'invalid_transition'])
    if (end === 'cancelled') await ok('PATCH', `/v1/orders/${instead}`, { as, body: { status: 'cancelled' } })
    if (end === 'deleted') await ok('DELETE', `/v1/orders/${instead}`, { as: on.owner.token })
    if (end === 'refused') {
      await send(instead)
      await carried(instead, 'out for delivery', 'returning', 'returned')
    }
    expect((await read(id)).returns.at(-1)).toMatchObject({ id: data.id, status: 'cancelled' })
    if (end !== 'cancelled') continue
    expect(codeOf(await call('PATCH', `/v1/orders/${instead}`, { as, body: { status: 'pending' } }))).toEqual([409, 'invalid_transition'])
  }
  // It never came, although the new goods were taken: a person says so.
  const { data } = (await back(id, { received: false, ...exchangeTo(1, { atTheDoor: false }) })).body
  await send(data.exchange.order.id)
  expect((await parcelsOf(data.exchange.order.id))[0]!.takesBack).toBe(null)
  await carried(data.exchange.order.id, 'delivered')
  expect((await act(id, data.id, 'cancel')).body.data.status).toBe('cancelled')
  await addsUp()
})

test('a carrier that brings nothing back is not asked to', async () => {
  const id = await delivered(1)
  const { data } = (await back(id, { received: false, ...exchangeTo(1) })).body
  const { carrier } = context.plugins.find('carrier', 'sandbox')!
  const mutable = carrier as { exchanges?: boolean }
  mutable.exchanges = false
  const refused = await send(data.exchange.order.id)
  mutable.exchanges = true
  expect(codeOf(refused)).toEqual([422, 'carrier_refused'])
  expect(refused.body.error.message).toContain('does not collect goods on delivery')
  expect((await send(data.exchange.order.id)).status).toBe(200)
})

test('of an order in parts one courier brings it back', async () => {
  const id = await delivered(1)
  const { data } = (await back(id, { received: false, ...exchangeTo(2) })).body
  const first = await send(data.exchange.order.id, { items: [{ item: 0, quantity: 1 }], part: 'one' })
  expect(first.status).toBe(200)
  await send(data.exchange.order.id, { part: 'two' })
  expect((await parcelsOf(data.exchange.order.id)).map(({ takesBack }) => takesBack)).toEqual(['Shirt x1', null])
  await addsUp()
})

test('what comes back has a label of its own, and fewer may come than were awaited', async () => {
  const id = await delivered(3)
  const { data } = (await back(id, { received: false, items: [{ item: 0, quantity: 2 }], note: 'too small' })).body
  const label = await call('GET', `/v1/orders/${id}/returns/${data.id}/label`, { as })
  expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(codeOf(await act(id, data.id, 'receive', { items: [{ item: 0, quantity: 3 }] }))).toEqual([422, 'return_too_large'])
  const came = await act(id, data.id, 'receive', { items: [{ item: 0, quantity: 1 }] })
  expect(came.body.data).toMatchObject({ status: 'received', note: 'too small', items: [{ item: 0, quantity: 1 }] })
  expect(codeOf(await call('GET', `/v1/orders/${id}/returns/${data.id}/label`, { as }))).toEqual([409, 'invalid_transition'])
  // All that was left, awaited and received: the order is back, and its return says so.
  const last = (await back(id, { received: false })).body.data
  const all = await act(id, last.id, 'receive', {})
  expect(all.body.data).toMatchObject({ status: 'received', restocked: true, order: { status: 'returned' } })
  expect((await read(id)).returns.map(({ status }: { status: string }) => status)).toEqual(['received', 'received'])
  await addsUp()
})

test("somebody else's return, and one that is not there", async () => {
  const id = await delivered(1)
  const { data } = (await back(id, { received: false })).body
  for (const [method, path] of [
    ['POST', 'receive'],
    ['POST', 'cancel'],
    ['GET', 'label'],
  ] as const) {
    const at = (returnId: string) => `/v1/orders/${id}/returns/${returnId}/${path}`
    const body = path === 'receive' ? { body: {} } : {}
    expect((await call(method, at(data.id), { as: other.key, ...body })).status).toBe(404)
    expect((await call(method, at('ret_nothing'), { as, ...body })).status).toBe(404)
    expect((await call(method, at(data.id), body)).status).toBe(401)
  }
})
