import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { invariant } from '../../../core/lib/invariant.ts'
import { findOrder } from '../../../core/orders/orders.queries.ts'
import { readFulfilment } from '../../../core/orders/parcels/fulfilment.ts'
import { startApp } from '../../support/app.ts'
import { findCashDifferences } from '../../support/cash.ts'
import { findDifferences, findDrift } from '../../support/checks.ts'
import { receiver } from '../../support/receiver.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator')

const SECRET = 'a secret'
const PLACE = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité 5 juillet', deliveryType: 'home' }
const on = await shop({ settings: { deliveryPrices: { home: 600, byState: { '16': { home: 400 } } } } })
const other = await shop()
await ok('PUT', `/v1/stores/${on.storeId}/integrations/sandbox`, {
  as: on.owner.token,
  body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
})
await ok('PUT', `/v1/stores/${other.storeId}/integrations/sandbox`, {
  as: other.owner.token,
  body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
})
const made = async (product: object) => (await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, ...product } })).data
const basket = await made({ name: 'Basket', sku: 'B', price: 1000, weightKg: 2, initialStock: 100 })
const lamp = await made({ name: 'Lamp', sku: 'L', price: 500, weightKg: 0.5, initialStock: 100 })
await ok('POST', '/v1/promos', { as: on.owner.token, body: { storeId: on.storeId, code: 'LESS', kind: 'fixed', value: 700 } })

let phones = 0
/** Three baskets and a lamp: 3500, and 400 for delivery. */
const place = async (more: object = {}) =>
  (
    await ok('POST', '/v1/orders', {
      as: on.key,
      body: {
        storeId: on.storeId,
        customer: { name: 'Lina', phone: `+213560${String(++phones).padStart(6, '0')}` },
        destination: PLACE,
        items: [
          { productId: basket.id, quantity: 3 },
          { productId: lamp.id, quantity: 1 },
        ],
        ...more,
      },
    })
  ).data
const pathOf = (id: string, verb = 'send', storeId = on.storeId) => `/v1/stores/${storeId}/orders/${id}/carriers/sandbox/${verb}`
const send = async (id: string, body: object = {}) => (await ok('POST', pathOf(id), { as: on.key, body })).data.parcel
const refusal = async (id: string, body: object) => {
  const { status, body: answer } = await call('POST', pathOf(id), { as: on.key, body })
  return [status, answer.error?.code]
}
const read = async (id: string) => (await ok('GET', `/v1/orders/${id}`, { as: on.key })).data
let said = 0
async function says(parcel: { trackingId: string }, ...statuses: string[]) {
  for (const status of statuses) {
    const raw = JSON.stringify({ tracking: parcel.trackingId, status, at: new Date().toISOString(), eventId: `p${++said}` })
    const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
    const headers = { 'x-sandbox-signature': signature }
    await ok('POST', `/v1/stores/${on.storeId}/integrations/sandbox/webhook`, { raw, headers } as never)
  }
}
async function stock(product: { inventoryKey: string } = basket) {
  const { data } = await ok('GET', `/v1/inventory/balances?namespace=main&key=${product.inventoryKey}`, { as: on.key })
  const { onHand, reserved } = data[0]
  return { onHand, reserved }
}
/** What stock changes by. */
async function stockBy(work: () => Promise<unknown>, product = basket) {
  const before = await stock(product)
  await work()
  const after = await stock(product)
  return [after.onHand - before.onHand, after.reserved - before.reserved]
}

describe('an order in several parcels', () => {
  test('each carries its items, collects their price, and is sent once', async () => {
    const order = await place()
    const first = await send(order.id, { items: [{ item: 0, quantity: 2 }] })
    expect(first).toMatchObject({ codAmount: 2400, declaredValue: 2000, weightKg: 4, contents: 'Basket x2', reference: order.reference })
    expect((await send(order.id, { items: [{ item: 0, quantity: 2 }] })).id).toBe(first.id)
    expect(await read(order.id)).toMatchObject({
      status: 'sent',
      parcels: [{ id: first.id, carrier: 'sandbox', codAmount: 2400, items: [{ item: 0, quantity: 2, returned: 0 }] }],
      fulfilment: [
        { item: 0, quantity: 3, left: 1, sent: 2, delivered: 0, returned: 0, lost: 0, givenUp: 0 },
        { item: 1, quantity: 1, left: 1, sent: 0 },
      ],
    })
    const rest = await send(order.id)
    expect(rest).toMatchObject({ codAmount: 1500, declaredValue: 1500, weightKg: 2.5, contents: 'Basket x1, Lamp x1' })
    expect(rest.reference).toBe(`${order.reference}-2`)
    expect((await send(order.id)).id).toBe(rest.id)
    expect((await read(order.id)).parcelId).toBe(rest.id)
    expect((await ok('GET', `/v1/orders/${order.id}/track`)).data.parcels).toEqual([
      { status: 'submitted', trackingId: first.trackingId, carrier: 'sandbox' },
      { status: 'submitted', trackingId: rest.trackingId, carrier: 'sandbox' },
    ])
    const page = await call('GET', `/v1/orders/${order.id}/track`, { headers: { accept: 'text/html' } })
    for (const { trackingId } of [first, rest]) expect(page.body).toContain(trackingId)
  })

  test('a discount is shared, what was asked to be collected is bounded by what is left, and all of it comes to the total', async () => {
    const order = await place({ promoCode: 'LESS' })
    expect(order.totals).toMatchObject({ total: 3200 })
    const two = await send(order.id, { items: [{ item: 0, quantity: 2 }] })
    expect(two.codAmount).toBe(2000 - 400 + 400)
    expect(await refusal(order.id, { items: [{ item: 0, quantity: 1 }], codAmount: 1201 })).toEqual([400, 'invalid_request'])
    const asked = await send(order.id, { items: [{ item: 0, quantity: 1 }], codAmount: 100 })
    expect(asked.codAmount).toBe(100)
    expect(await refusal(order.id, { codAmount: 5 })).toEqual([400, 'invalid_request'])
    expect((await send(order.id, { codAmount: 1100 })).codAmount).toBe(1100)
    const whole = await place()
    expect(await refusal(whole.id, { codAmount: 5 })).toEqual([400, 'invalid_request'])
    expect((await send(whole.id, { codAmount: 3900 })).codAmount).toBe(3900)
  })

  test('equal parts go under names, and more than there is never goes', async () => {
    const order = await place()
    const one = { items: [{ item: 0, quantity: 1 }] }
    const [a, b] = [await send(order.id, { ...one, part: 'a' }), await send(order.id, { ...one, part: 'b' })]
    expect(b.id).not.toBe(a.id)
    expect((await send(order.id, { ...one, part: 'a' })).id).toBe(a.id)
    expect((await send(order.id, { part: 'b' })).id).toBe(b.id)
    expect(await refusal(order.id, { items: [{ item: 1, quantity: 1 }], part: 'a' })).toEqual([400, 'invalid_request'])
    expect(await refusal(order.id, { items: [{ item: 0, quantity: 2 }] })).toEqual([409, 'order_already_sent'])
    expect(await refusal(order.id, { items: [{ item: 2, quantity: 1 }] })).toEqual([400, 'invalid_request'])
    expect(await refusal(order.id, { items: [...one.items, ...one.items] })).toEqual([400, 'invalid_request'])
    expect(await refusal(order.id, { items: [{ item: 0, quantity: 0 }] })).toEqual([400, 'invalid_request'])
    const all = await place()
    const whole = await send(all.id, {
      items: [
        { item: 1, quantity: 1 },
        { item: 0, quantity: 3 },
      ],
    })
    expect(whole.codAmount).toBe(3900)
    expect(await refusal(all.id, one)).toEqual([409, 'order_already_sent'])
  })

  test('two who send the same or overlapping parts at once send each item once', async () => {
    const order = await place()
    const parts = [0, 0, 0, 1].map((item) => ({ items: [{ item, quantity: item === 0 ? 2 : 1 }] }))
    const answers = await Promise.all([...parts, {}, {}].map((body) => call('POST', pathOf(order.id), { as: on.key, body })))
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { fulfilment, parcels } = await read(order.id)
    await send(order.id).catch(() => null)
    expect(fulfilment.every(({ sent, quantity }: { sent: number; quantity: number }) => sent <= quantity)).toBe(true)
    const after = await read(order.id)
    expect(after.fulfilment.map(({ left }: { left: number }) => left)).toEqual([0, 0])
    expect(after.parcels.reduce((sum: number, { codAmount }: { codAmount: number }) => sum + codAmount, 0)).toBe(3900)
    expect(parcels.length).toBeGreaterThan(0)
  })

  test('its goods move part by part, and its status follows all of them', async () => {
    const order = await place()
    const [first, rest] = [await send(order.id, { items: [{ item: 0, quantity: 2 }] }), await send(order.id)]
    expect(await stockBy(() => says(first, 'picked up'))).toEqual([-2, -2])
    expect(await stockBy(() => says(first, 'delivered'))).toEqual([0, 0])
    expect((await read(order.id)).status).toBe('sent')
    expect(await stockBy(() => says(rest, 'out for delivery'))).toEqual([-1, -1])
    expect((await read(order.id)).status).toBe('out_for_delivery')
    expect(await stockBy(() => says(rest, 'returning', 'returned'))).toEqual([1, 0])
    const { status, fulfilment, history } = await read(order.id)
    expect(status).toBe('delivered')
    expect(fulfilment).toMatchObject([{ delivered: 2, returned: 1 }, { returned: 1 }])
    expect(history.map(({ toStatus }: { toStatus: string }) => toStatus)).toEqual([
      'pending',
      'sent',
      'out_for_delivery',
      'returning',
      'delivered',
    ])
    const cash = await sql<{ parcelId: string; sales: string }[]>`
      select parcel_id, sales::float8 as sales from ledger_entries where parcel_id = any (${[first.id, rest.id]})`
    expect(cash.map(({ parcelId, sales }) => [parcelId, Math.abs(Number(sales))])).toEqual([[first.id, 2400]])
  })

  test('all of them back is returned, one lost and none delivered is lost', async () => {
    const [back, lost] = [await place(), await place()]
    for (const [order, ends] of [
      [back, ['returned', 'returned']],
      [lost, ['returned', 'lost']],
    ] as const) {
      const parcels = [await send(order.id, { items: [{ item: 1, quantity: 1 }] }), await send(order.id)]
      for (const [at, end] of ends.entries()) await says(parcels[at], 'picked up', end)
    }
    expect((await read(back.id)).status).toBe('returned')
    expect((await read(lost.id)).status).toBe('lost')
    await ok('DELETE', `/v1/orders/${back.id}`, { as: on.owner.token })
  })

  test('a part that is withdrawn, or that its carrier cancels, is left to be sent anew', async () => {
    const order = await place()
    const [first, rest] = [await send(order.id, { items: [{ item: 0, quantity: 2 }] }), await send(order.id)]
    expect(await stockBy(() => ok('POST', `/v1/parcels/${first.id}/cancel`, { as: on.key }))).toEqual([0, 0])
    expect(await read(order.id)).toMatchObject({ status: 'sent', parcelId: rest.id, fulfilment: [{ left: 2, sent: 1 }, { sent: 1 }] })
    await says(rest, 'picked up')
    expect(await stockBy(() => says(rest, 'cancelled'))).toEqual([1, 1])
    expect(await read(order.id)).toMatchObject({ status: 'confirmed', parcelId: null, parcels: [] })
    await ok('PATCH', `/v1/orders/${order.id}`, { as: on.key, body: { items: [{ productId: lamp.id, quantity: 4 }] } })
    const whole = await send(order.id)
    expect(whole).toMatchObject({ codAmount: 2400, contents: 'Lamp x4' })
    await ok('POST', pathOf(order.id, 'unsend'), { as: on.key })
    const parts = [await send(order.id, { items: [{ item: 0, quantity: 1 }] }), await send(order.id)]
    await ok('POST', pathOf(order.id, 'delete'), { as: on.key })
    expect(await sql`select 1 from parcels where id = any (${parts.map(({ id }) => id)})`).toEqual([] as never)
    expect((await read(order.id)).status).toBe('confirmed')
    expect(await stockBy(() => ok('PATCH', `/v1/orders/${order.id}`, { as: on.key, body: { status: 'cancelled' } }), lamp)).toEqual([0, -4])
  })

  test('what waits takes over what the order says; what is left is cancelled by hand', async () => {
    const order = await place({ customer: { name: 'FAIL Lina', phone: '+213560999999' } })
    expect(await refusal(order.id, { items: [{ item: 0, quantity: 1 }] })).toEqual([422, 'carrier_refused'])
    expect(await refusal(order.id, {})).toEqual([422, 'carrier_refused'])
    const items = [{ productId: lamp.id, quantity: 1 }]
    expect((await call('PATCH', `/v1/orders/${order.id}`, { as: on.key, body: { items } })).body.error.code).toBe('invalid_transition')
    const body = { customer: { name: 'Lina' }, destination: { stateCode: '31', cityName: 'Oran' } }
    await ok('PATCH', `/v1/orders/${order.id}`, { as: on.key, body })
    const waiting = await sql`select recipient->>'name' as name, destination->>'stateCode' as state, cod_amount::float8 as cod
      from parcels where order_id = ${order.id} order by id`
    expect([...waiting]).toEqual([
      { name: 'Lina', state: '31', cod: 1600 },
      { name: 'Lina', state: '31', cod: 2500 },
    ])
    const first = await send(order.id, { items: [{ item: 0, quantity: 1 }] })
    await says(first, 'delivered')
    expect(await read(order.id)).toMatchObject({ status: 'sent' })
    const cancel = () => ok('PATCH', `/v1/orders/${order.id}`, { as: on.key, body: { status: 'cancelled', reason: 'one was enough' } })
    expect(await stockBy(cancel)).toEqual([0, -2])
    const { status, fulfilment, history } = await read(order.id)
    expect([status, history.at(-1).reason]).toEqual(['delivered', 'one was enough'])
    expect(fulfilment).toMatchObject([{ left: 0, delivered: 1, givenUp: 2 }, { givenUp: 1 }])
    expect(await refusal(order.id, { items: [{ item: 1, quantity: 1 }] })).toEqual([409, 'order_already_sent'])
    expect((await call('PATCH', `/v1/orders/${order.id}`, { as: on.key, body: { status: 'cancelled' } })).body.error.code).toBe(
      'invalid_transition',
    )
  })

  test('its customer sends back what was delivered, whichever parcel it came in', async () => {
    const order = await place()
    const [first, rest] = [await send(order.id, { items: [{ item: 0, quantity: 2 }] }), await send(order.id)]
    const giveBack = (quantity: number) =>
      call('POST', '/v1/orders/return', { as: on.key, body: { orderId: order.id, items: [{ item: 0, quantity }] } })
    expect((await giveBack(1)).body.error.code).toBe('invalid_transition')
    await says(first, 'delivered')
    expect((await giveBack(3)).body.error.code).toBe('return_too_large')
    expect(await stockBy(() => giveBack(1))).toEqual([1, 0])
    await says(rest, 'delivered')
    expect(await stockBy(() => giveBack(2))).toEqual([2, 0])
    expect((await read(order.id)).fulfilment).toMatchObject([{ delivered: 0, returned: 3 }, { delivered: 1 }])
    expect(await stockBy(() => says(first, 'returning', 'returned'))).toEqual([0, 0])
    expect((await read(order.id)).status).toBe('delivered')
    expect(await stockBy(() => says(rest, 'returning', 'returned'), lamp)).toEqual([1, 0])
    expect((await read(order.id)).status).toBe('returned')
  })

  test('it is divided into so many parts at most, whatever they are called', async () => {
    const order = await place({ items: [{ productId: lamp.id, quantity: 60 }] })
    const one = { items: [{ item: 0, quantity: 1 }] }
    const odd = await send(order.id, { ...one, part: 'half a pair \ud83d' })
    expect((await send(order.id, { ...one, part: 'half a pair \ud83d' })).id).toBe(odd.id)
    await sql`insert into order_parts (project_id, order_id, id, cod_amount)
      select ${projectIdOf(on.storeId)}, ${order.id}, 'prt_' || at, 0 from generate_series(1, 48) at`
    await sql`insert into order_part_lines (project_id, order_id, part_id, line, quantity)
      select ${projectIdOf(on.storeId)}, ${order.id}, 'prt_' || at, 1, 1 from generate_series(1, 48) at`
    await send(order.id, { ...one, part: 'the last' })
    expect(await refusal(order.id, { ...one, part: 'one more' })).toEqual([422, 'limit_reached'])
    expect((await send(order.id, { ...one, part: 'the last' })).id).toBeDefined()
  })

  test('who asks again for a parcel that no carrier has is not answered with another amount', async () => {
    const customer = { name: 'FAIL Lina', phone: '+213560999998' }
    for (const body of [{}, { items: [{ item: 0, quantity: 1 }] }]) {
      const order = await place({ customer })
      expect(await refusal(order.id, body)).toEqual([422, 'carrier_refused'])
      expect(await refusal(order.id, { ...body, codAmount: 5 })).toEqual([400, 'invalid_request'])
    }
  })

  test('what is cancelled while the rest still travels is told', async () => {
    const order = await place()
    await send(order.id, { items: [{ item: 0, quantity: 1 }] })
    const hook = receiver()
    const body = { url: hook.url, events: ['order.updated', 'order.status_changed'] }
    await ok('POST', `/v1/stores/${on.storeId}/integrations/webhooks`, { as: on.owner.token, body })
    const cancelled = await ok('PATCH', `/v1/orders/${order.id}`, {
      as: on.key,
      body: { status: 'cancelled', reason: 'The lamp is sold out' },
    })
    const [told] = await hook.got(1)
    expect(told?.event).toMatchObject({ type: 'order.updated', data: { order: { id: order.id, status: 'sent' } } })
    expect(cancelled.data.status).toBe('sent')
    const { history } = await read(order.id)
    expect(history.at(-1)).toMatchObject({ fromStatus: 'sent', toStatus: 'sent', reason: 'The lamp is sold out', by: { kind: 'key' } })
  })

  test('what is in a parcel that comes or goes while the order is read is not given up', async () => {
    const { id } = await place()
    await send(id, { items: [{ item: 0, quantity: 1 }] })
    const key = { storeId: on.storeId, id }
    const undone = new Error('Only looked at.')
    const read = sql.begin(async (tx) => {
      await tx`update order_parts set parcel_id = 'par_of_another_read' where order_id = ${id}`
      await tx`update parcels set status = 'cancelled' where order_id = ${id}`
      const { parcels, fulfilment } = await readFulfilment(tx, invariant(await findOrder(tx, key), 'The order'))
      expect(parcels).toEqual([])
      expect(fulfilment).toMatchObject([
        { left: 3, givenUp: 0 },
        { left: 1, givenUp: 0 },
      ])
      throw undone
    })
    await expect(read).rejects.toBe(undone)
  })

  test("is sent neither without a credential nor by somebody else's people", async () => {
    const order = await place()
    const body = { items: [{ item: 0, quantity: 1 }] }
    expect((await call('POST', pathOf(order.id), { body })).status).toBe(401)
    expect((await call('POST', pathOf(order.id, 'send', other.storeId), { as: other.key, body })).status).toBe(404)
    expect((await call('POST', pathOf(order.id), { as: other.key, body })).status).toBe(404)
    expect((await read(order.id)).parcels).toEqual([])
  })
})

test('orders, parts, parcels, cash and stock add up after all of it', async () => {
  expect(await findDifferences(sql)).toEqual([])
  expect(await findCashDifferences(sql)).toEqual([])
  expect(await findDrift(sql)).toEqual([])
})
