import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { aggregateMarkedDays } from '../../../core/insights/order-facts/aggregate-days.ts'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { startApp } from '../../support/app.ts'

const { ok, shop, person, context } = await startApp()
await person('The administrator')

const SECRET = 'a secret'
let said = 0

/** A store that sells one thing for 100, which costs it 40, and what its figures say of today. */
async function selling(settings: object = {}) {
  const { storeId, key: as, owner } = await shop({ settings })
  const store = `/v1/stores/${storeId}`
  const body = { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} }
  await ok('PUT', `${store}/integrations/sandbox`, { as: owner.token, body })
  const product = (await ok('POST', '/v1/products', { as, body: { storeId, name: 'Cap', price: 100, cost: 40, initialStock: 90 } })).data
  const place = async (quantity: number, more: object = {}) => {
    const order = {
      storeId,
      customer: { name: 'Lina', phone: `055012${String(++said).padStart(4, '0')}` },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '12 rue', deliveryType: 'home' },
      items: [{ productId: product.id, quantity }],
      ...more,
    }
    return (await ok('POST', '/v1/orders', { as, body: order })).data
  }
  const send = async ({ id }: { id: string }, asked: object = {}) =>
    (await ok('POST', `${store}/orders/${id}/carriers/sandbox/send`, { as, body: asked })).data.parcel
  const says = async ({ trackingId }: { trackingId: string }, ...statuses: string[]) => {
    for (const status of statuses) {
      const raw = JSON.stringify({ tracking: trackingId, status, at: new Date().toISOString(), eventId: `e${++said}` })
      const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
      await ok('POST', `${store}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
    }
  }
  const giveBack = async ({ id }: { id: string }, more: object = {}) =>
    (await ok('POST', '/v1/orders/return', { as, body: { storeId, orderId: id, ...more } })).data
  const delivered = async (quantity: number, more: object = {}) => {
    const order = await place(quantity, more)
    await says(await send(order), 'delivered')
    return order
  }
  const instead = (quantity: number) => ({ exchange: { items: [{ productId: product.id, quantity }] } })

  /** Money that was kept, that came back and that is to come, pieces that were kept and came back, and the margin; alike wherever they are told. */
  async function figures() {
    const [summary, chart, finances, report, sells, insights] = await Promise.all([
      ok('GET', `${store}/summary`, { as }),
      ok('GET', `${store}/chart`, { as }),
      ok('POST', '/v1/actions/analytics/getFinancialTimeline', { as, body: { storeId } }),
      ok('GET', `/v1/stores/${storeId}/products/${product.id}/report`, { as }),
      ok('GET', `/v1/stores/${storeId}/products/${product.id}/sells`, { as }),
      ok('POST', '/v1/actions/analytics/getConfirmationInsights', { as, body: { storeId } }),
    ]).then((answers) => answers.map(({ data }) => data))
    const { delivered: kept, returned, underWay, margin, cost } = finances.total
    expect(summary.total.revenue).toBe(kept)
    expect(insights.total.deliveredTotal).toBe(kept)
    expect(chart.points.reduce((sum: number, { revenue }: { revenue: number }) => sum + revenue, 0)).toBe(kept)
    expect(summary.total.expected).toBe(underWay)
    expect([report.total.cost, sells.total.deliveredUnits]).toEqual([cost, report.total.deliveredUnits])
    expect(sells.total.deliveredRevenue).toBe(report.total.revenue)
    return { kept, returned, underWay, margin, units: report.total.deliveredUnits, back: report.total.returnedUnits }
  }
  /** The same before and after the day is counted. */
  async function settled() {
    const before = await figures()
    await aggregateMarkedDays(context)
    expect(await figures()).toEqual(before)
    return before
  }
  const lor = async () => (await ok('GET', `${store}/analytics/lor`, { as })).data.total
  return { storeId, as, owner, place, send, says, giveBack, delivered, instead, settled, lor, product }
}

test('figures: of an order in parts the delivered parts count as sold, and returned ones do not', async () => {
  const { place, send, says, settled } = await selling()
  const order = await place(3)
  const [one, two] = [await send(order, { items: [{ item: 0, quantity: 1 }] }), await send(order)]
  expect(await settled()).toEqual({ kept: 0, returned: 0, underWay: 300, margin: 0, units: 0, back: 0 })
  await says(one, 'delivered')
  expect(await settled()).toEqual({ kept: 100, returned: 0, underWay: 200, margin: 60, units: 1, back: 0 })
  await says(two, 'returning', 'returned')
  expect(await settled()).toEqual({ kept: 100, returned: 200, underWay: 0, margin: 60, units: 1, back: 2 })
})

test('a part that is lost, or is not sent any more, is neither sold nor to come', async () => {
  const { as, place, send, says, settled } = await selling()
  const order = await place(4)
  const [one, two] = [
    await send(order, { items: [{ item: 0, quantity: 1 }], part: 'a' }),
    await send(order, { items: [{ item: 0, quantity: 2 }], part: 'b' }),
  ]
  await says(one, 'delivered')
  await ok('PATCH', `/v1/orders/${order.id}`, { as, body: { status: 'cancelled', reason: 'enough' } })
  expect(await settled()).toMatchObject({ kept: 100, underWay: 200, units: 1 })
  await says(two, 'lost')
  expect(await settled()).toEqual({ kept: 100, returned: 0, underWay: 0, margin: 60, units: 1, back: 0 })
})

test('figures: returned goods and their share of a discount are not sold; delivery counts while any goods stay', async () => {
  const { storeId, owner, delivered, giveBack, settled } = await selling({ deliveryPrices: { home: 50 } })
  await ok('POST', '/v1/promos', { as: owner.token, body: { storeId, code: 'TEN', kind: 'percent', value: 10 } })
  const order = await delivered(2, { promoCode: 'TEN' })
  expect(await settled()).toEqual({ kept: 230, returned: 0, underWay: 0, margin: 100, units: 2, back: 0 })
  await giveBack(order, { items: [{ item: 0, quantity: 1 }] })
  expect(await settled()).toEqual({ kept: 140, returned: 90, underWay: 0, margin: 50, units: 1, back: 1 })
  await giveBack(order)
  expect(await settled()).toEqual({ kept: 0, returned: 230, underWay: 0, margin: 0, units: 0, back: 2 })
})

test("figures: goods returned from one of several parts are not sold, whatever their parcel's status", async () => {
  const { place, send, says, giveBack, settled } = await selling()
  const order = await place(3)
  const [one, two] = [await send(order, { items: [{ item: 0, quantity: 1 }] }), await send(order)]
  await says(one, 'delivered')
  await says(two, 'delivered')
  await giveBack(order, { items: [{ item: 0, quantity: 2 }] })
  expect(await settled()).toEqual({ kept: 100, returned: 200, underWay: 0, margin: 60, units: 1, back: 2 })
  await says(one, 'returning', 'returned')
  expect(await settled()).toEqual({ kept: 100, returned: 200, underWay: 0, margin: 60, units: 1, back: 2 })
})

test('an exchange keeps what was collected, sells what went out instead, and is no new lead', async () => {
  const { storeId, as, product, place, delivered, send, says, giveBack, instead, settled, lor } = await selling()
  const order = await delivered(1)
  const { exchange } = await giveBack(order, instead(1))
  expect(await settled()).toEqual({ kept: 100, returned: 0, underWay: 0, margin: 100, units: 0, back: 1 })
  await says(await send(exchange.order), 'delivered')
  expect(await settled()).toEqual({ kept: 100, returned: 0, underWay: 0, margin: 60, units: 1, back: 1 })
  expect(await lor()).toMatchObject({ leads: 1, orders: 1, confirmed: 1, delivered: 0, returned: 1 })
  const { data: report } = await ok('GET', `/v1/stores/${storeId}/products/${product.id}/report`, { as })
  expect(report.total).toMatchObject({ orders: 1, confirmed: 1, delivered: 0, returned: 1, units: 2, deliveredUnits: 1 })
  const { data: sells } = await ok('GET', `/v1/stores/${storeId}/products/${product.id}/sells`, { as })
  expect(sells.total).toMatchObject({ orders: 1, units: 2 })
  const { data: summary } = await ok('GET', `/v1/stores/${storeId}/summary`, { as })
  expect(summary.total).toMatchObject({
    orders: 1,
    confirmed: 1,
    delivered: 0,
    returned: 1,
    averageOrder: 100,
    revenue: 100,
    returnRate: 1,
  })
  expect(summary.bySource).toEqual({ member: 0, api: 1, storefront: 0, connector: 0 })
  const { data: finances } = await ok('POST', '/v1/actions/analytics/getFinancialTimeline', { as, body: { storeId } })
  expect(finances.total).toMatchObject({ goods: 200, delivery: 0, discount: 0, credit: 100, total: 100 })
  await ok('PATCH', `/v1/orders/${(await place(3)).id}`, { as, body: { discount: { amount: 20, reason: 'a scratch' } } })
  const { data: after } = await ok('POST', '/v1/actions/analytics/getFinancialTimeline', { as, body: { storeId } })
  expect(after.total).toMatchObject({ goods: 500, discount: 20, credit: 100, total: 380 })
})

test('figures: exchanging one piece for two collects the price of the second once', async () => {
  const { as, delivered, send, says, giveBack, instead, settled } = await selling()
  const order = await delivered(2)
  const asked = { items: [{ item: 0, quantity: 1 }], received: false, ...instead(2) }
  const { id, exchange } = await giveBack(order, asked)
  expect(await settled()).toMatchObject({ kept: 200, underWay: 100 })
  await says(await send(exchange.order), 'delivered')
  expect(await settled()).toMatchObject({ kept: 300, returned: 0, underWay: 0 })
  await ok('POST', `/v1/orders/${order.id}/returns/${id}/receive`, { as, body: {} })
  expect(await settled()).toEqual({ kept: 300, returned: 0, underWay: 0, margin: 180, units: 3, back: 1 })
})

test('money is given back where nothing goes out in exchange after all, and what a credit leaves over', async () => {
  const { as, delivered, giveBack, instead, settled } = await selling({ deliveryPrices: { home: 50 } })
  const order = await delivered(2)
  const { exchange } = await giveBack(order, instead(1))
  expect(exchange).toMatchObject({ credit: 200, left: 50 })
  expect(await settled()).toMatchObject({ kept: 200, returned: 50, units: 0, back: 2 })
  await ok('PATCH', `/v1/orders/${exchange.order.id}`, { as, body: { status: 'cancelled', reason: 'no longer wanted' } })
  expect(await settled()).toEqual({ kept: 0, returned: 250, underWay: 0, margin: 0, units: 0, back: 2 })
})

test('figures: a replacement that is returned too is refunded once', async () => {
  const { delivered, send, says, giveBack, instead, settled } = await selling()
  const { exchange } = await giveBack(await delivered(1), instead(1))
  await says(await send(exchange.order), 'delivered')
  const again = await giveBack(exchange.order, instead(1))
  expect(await settled()).toMatchObject({ kept: 100, returned: 0, units: 0 })
  await says(await send(again.exchange.order), 'delivered')
  expect(await settled()).toMatchObject({ kept: 100, margin: 60, units: 1, back: 2 })
  await giveBack(again.exchange.order)
  expect(await settled()).toMatchObject({ kept: 0, margin: 0, units: 0, back: 3 })
})

test('figures: an order counts for the agent who confirmed it, also from the unassigned queue', async () => {
  const { storeId, as, owner, place, lor } = await selling()
  const [lina, samir] = await Promise.all(['Lina', 'Samir'].map((name) => person(name)))
  for (const agent of [lina, samir])
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: agent!.email, role: 'agent' } })
  const decides = async (agent: typeof lina, outcome: object) => {
    await place(1)
    const { order } = (await ok('POST', '/v1/orders/confirmation/next', { as: agent!.token, body: { storeId } })).data
    await ok('POST', '/v1/orders/confirmation/release', { as: agent!.token, body: { storeId, orderId: order.id, ...outcome } })
    return order.id as string
  }
  const confirmed = await decides(lina, { outcome: 'confirmed' })
  await decides(lina, { outcome: 'cancelled', reason: 'too dear' })
  await decides(samir, { outcome: 'no_answer' })
  // A member who changes it after that has not confirmed it.
  await ok('PATCH', `/v1/orders/${confirmed}`, { as: owner.token, body: { status: 'cancelled', reason: 'sold out' } })
  const assigned = await place(1)
  await ok('POST', '/v1/orders/assign', { as: owner.token, body: { storeId, orderId: assigned.id, userId: samir!.id } })
  await place(1)
  const insights = async () =>
    (await ok('POST', '/v1/actions/analytics/getConfirmationInsights', { as, body: { storeId } })).data.agents.map(
      ({ agentId, assigned, confirmed, cancelled, waiting }: Record<string, unknown>) => [agentId, assigned, confirmed, cancelled, waiting],
    )
  const wanted = [
    [null, 1, 0, 0, 1],
    [lina!.id, 2, 0, 2, 0],
    [samir!.id, 2, 0, 0, 2],
  ]
  expect((await insights()).toSorted()).toEqual(wanted.toSorted())
  await aggregateMarkedDays(context)
  expect((await insights()).toSorted()).toEqual(wanted.toSorted())
  expect((await lor()).leads).toBe(5)
})

test("figures: a change of a part's parcel or of an exchange recounts the day of its order", async () => {
  const { storeId, place, send, delivered, giveBack, instead } = await selling()
  const { sql } = context
  const hour = HOUR_MS
  const marked = async () => {
    await drainChanges(context)
    return (await sql<{ at: string }[]>`select at from analytics_marks where project_id = ${projectIdOf(storeId)}`).map(({ at }) =>
      Date.parse(at),
    )
  }
  /** Nothing but one row is changed: what stands beside it says nothing of it. */
  const alone = async (orderId: string, hoursAgo: number, change: () => Promise<unknown>) => {
    const then = new Date(Date.now() - hoursAgo * hour)
    await sql`update orders set created_at = ${then} where id = ${orderId}`
    await drainChanges(context)
    await sql`delete from analytics_marks where project_id = ${projectIdOf(storeId)}`
    await change()
    const found = (await marked()).find((at) => at === then.getTime())
    expect(found).toBeDefined()
  }
  const order = await place(3)
  const part = await send(order, { items: [{ item: 0, quantity: 1 }] })
  await alone(order.id, 5, () => sql`update parcels set status = 'returning' where id = ${part.id}`)
  const old = await delivered(1)
  const { exchange } = await giveBack(old, instead(1))
  await alone(old.id, 9, () => sql`update orders set status = 'cancelled' where id = ${exchange.order.id}`)
})
