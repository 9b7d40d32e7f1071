import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { findDifferences, findDrift } from '../../support/checks.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator')

const SECRET = 'a secret'
const PLACE = { country: 'DZ', stateCode: '16 - Alger', cityName: 'bab ezzouar', address: 'cité 5 juillet', deliveryType: 'home' }
let phones = 0
const newPhone = () => `+213560${String(++phones).padStart(6, '0')}`

async function stocked() {
  const on = await shop({ settings: { deliveryPrices: { home: 600, byState: { '16': { home: 400 } } } } })
  const made = async (product: object) =>
    (await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, ...product } })).data as {
      id: string
      inventoryKey: string
    }
  const basket = await made({ name: 'Basket', sku: 'B', price: 1000, initialStock: 100 })
  const advice = await made({ name: 'Advice', sku: 'A', price: 50 })
  await ok('PUT', `/v1/stores/${on.storeId}/integrations/sandbox`, {
    as: on.owner.token,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  return { ...on, basket, advice }
}
type Stocked = Awaited<ReturnType<typeof stocked>>

const bodyOf = ({ storeId, basket }: Stocked, more: object = {}, phone = newPhone()) => ({
  storeId,
  customer: { name: 'Lina', phone },
  destination: PLACE,
  items: [{ productId: basket.id, quantity: 2 }],
  ...more,
})
const place = async (on: Stocked, more: object = {}, phone?: string) =>
  (await ok('POST', '/v1/orders', { as: on.key, body: bodyOf(on, more, phone) })).data
const read = async (on: Shop, id: string) => (await ok('GET', `/v1/orders/${id}`, { as: on.key })).data
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

let said = 0
/** Sends the order, and lets its carrier say so. */
async function carried(on: Stocked, id: string, ...statuses: string[]) {
  const path = `/v1/stores/${on.storeId}/orders/${id}/carriers/sandbox/send`
  const { data } = statuses[0] === 'again' ? { data: null } : await ok('POST', path, { as: on.key, body: {} })
  const [parcel] = await sql<{ trackingId: string }[]>`select tracking_id from parcels where order_id = ${id} order by id desc limit 1`
  for (const status of statuses.filter((each) => each !== 'again')) {
    const raw = JSON.stringify({ tracking: parcel!.trackingId, status, at: new Date().toISOString(), eventId: `w${++said}` })
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    await ok('POST', `/v1/stores/${on.storeId}/integrations/sandbox/webhook`, {
      raw,
      headers: { 'x-sandbox-signature': signature },
    } as never)
  }
  return data
}

const onHand = async (on: Stocked) =>
  (await ok('GET', `/v1/inventory/balances?namespace=main&key=${on.basket.inventoryKey}`, { as: on.key })).data[0].onHand as number

const on = await stocked()
const other = await stocked()

describe('calculate', () => {
  test('says what an order then comes to, and keeps nothing', async () => {
    await ok('POST', '/v1/promos', { as: on.owner.token, body: { storeId: on.storeId, code: 'TEN', kind: 'percent', value: 10 } })
    const items = [
      { productId: on.basket.id, quantity: 3 },
      { productId: on.advice.id, quantity: 1 },
    ]
    const asked = { storeId: on.storeId, items, destination: PLACE, promoCode: 'TEN' }
    const { data } = await ok('POST', '/v1/orders/calculate', { body: asked })
    expect(data.totals).toEqual({ subtotal: 3050, delivery: 400, discount: 305, total: 3145 })
    expect(data.destination).toMatchObject({ stateCode: '16', stateName: 'Alger' })
    expect(await sql`select 1 from orders where project_id = ${projectIdOf(on.storeId)}`).toEqual([] as never)
    const order = await place(on, { items, promoCode: 'TEN' })
    expect({ items: order.items, totals: order.totals }).toEqual({ items: data.items, totals: data.totals })
  })

  test('refuses what creation refuses', async () => {
    const ask = (change: object, as?: string) =>
      call('POST', '/v1/orders/calculate', {
        body: { storeId: on.storeId, items: [{ productId: on.basket.id, quantity: 1 }], destination: PLACE, ...change },
        ...(as && { as }),
      })
    expect(codeOf(await ask({ promoCode: 'NONE' }))).toEqual([422, 'invalid_promo'])
    expect(codeOf(await ask({ items: [{ productId: other.basket.id, quantity: 1 }] }))).toEqual([422, 'product_unavailable'])
    expect(codeOf(await ask({ items: [{ productId: on.basket.id, quantity: 101 }] }))).toEqual([422, 'order_too_large'])
    const held = await onHand(on)
    expect((await ask({ items: [{ productId: on.basket.id, quantity: 1 }] }, on.key)).status).toBe(200)
    const many = { items: [1, held].map((quantity) => ({ productId: on.basket.id, quantity })) }
    const short = await ask(many, on.key)
    expect([...codeOf(short), short.body.error.details]).toEqual(
      await call('POST', '/v1/orders', {
        as: on.key,
        body: { storeId: on.storeId, customer: { name: 'L', phone: '0550123456' }, destination: PLACE, ...many },
      }).then((taken) => [...codeOf(taken), [expect.objectContaining({ path: taken.body.error.details[0].path })]]),
    )
    expect(JSON.stringify((await ask({ items: [{ productId: on.basket.id, quantity: 99 }] })).body)).not.toContain(String(held))
    expect(codeOf(await ask({ items: [{ productId: on.basket.id, quantity: 1, unitPrice: 1 }] }))).toEqual([400, 'invalid_request'])
    await ok('PATCH', `/v1/stores/${other.storeId}`, { as: other.owner.token, body: { settings: { publicOrders: false } } })
    expect(codeOf(await ask({ storeId: other.storeId, items: [{ productId: other.basket.id, quantity: 1 }] }))).toEqual([
      401,
      'unauthenticated',
    ])
  })

  test('of a change of an order counts its own goods as available and keeps its promotion, for members and keys alone', async () => {
    const mine = await stocked()
    await ok('POST', '/v1/promos', {
      as: mine.owner.token,
      body: { storeId: mine.storeId, code: 'ONCE', kind: 'fixed', value: 100, usageLimit: 1 },
    })
    const itemsOf = (quantity: number) => ({ items: [{ productId: mine.basket.id, quantity }] })
    const order = await place(mine, { ...itemsOf(90), promoCode: 'ONCE' })
    const ask = (change: object, as?: string) =>
      call('POST', '/v1/orders/calculate', {
        body: { storeId: mine.storeId, destination: PLACE, orderId: order.id, promoCode: 'ONCE', ...change },
        ...(as && { as }),
      })
    const changed = await ask(itemsOf(100), mine.key)
    expect(changed.status).toBe(200)
    expect((await ok('PATCH', `/v1/orders/${order.id}`, { as: mine.key, body: itemsOf(100) })).data.totals).toEqual(
      changed.body.data.totals,
    )
    expect(codeOf(await ask(itemsOf(101), mine.key))).toEqual([422, 'reserved_stock_conflict'])
    expect(codeOf(await ask({ ...itemsOf(1), orderId: undefined, promoCode: null }, mine.key))).toEqual([422, 'reserved_stock_conflict'])
    expect(codeOf(await ask(itemsOf(1)))).toEqual([404, 'not_found'])
    const others = { ...itemsOf(1), storeId: other.storeId, items: [{ productId: other.basket.id, quantity: 1 }] }
    expect(codeOf(await ask(others, other.key))).toEqual([404, 'not_found'])
  })
})

test('an order that is replaced has nothing of what is left out', async () => {
  const whole = {
    customer: { name: 'Lina', phone: newPhone(), phoneAlt: newPhone(), email: 'lina@example.dz' },
    destination: { ...PLACE, deliveryType: 'pickup', pickupId: 'desk 1' },
    note: 'ring',
  }
  const order = await place(on, whole)
  expect(order).toMatchObject({ customer: whole.customer, destination: { pickupId: 'desk 1' } })
  const items = [{ productId: on.basket.id, quantity: 1 }]
  const body = { customer: { name: 'Lina', phone: whole.customer.phone }, destination: PLACE, items }
  expect((await ok('PUT', `/v1/orders/${order.id}`, { as: on.key, body })).data).toMatchObject({
    customer: { ...body.customer, phoneAlt: null, email: null },
    destination: { pickupId: null },
    note: '',
  })
})

test('an order tells each status that it had, and who brought it there', async () => {
  const { id } = await place(on)
  const as = on.owner.token
  await ok('PATCH', `/v1/orders/${id}`, { as, body: { status: 'unreachable', reason: 'rang twice' } })
  await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status: 'confirmed' } })
  await carried(on, id, 'delivered')
  const { history } = await read(on, id)
  expect(
    history.map(({ fromStatus, toStatus, reason, by }: never) => [fromStatus, toStatus, reason, (by as { kind: string }).kind]),
  ).toEqual([
    [null, 'pending', '', 'key'],
    ['pending', 'unreachable', 'rang twice', 'person'],
    ['unreachable', 'confirmed', '', 'key'],
    ['confirmed', 'sent', '', 'key'],
    ['sent', 'delivered', '', 'carrier'],
  ])
  expect(history[1].by).toEqual({ kind: 'person', id: on.owner.id, name: 'Owner', appId: null, appName: null, administrator: null })
})

test('what happened to parcels of a phone number is shown as counts, whichever store sent them', async () => {
  const phone = newPhone()
  const [taken, refused, back] = [await place(on, {}, phone), await place(other, {}, phone), await place(other, {}, phone)]
  await carried(on, taken.id, 'out for delivery', 'delivered')
  await carried(other, refused.id, 'out for delivery', 'returning', 'returned')
  await carried(other, back.id, 'delivered', 'returning', 'returned')
  const { recipient } = await read(on, (await place(on, {}, phone)).id)
  expect(recipient).toEqual({
    delivered: 1,
    returned: 1,
    refused: 1,
    risk: { level: 'high', ended: 3, refused: 2, refusedShare: 0.667 },
  })
})

describe('many orders at once', () => {
  test(':batchUpdate answers row by row', async () => {
    const [one, two, foreign] = [await place(on), await place(on), await place(other)]
    const orders = [
      { id: one.id, status: 'confirmed', note: 'ring' },
      { id: two.id, status: 'delivered' },
      { id: foreign.id, note: 'x' },
      { id: 'ord_none' },
    ]
    const { data } = await ok('POST', '/v1/orders:batchUpdate', { as: on.key, body: { storeId: on.storeId, orders } })
    expect(data[0].order).toMatchObject({ status: 'confirmed', note: 'ring' })
    expect(data.slice(1).map(({ id, error }: never) => [id, (error as { code: string }).code])).toEqual([
      [two.id, 'invalid_transition'],
      [foreign.id, 'not_found'],
      ['ord_none', 'invalid_request'],
    ])
    const twice = {
      orders: [
        { id: one.id, note: 'a' },
        { id: one.id, note: 'b' },
      ],
    }
    expect(codeOf(await call('POST', '/v1/orders:batchUpdate', { as: on.key, body: twice }))).toEqual([400, 'invalid_request'])
    expect((await call('POST', '/v1/orders:batchDelete', { as: on.key, body: twice })).status).toBe(404)
  })

  test('a row with what cannot be kept is refused alone', async () => {
    const [one, two, three] = [await place(on), await place(on), await place(on)]
    const orders = [
      { id: one.id, note: 'ring' },
      { id: two.id, note: 'a\0' },
      { id: three.id, note: 'knock' },
    ]
    const { data } = await ok('POST', '/v1/orders:batchUpdate', { as: on.key, body: { orders } })
    expect(data.map(({ order, error }: never) => (error as { code: string })?.code ?? (order as { note: string }).note)).toEqual([
      'ring',
      'invalid_request',
      'knock',
    ])
  })

  test('are given to people who may confirm them, in turn', async () => {
    const as = on.owner.token
    const join = async (role: string) => {
      const who = await person(role)
      await ok('POST', `/v1/stores/${on.storeId}/members`, { as, body: { email: who.email, role } })
      return who
    }
    const [agent, viewer] = [await join('agent'), await join('viewer')]
    const placed = await Promise.all([place(on), place(on), place(on)])
    const ids = placed.map(({ id }) => id)
    const give = (body: object) => call('POST', '/v1/orders/assign', { as, body: { storeId: on.storeId, orderId: ids[0], ...body } })
    expect((await give({ userId: agent.id })).body.data.assignedTo).toBe(agent.id)
    expect(codeOf(await give({ userId: viewer.id }))).toEqual([422, 'unknown_person'])
    expect(codeOf(await give({ userId: other.owner.id }))).toEqual([422, 'unknown_person'])
    expect((await give({ userId: null })).body.data.assignedTo).toBeNull()
    const many = { storeId: on.storeId, orderIds: [...ids, 'ord_none'], userIds: [agent.id, on.owner.id] }
    const { data } = await ok('POST', '/v1/orders/assignMany', { as, body: many })
    expect(
      data.map(({ order, error }: never) => (order as { assignedTo: string } | undefined)?.assignedTo ?? (error as { code: string }).code),
    ).toEqual([agent.id, on.owner.id, agent.id, 'not_found'])
    const list = await ok('GET', `/v1/orders?storeId=${on.storeId}&filter[assignedTo]=${agent.id}`, { as })
    expect(list.data.map(({ id }: { id: string }) => id).toSorted()).toEqual([ids[0], ids[2]].toSorted())
  })
})

test('orders are sent with a carrier that is named beside them, row by row', async () => {
  const [one, foreign] = [await place(on), await place(other)]
  const orders = [{ orderId: one.id }, { orderId: foreign.id }]
  const send = (carrierCode: string, as = on.key) =>
    call('POST', '/v1/orders/send', { as, body: { storeId: on.storeId, carrierCode, orders } })
  const { data } = (await send('sandbox')).body
  expect(data[0]).toMatchObject({ orderId: one.id, parcel: { status: 'submitted' } })
  expect(data[1]).toMatchObject({ orderId: foreign.id, error: { code: 'not_found' } })
  expect((await read(on, one.id)).status).toBe('sent')
  expect(codeOf(await send('nobody'))).toEqual([404, 'not_found'])
  expect(codeOf(await send('sandbox', other.key))).toEqual([404, 'not_found'])
})

describe('return', () => {
  const giveBack = (whose: Stocked, body: object, headers: Record<string, string> = {}) =>
    call('POST', '/v1/orders/return', { as: whose.key, body, headers })

  test('takes back line by line, never more than was delivered, and puts it into stock once', async () => {
    const items = [
      { productId: on.basket.id, quantity: 5 },
      { productId: on.advice.id, quantity: 2 },
    ]
    const { id } = await place(on, { items })
    expect(codeOf(await giveBack(on, { orderId: id }))).toEqual([409, 'invalid_transition'])
    await carried(on, id, 'delivered')
    const before = await onHand(on)
    const two = { orderId: id, items: [{ item: 0, quantity: 2 }], note: 'too small' }
    const first = await giveBack(on, two, { 'idempotency-key': `return ${id}` })
    expect(first.status).toBe(201)
    expect(first.body.data).toMatchObject({ items: [{ item: 0, quantity: 2 }], restocked: true, order: { status: 'delivered' } })
    expect((await giveBack(on, two, { 'idempotency-key': `return ${id}` })).body).toEqual(first.body)
    expect(await onHand(on)).toBe(before + 2)
    const answers = await Promise.all(Array.from({ length: 6 }, () => giveBack(on, { orderId: id, items: [{ item: 0, quantity: 1 }] })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422])
    expect(await onHand(on)).toBe(before + 5)
    expect(codeOf(answers.find(({ status }) => status === 422)!)).toEqual([422, 'return_too_large'])
    expect(codeOf(await giveBack(on, { orderId: id, items: [{ item: 2, quantity: 1 }] }))).toEqual([400, 'invalid_request'])
    expect(codeOf(await giveBack(other, { orderId: id }))).toEqual([404, 'not_found'])
    const rest = await giveBack(on, { orderId: id })
    expect(rest.body.data).toMatchObject({
      items: [{ item: 1, quantity: 2 }],
      restocked: false,
      operationId: null,
      order: { status: 'returned' },
    })
    expect((await read(on, id)).returns.length).toBe(5)
    // Its carrier may still say something of it.
    expect(codeOf(await call('DELETE', `/v1/orders/${id}`, { as: on.key }))).toEqual([409, 'invalid_transition'])
    // Its carrier's word comes late, and moves neither the order nor its stock any more.
    await carried(on, id, 'again', 'returning', 'returned')
    expect((await read(on, id)).status).toBe('returned')
    expect(await onHand(on)).toBe(before + 5)
  })

  test('of some leaves the rest for its parcel to bring back; what is broken goes nowhere', async () => {
    const { id } = await place(on, { items: [{ productId: on.basket.id, quantity: 4 }] })
    await carried(on, id, 'delivered')
    const before = await onHand(on)
    await giveBack(on, { orderId: id, items: [{ item: 0, quantity: 1 }] })
    const broken = await giveBack(on, { orderId: id, items: [{ item: 0, quantity: 1 }], restock: false })
    expect(broken.body.data).toMatchObject({ restocked: false, operationId: null })
    expect(await onHand(on)).toBe(before + 1)
    await carried(on, id, 'again', 'returning', 'returned')
    expect((await read(on, id)).status).toBe('returned')
    expect(await onHand(on)).toBe(before + 3)
  })
})

test('orders, parcels and stock add up after all of it', async () => {
  expect(await findDifferences(sql)).toEqual([])
  expect(await findDrift(sql)).toEqual([])
})
