import { expect, test } from 'bun:test'
import { keyedByProject, projectIdOf } from '../../../core/data/project-ids.ts'
import { aggregateMarkedDays } from '../../../core/insights/order-facts/aggregate-days.ts'
import { dayRunsOf, intervalSpansOf } from '../../../core/insights/order-facts/days.ts'
import { VIEWS_PER_MINUTE } from '../../../core/insights/order-facts/views/count-views.ts'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { startApp } from '../../support/app.ts'
import { random } from '../../support/random.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator') // the first account sees everything; no test wants to be it

type Tenant = Awaited<ReturnType<typeof shop>>

const STATUSES = ['pending', 'confirmed', 'unreachable', 'sent', 'delivered', 'delivered', 'returned', 'cancelled', 'lost']
const START = Date.parse('2026-02-01T00:00:00Z')
const RANGE = { from: '2026-02-01', to: '2026-03-31' }

/** Orders as they stand in the database: of two months, with one or two lines each. */
async function fill(of: Tenant, count: number, seed: number, moment?: string) {
  const below = random(seed)
  const pick = <V>(values: readonly V[]) => values[below(values.length)] as V
  const orders = Array.from({ length: count }, (_, at) => {
    const made = moment === undefined ? START + below(58 * 24 * 60) * 60_000 : Date.parse(moment)
    const [subtotal, delivery, discount] = [below(900_000) / 100, pick([0, 400, 650.5]), pick([0, 0, 10.25])]
    return {
      storeId: of.storeId,
      id: lowestIdAt('ord', made) + String(seed * 10_000 + at).padStart(16, '0'),
      reference: `R${seed}-${at}`,
      status: pick(STATUSES),
      customerName: 'Amina',
      customerPhone: `+21355${String(at).padStart(7, '0')}`,
      destination: { stateCode: pick(['16', '31', '09']), deliveryType: pick(['home', 'pickup']) },
      subtotal: String(subtotal),
      delivery: String(delivery),
      discount: String(discount),
      total: (subtotal + delivery - discount).toFixed(2),
      source: pick(['member', 'storefront']),
      assignedTo: pick([null, 'usr_a', 'usr_b']),
      promoCode: pick([null, null, 'EID']),
      metadata: pick([{}, { landingPageId: 'page-1' }]),
      createdAt: new Date(made).toISOString(),
      deletedAt: moment === undefined && below(20) === 0 ? new Date(made).toISOString() : null,
    }
  })
  const lines = orders.flatMap(({ storeId, id }) =>
    Array.from({ length: pick([1, 2]) }, (_, line) => ({
      storeId,
      orderId: id,
      line: line + 1,
      productId: pick(['prd_1', 'prd_2']),
      name: 'Basket',
      unitPrice: String(below(10_000) / 100),
      unitCost: pick([null, '12.5']),
      quantity: 1 + below(3),
    })),
  )
  await sql`insert into orders ${sql(orders.map((order) => ({ ...keyedByProject(order), destination: sql.json(order.destination), metadata: sql.json(order.metadata) })) as never)}`
  await sql`insert into order_items ${sql(lines.map(keyedByProject) as never)}`
  return orders
}

/** The raw sums, written without the server's code. */
const rawOf = async ({ storeId }: Tenant, { from, to }: { from: string; to: string }, zone = 'Africa/Algiers') =>
  sql<{ status: string; orders: number; total: string; delivery: string; units: number; cost: string }[]>`
    select status, count(*)::int as orders, sum(total) as total, sum(delivery) as delivery,
      sum((select sum(quantity) from order_items i where i.order_id = o.id))::int as units,
      sum((select coalesce(sum(quantity * unit_cost), 0) from order_items i where i.order_id = o.id)) as cost
    from orders o where project_id = ${projectIdOf(storeId)} and deleted_at is null
      and (created_at at time zone ${zone})::date between ${from}::date and ${to}::date group by status`

const ask = async (of: Tenant, name: string, body: object = {}) =>
  (await ok('POST', `/v1/actions/analytics/${name}`, { as: of.owner.token, body: { storeId: of.storeId, ...RANGE, ...body } })).data
const lorOf = async (of: Tenant, path = 'analytics/lor', query = '') =>
  (await ok('GET', `/v1/stores/${of.storeId}/${path}?from=${RANGE.from}&to=${RANGE.to}${query}`, { as: of.owner.token })).data
const sumOf = (rows: Awaited<ReturnType<typeof rawOf>>, what: 'orders' | 'total' | 'delivery' | 'units' | 'cost', statuses?: string[]) =>
  Math.round(rows.filter(({ status }) => !statuses || statuses.includes(status)).reduce((sum, row) => sum + Number(row[what]), 0) * 100) /
  100

/** Everything that is answered, against the raw sums. */
async function holdToRaw(of: Tenant) {
  const rows = await rawOf(of, RANGE)
  const standing = STATUSES.filter((status) => status !== 'cancelled')
  const byStatus = Object.fromEntries(rows.map(({ status, orders }) => [status, orders]))
  const [lor, timeline, finances, states, agents] = [
    await lorOf(of),
    await ask(of, 'getOrdersTimeline'),
    await ask(of, 'getFinancialTimeline', { interval: 'week' }),
    await ask(of, 'getOrdersCountByField', { field: 'stateCode' }),
    await ask(of, 'getConfirmationInsights'),
  ]
  expect(lor.total).toMatchObject({
    views: 0,
    viewToLeadRate: null,
    leads: sumOf(rows, 'orders'),
    orders: sumOf(rows, 'orders', standing),
    confirmed: sumOf(rows, 'orders', ['confirmed', 'sent', 'delivered', 'returned', 'lost']),
    delivered: sumOf(rows, 'orders', ['delivered']),
    returned: sumOf(rows, 'orders', ['returned']),
  })
  expect(timeline.total).toEqual({ orders: sumOf(rows, 'orders'), units: sumOf(rows, 'units'), byStatus })
  expect(finances.total).toMatchObject({
    total: sumOf(rows, 'total', standing),
    delivery: sumOf(rows, 'delivery', standing),
    delivered: sumOf(rows, 'total', ['delivered']),
    cost: sumOf(rows, 'cost', ['delivered']),
  })
  expect(states.total).toBe(lor.total.leads)
  expect(agents.total.byStatus).toEqual(byStatus)
  for (const { series, total, key } of [
    { ...lor, key: 'leads' },
    { ...timeline, key: 'orders' },
    { ...finances, key: 'total' },
  ]) {
    const summed = series.reduce((sum: number, one: Record<string, number>) => sum + one[key]!, 0)
    expect([key, Math.round(summed * 100) / 100]).toEqual([key, total[key]])
  }
  return lor.total.leads as number
}

const marked = async ({ storeId }: Tenant) => {
  await drainChanges(context)
  return Number((await sql`select count(*) as count from analytics_marks where project_id = ${projectIdOf(storeId)}`)[0]?.count)
}

const mine = await shop()
const orders = await fill(mine, 600, 1)

test('what is answered equals the raw sums: before it is counted, when it is, and when orders changed since', async () => {
  const before = await holdToRaw(mine)
  // A part of them may have been counted meanwhile: it is the minute's job.
  expect(await marked(mine)).toBeWithin(1, 601)
  await aggregateMarkedDays(context)
  expect(await marked(mine)).toBe(0)
  expect(await holdToRaw(mine)).toBe(before)
  const [{ count } = { count: 0 }] =
    await sql`select count(*)::int as count from analytics_days where project_id = ${projectIdOf(mine.storeId)}`
  expect(count).toBeGreaterThan(54)
  const [first, second, third] = orders.filter(({ deletedAt, status }) => deletedAt === null && status !== 'returned')
  await sql`update orders set status = 'returned' where id = ${first!.id}`
  await sql`update orders set deleted_at = now() where id = ${second!.id}`
  await sql`update orders set customer_name = 'Sara' where id = ${third!.id}`
  expect(await marked(mine)).toBe(2)
  expect(await holdToRaw(mine)).toBe(before - 1)
  await aggregateMarkedDays(context)
  expect(await holdToRaw(mine)).toBe(before - 1)
})

test('days are counted while orders come in and change: nothing is lost', async () => {
  const own = await shop()
  const made = await fill(own, 120, 2)
  const below = random(7)
  const change = async () => {
    for (let round = 0; round < 40; round += 1) {
      await sql`update orders set status = ${STATUSES[below(STATUSES.length)]!} where id = ${made[below(made.length)]!.id}`
    }
  }
  const folding = async () => {
    for (let round = 0; round < 4; round += 1) await aggregateMarkedDays(context)
  }
  await Promise.all([change(), change(), folding(), folding()])
  await holdToRaw(own)
  await aggregateMarkedDays(context)
  expect(await marked(own)).toBe(0)
  await holdToRaw(own)
})

test("a day begins when it does in the store's country, and counts anew when that is another one", async () => {
  const own = await shop()
  await fill(own, 1, 3, '2026-02-10T23:30:00Z')
  const dayOf = async () =>
    (await lorOf(own)).series.filter(({ leads }: { leads: number }) => leads > 0).map(({ from }: { from: string }) => from)
  expect(await dayOf()).toEqual(['2026-02-11'])
  await aggregateMarkedDays(context)
  expect(await dayOf()).toEqual(['2026-02-11'])
  await sql`update stores set country_code = 'SN' where id = ${own.storeId}`
  expect(await dayOf()).toEqual(['2026-02-10'])
  await sql`insert into analytics_marks values (${projectIdOf(own.storeId)}, '2026-03-01T00:00:00Z')`
  await aggregateMarkedDays(context)
  expect(await dayOf()).toEqual(['2026-02-10'])
  const zones = await sql`select distinct time_zone from analytics_days where project_id = ${projectIdOf(own.storeId)}`
  expect(zones.map(({ timeZone }) => timeZone)).toEqual(['Africa/Dakar'])
})

test('analytics: orders are counted by each field, and separated by product and landing page', async () => {
  const fields = ['status', 'stateCode', 'source', 'deliveryType', 'assignedTo', 'paymentStatus', 'promoCode', 'landingPageId', 'productId']
  const leads = (await lorOf(mine)).total.leads
  for (const field of fields) {
    const { total, values, others } = await ask(mine, 'getOrdersCountByField', { field })
    const summed = values.reduce((sum: number, { orders }: { orders: number }) => sum + orders, 0)
    expect([field, total, others]).toEqual([field, leads, 0])
    expect([field, field === 'productId' ? summed > leads : summed === leads]).toEqual([field, true])
  }
  const one = await ask(mine, 'getOrdersCountByField', { field: 'status', limit: 1 })
  expect([one.values[0].value, one.values.length, one.others]).toEqual(['delivered', 1, 7])
  const [{ count: ofPage } = { count: 0 }] = await sql`select count(*)::int as count from orders
    where project_id = ${projectIdOf(mine.storeId)} and deleted_at is null and metadata ->> 'landingPageId' = 'page-1'`
  expect((await lorOf(mine, 'product_landing_pages/page-1/analytics/lor')).total.leads).toBe(ofPage)
  expect((await lorOf(mine, 'product_landing_pages/none/analytics/lor')).total).toMatchObject({ leads: 0, leadToOrderRate: null })
})

test('products and stores are asked for together, each its own', async () => {
  const own = await shop()
  const as = own.owner.token
  const [basket, cap] = await Promise.all(
    ['Basket', 'Cap'].map(
      async (name) => (await ok('POST', '/v1/products', { as: own.key, body: { storeId: own.storeId, name, price: 100 } })).data,
    ),
  )
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité', deliveryType: 'home' }
  const items = [
    { productId: basket.id, quantity: 2 },
    { productId: basket.id, quantity: 1 },
  ]
  const body = { storeId: own.storeId, customer: { name: 'Amina', phone: '0550123456' }, destination, items }
  const placed = (await ok('POST', '/v1/orders', { as: own.key, body })).data
  const batch = `/v1/stores/${own.storeId}/products/analytics/lor/batch`
  const { data } = await ok('POST', batch, { as, body: { productIds: [cap.id, basket.id], interval: 'month' } })
  expect(data.map(({ productId, total }: { productId: string; total: object }) => [productId, total])).toMatchObject([
    [cap.id, { leads: 0 }],
    [basket.id, { leads: 1, orders: 1, confirmed: 0, leadToOrderRate: 1, deliveryRate: null }],
  ])
  expect((await ask(own, 'getOrdersTimeline', { productId: basket.id, from: undefined, to: undefined })).total).toMatchObject({
    orders: 1,
    units: 3,
  })
  await aggregateMarkedDays(context)
  await ok('PATCH', `/v1/orders/${placed.id}`, { as: own.key, body: { items: [{ productId: cap.id, quantity: 3 }] } })
  const changed = await ok('POST', batch, { as, body: { productIds: [cap.id, basket.id] } })
  expect(changed.data.map(({ total }: { total: { leads: number } }) => total.leads)).toEqual([1, 0])
  const stores = '/v1/stores/analytics/lor/batch'
  expect((await ok('POST', stores, { as, body: { storeIds: [own.storeId] } })).data[0].total.leads).toBe(1)
  for (const [path, body] of [
    [stores, { storeIds: [own.storeId, mine.storeId] }],
    [batch, { productIds: [basket.id, 'prd_none'] }],
  ] as const)
    expect((await call('POST', path, { as, body })).status).toBe(404)
  expect((await call('GET', `/v1/stores/${mine.storeId}/products/${basket.id}/analytics/lor`, { as: mine.key })).status).toBe(404)
})

test('analytics: an invalid or too long range is refused with a pointer to its field', async () => {
  for (const [body, path] of [
    [{ from: '2026-02-02', to: '2026-02-01' }, '/body/to'],
    [{ from: '2020-02-02' }, '/body/from'],
    [{ from: '2026-02-30' }, '/body/from'],
  ] as const) {
    const answer = await call('POST', '/v1/actions/analytics/getOrdersTimeline', {
      as: mine.key,
      body: { storeId: mine.storeId, to: '2026-03-01', ...body },
    })
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path])
  }
})

test('scattered days are read in few runs, each of them once', () => {
  const day = (at: number) => new Date(START + at * 24 * HOUR_MS).toISOString().slice(0, 10)
  const within = (days: readonly string[]) => dayRunsOf(days, 'UTC').map(({ from, until }) => [from, until])
  expect(within([])).toEqual([])
  expect(within([day(0), day(1), day(4)])).toEqual([
    [day(0), day(2)],
    [day(4), day(5)],
  ])
  const scattered = Array.from({ length: 40 }, (_, at) => day(at * 2 + (at >= 20 ? 5 : 0)))
  const runs = within(scattered)
  expect(runs).toHaveLength(6)
  for (const one of scattered) expect(runs.filter(([from = '', until = '']) => one >= from && one < until)).toHaveLength(1)
  expect(runs.some(([, until]) => until === day(39))).toBe(true)
})

test('weeks begin on Monday, and intervals hold every day once', () => {
  const days = Array.from({ length: 20 }, (_, at) => new Date(Date.parse('2026-02-25') + at * 24 * HOUR_MS).toISOString().slice(0, 10))
  expect(intervalSpansOf(days, 'week').map(({ from, to }) => [from, to])).toEqual([
    ['2026-02-25', '2026-03-01'],
    ['2026-03-02', '2026-03-08'],
    ['2026-03-09', '2026-03-15'],
    ['2026-03-16', '2026-03-16'],
  ])
  expect(intervalSpansOf(days, 'month').map(({ days: within }) => within.length)).toEqual([4, 16])
})

test("page views: anonymous views are counted once each under concurrency, by day in the store's time zone", async () => {
  const mine = await shop()
  const other = await shop()
  const product = (await ok('POST', '/v1/products', { as: mine.owner.token, body: { storeId: mine.storeId, name: 'Basket', price: 100 } }))
    .data
  const view = (body: object, storeId = mine.storeId) => call('POST', `/v1/stores/${storeId}/views`, { body })
  const asked = [{}, { productId: product.id }, { landingPageId: 'ramadan' }, { productId: product.id, landingPageId: 'ramadan' }]
  const told = await Promise.all(Array.from({ length: 200 }, (_, at) => view(asked[at % asked.length] ?? {})))
  expect(told.map(({ status }) => status)).toEqual(Array(200).fill(200))
  expect((await view({ productId: product.id }, other.storeId)).status).toBe(404)
  expect((await view({ landingPageId: '<b>' })).status).toBe(400)
  const lor = async (path: string) => (await ok('GET', `/v1/stores/${mine.storeId}/${path}`, { as: mine.owner.token })).data
  const places = ['analytics/lor', `products/${product.id}/analytics/lor`, 'product_landing_pages/ramadan/analytics/lor']
  const figures = await Promise.all(places.map(lor))
  expect(figures.map(({ total }) => [total.views, total.viewToLeadRate])).toEqual([
    [200, 0],
    [100, 0],
    [100, 0],
  ])
  expect(figures.map(({ series }) => series.at(-1).views + series.at(-2).views)).toEqual([200, 100, 100])
  // 23:30 of the day before in UTC is the next day in Algiers.
  await sql`insert into store_views values (${projectIdOf(mine.storeId)}, 'store', '', '2026-02-09T23:30:00Z', 7)`
  const february = (await ok('GET', `/v1/stores/${mine.storeId}/analytics/lor?from=2026-02-09&to=2026-02-10`, { as: mine.owner.token }))
    .data
  expect(february.series.map(({ views }: { views: number }) => views)).toEqual([0, 7])
})

test('page views: a network has a limit per minute, and a store a limit of landing pages', async () => {
  const mine = await shop()
  const view = (body: object, as?: string) => call('POST', `/v1/stores/${mine.storeId}/views`, { body, ...(as && { as }) })
  await sql`insert into store_landing_pages select ${projectIdOf(mine.storeId)}, 'page-' || n from generate_series(1, 999) n`
  await Promise.all(['new-1', 'new-2', 'page-7'].map((landingPageId) => view({ landingPageId }, mine.owner.token)))
  const pages =
    await sql`select key from store_views where project_id = ${projectIdOf(mine.storeId)} and dimension = 'landingPageId' order by key`
  expect(pages.map(({ key }) => key)).toHaveLength(2)
  expect(pages.map(({ key }) => key)).toContain('page-7')
  const statuses = await Promise.all(Array.from({ length: VIEWS_PER_MINUTE + 5 }, async () => (await view({})).status))
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  expect((await view({}, mine.owner.token)).status).toBe(200)
  const [row] = await sql`select views from store_views where project_id = ${projectIdOf(mine.storeId)} and dimension = 'store'`
  expect(Number(row?.views)).toBe(VIEWS_PER_MINUTE + 4)
})
