import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { receiver, verify } from '../../support/receiver.ts'

const { call, ok, shop, person } = await startApp()
await person('The administrator') // the first account sees everything; no test wants to be it

type Tenant = Awaited<ReturnType<typeof shop>>

const pathOf = ({ storeId }: Tenant) => `/v1/stores/${storeId}/integrations/webhooks`
const register = async (of: Tenant, body: Record<string, unknown>) => (await ok('POST', pathOf(of), { as: of.owner.token, body })).data
const product = async (of: Tenant) =>
  (await ok('POST', '/v1/products', { as: of.key, body: { storeId: of.storeId, name: 'Basket', price: 100 } })).data
const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité', deliveryType: 'home' }
const orderOf = (of: Tenant, productId: string, phone = '0550123456') => ({
  storeId: of.storeId,
  customer: { name: 'Amina Saadi', phone, email: 'amina@example.dz' },
  destination,
  items: [{ productId, quantity: 1 }],
})
const order = async (of: Tenant, productId: string, phone?: string) =>
  (await ok('POST', '/v1/orders', { as: of.key, body: orderOf(of, productId, phone) })).data

const mine = await shop()
const theirs = await shop()

test('what happens in a store reaches its webhooks, signed, and nobody else', async () => {
  const [hook, other] = [receiver(), receiver()]
  const made = await register(mine, { url: hook.url, events: ['*'], ordered: true, maxPerSecond: 100 })
  expect(made).toMatchObject({ storeId: mine.storeId, projectId: mine.projectId, enabled: true, ordered: true })
  await register(theirs, { url: other.url, events: ['*'] })
  const basket = await product(mine)
  const first = await order(mine, basket.id)
  await ok('PATCH', `/v1/orders/${first.id}`, { as: mine.key, body: { status: 'confirmed' } })
  await ok('PATCH', `/v1/orders/${first.id}`, { as: mine.key, body: { note: 'ring twice' } })
  await ok('PATCH', `/v1/products/${basket.id}`, { as: mine.key, body: { name: 'Basket II' } })
  await ok('POST', '/v1/feedbacks', {
    body: { storeId: mine.storeId, name: 'Amina', text: 'Good.', rating: 5, productId: basket.id },
  })
  const second = await order(mine, basket.id)
  await ok('DELETE', `/v1/orders/${second.id}`, { as: mine.key })
  const got = await hook.got(9)
  expect(got.every((one) => verify(one, made.secret) && one.event.projectId === mine.projectId)).toBe(true)
  expect(got.map(({ event }) => event.type).sort()).toEqual([
    'customer.created',
    'feedback.created',
    'order.created',
    'order.created',
    'order.deleted',
    'order.status_changed',
    'order.updated',
    'product.created',
    'product.updated',
  ])
  const customer = got.find(({ event }) => event.type === 'customer.created')!.event.data.customer
  expect(customer).toMatchObject({ phone: '+213550123456', name: 'Amina Saadi', email: 'amina@example.dz', firstOrderId: first.id })
  expect(other.all).toEqual([])
  const { data: history } = await ok('GET', `${pathOf(mine)}/${made.id}/history?eventType=order.deleted`, { as: mine.owner.token })
  expect(history).toHaveLength(1)
  expect(JSON.parse(history[0].request.body)).toMatchObject({ type: 'order.deleted', data: { id: second.id } })
  await ok('DELETE', `${pathOf(mine)}/${made.id}`, { as: mine.owner.token })
})

test('of first orders that are made at once, one tells of the customer', async () => {
  const own = await shop()
  const hook = receiver()
  await register(own, { url: hook.url, events: ['customer.created', 'order.created'] })
  const basket = await product(own)
  await Promise.all(Array.from({ length: 6 }, () => order(own, basket.id)))
  await order(own, basket.id, '0661000000')
  const got = await hook.got(9)
  expect(
    got
      .filter(({ event }) => event.type === 'customer.created')
      .map(({ event }) => event.data.customer.phone)
      .sort(),
  ).toEqual(['+213550123456', '+213661000000'])
})

test('a webhook is read, changed, listed, rotated and deleted by its store alone', async () => {
  const as = mine.owner.token
  const hook = receiver()
  const { secret, ...made } = await register(mine, { url: hook.url, events: ['order.created'], description: 'ERP' })
  const path = `${pathOf(mine)}/${made.id}`
  expect((await ok('GET', path, { as })).data).toEqual(made)
  expect((await ok('GET', pathOf(mine), { as: mine.key })).data).toEqual([made])
  expect((await ok('GET', '/v1/webhook-endpoints', { as: mine.key })).data).toEqual([])
  expect((await call('GET', `/v1/webhook-endpoints/${made.id}`, { as: mine.key })).status).toBe(404)
  for (const [method, rest] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['GET', '/history'],
    ['POST', '/history/dlv_1/redeliver'],
  ] as const) {
    const body = method === 'PATCH' ? { body: { enabled: false } } : {}
    const foreign = await call(method, `${pathOf(theirs)}/${made.id}${rest}`, { as: theirs.owner.token, ...body })
    expect([method, rest, foreign.status]).toEqual([method, rest, 404])
    expect((await call(method, `${path}${rest}`, { as: theirs.owner.token, ...body })).status).toBe(404)
  }
  const { data: tried } = await ok('POST', `${path}/test`, { as })
  expect([tried.status, tried.eventType]).toEqual(['delivered', 'webhook.test'])
  expect(verify((await hook.got(1))[0]!, secret)).toBe(true)
  const rotated = (await ok('POST', `${path}/rotate-secret`, { as })).data
  expect(rotated.secret).not.toBe(secret)
  const again = await ok('POST', `${path}/history/${tried.id}/redeliver`, { as })
  expect(again.data).toMatchObject({ redeliveryOf: tried.id })
  const repeated = (await hook.got(2))[1]!
  expect([verify(repeated, secret), verify(repeated, rotated.secret)]).toEqual([true, true])
  expect((await ok('PATCH', path, { as, body: { enabled: false } })).data).toMatchObject({ enabled: false, disabledReason: 'by_owner' })
  expect((await call('DELETE', path, { as })).status).toBe(204)
  expect((await call('GET', path, { as })).status).toBe(404)
})

test('orders and products are told again, to all that subscribed or to one', async () => {
  const own = await shop()
  const as = own.owner.token
  const [subscribed, silent] = [receiver(), receiver()]
  const basket = await product(own)
  const placed = await order(own, basket.id)
  await register(own, { url: subscribed.url, events: ['order.created'] })
  const quiet = await register(own, { url: silent.url, events: ['feedback.created'] })
  const send = (body: object) => call('POST', `${pathOf(own)}/send`, { as, body })
  const told = await send({ event: 'order.created', ids: [placed.id] })
  expect([told.status, told.body.data]).toEqual([202, { event: 'order.created', ids: [placed.id] }])
  const { id, reference, customer, items, totals, updatedAt } = (await ok('GET', `/v1/orders/${placed.id}`, { as })).data
  const current = { id, reference, customer, items, totals, updatedAt }
  expect((await subscribed.got(1))[0]!.event).toMatchObject({ type: 'order.created', data: { order: current } })
  expect((await send({ event: 'product.updated', ids: [basket.id], webhookId: quiet.id })).status).toBe(202)
  expect((await silent.got(1)).map(({ event }) => [event.type, event.data.product.id])).toEqual([['product.updated', basket.id]])
  expect(subscribed.all).toHaveLength(1)
  const foreign = await order(theirs, (await product(theirs)).id)
  for (const body of [
    { event: 'order.updated', ids: [foreign.id] },
    { event: 'order.updated', ids: [placed.id, 'ord_none'] },
    { event: 'product.created', ids: [placed.id] },
    { event: 'order.created', ids: [placed.id], webhookId: 'whe_none' },
  ])
    expect([body, (await send(body)).status]).toEqual([body, 404])
  for (const body of [{ event: 'order.deleted', ids: [placed.id] }, { event: 'order.created', ids: [] }, { ids: [placed.id] }])
    expect((await send(body)).body.error.code).toBe('invalid_request')
  await ok('PATCH', `${pathOf(own)}/${quiet.id}`, { as, body: { enabled: false } })
  expect((await send({ event: 'order.created', ids: [placed.id], webhookId: quiet.id })).body.error.code).toBe('webhook_endpoint_disabled')
})

test("a store's webhooks take no events of projects, lead nowhere inside, and are not without number", async () => {
  const own = await shop()
  const as = own.owner.token
  const strange = await call('POST', pathOf(own), { as, body: { url: 'http://127.0.0.1:9/', events: ['inventory.stock.changed'] } })
  expect(strange.body.error.details[0]).toEqual({
    path: '/body/events/0',
    message: '"inventory.stock.changed" is an event of a project: subscribe to it with POST /v1/webhook-endpoints.',
  })
  const unknown = await call('POST', pathOf(own), { as, body: { url: 'http://127.0.0.1:9/', events: ['nothing.happened'] } })
  expect(unknown.body.error.details[0]).toMatchObject({ path: '/body/events/0', message: expect.stringContaining('customer.created') })
  const ofStore = await call('POST', '/v1/webhook-endpoints', {
    as: own.key,
    body: { url: 'http://127.0.0.1:9/', events: ['order.created'] },
  })
  expect(ofStore.body.error.details[0]).toEqual({
    path: '/body/events/0',
    message: '"order.created" is an event of a store: subscribe to it with POST /v1/stores/{storeId}/integrations/webhooks.',
  })
  const settled = await Promise.all(
    Array.from({ length: 53 }, () => call('POST', pathOf(own), { as, body: { url: 'http://127.0.0.1:9/', events: ['order.created'] } })),
  )
  const codes = settled.map(({ status, body }) => (status === 201 ? 201 : body.error.code))
  expect([codes.filter((code) => code === 201).length, codes.filter((code) => code === 'limit_reached').length]).toEqual([50, 3])
})

test('an agent and a viewer do not steer webhooks', async () => {
  const agent = await person('Agent')
  await ok('POST', `/v1/stores/${mine.storeId}/members`, { as: mine.owner.token, body: { email: agent.email, role: 'agent' } })
  expect((await call('GET', pathOf(mine), { as: agent.token })).status).toBe(403)
})
