import { expect, test } from 'bun:test'
import { countries } from 'countries-list'
import { lowestIdAt } from '../../../core/lib/ids.ts'
import { isZone, zoneOfCountry } from '../../../core/platform/geo/catalogue/zones.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, person, context } = await startApp()
const { storeId, key, owner } = await shop()
const theirs = await shop()
const { sql } = context
const store = `/v1/stores/${storeId}`
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Shoe', price: 100 } })

const order = async (as = key, quantity = 1) =>
  (
    await ok('POST', '/v1/orders', {
      as,
      body: {
        storeId,
        customer: { name: 'Amina', phone: '0550123456' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
        items: [{ productId: product.id, quantity }],
      },
    })
  ).data

/** An order that was taken at a moment, and is now so far; its id is of its moment, as that of any order. */
async function taken(at: string, status: string, quantity: number) {
  const made = await order(key, quantity)
  const id = lowestIdAt('ord', Date.parse(at)) + made.id.slice(-16)
  await sql.begin(async (tx) => {
    await tx`insert into orders select (jsonb_populate_record(o, ${tx.json({ id, created_at: at, status, reference: id })})).* from orders o where o.id = ${made.id}`
    await tx`delete from order_items where order_id = ${made.id}`
    // Counts of statuses follow what is deleted as the API deletes it.
    await tx`update orders set deleted_at = now() where id = ${made.id}`
    await tx`delete from orders where id = ${made.id}`
  })
  return id
}

// Days begin an hour before UTC's in Algiers. The first of March 2026 is a Sunday.
await taken('2026-02-28T22:59:59Z', 'delivered', 7)
await taken('2026-02-28T23:00:00Z', 'delivered', 1)
await taken('2026-03-01T23:00:00Z', 'returned', 2)
await taken('2026-03-02T22:59:59Z', 'confirmed', 3)
await taken('2026-03-02T12:00:00Z', 'cancelled', 50)
await taken('2026-03-02T23:00:00Z', 'lost', 4)
await taken('2026-03-03T23:00:00Z', 'pending', 9)
const deleted = await taken('2026-03-02T12:00:00Z', 'delivered', 90)
await sql`update orders set deleted_at = now() where id = ${deleted}`
const range = 'from=2026-03-01&to=2026-03-03'

test('a summary compares some days with as many before', async () => {
  const { data } = await ok('GET', `${store}/summary?${range}`, { as: key })
  expect(data).toMatchObject({ timeZone: 'Africa/Algiers', from: '2026-03-01', to: '2026-03-03', currencyCode: 'DZD' })
  expect(data.total).toEqual({
    orders: 5,
    confirmed: 4,
    delivered: 1,
    returned: 1,
    cancelled: 1,
    revenue: 100,
    expected: 300,
    averageOrder: 250,
    confirmationRate: 0.8,
    deliveryRate: 0.3333,
    returnRate: 0.3333,
    cancellationRate: 0.2,
  })
  expect(data.before).toMatchObject({ orders: 1, delivered: 1, revenue: 700, deliveryRate: 1 })
  expect(data.bySource).toEqual({ member: 0, api: 5, storefront: 0, connector: 0 })
  const empty = (await ok('GET', `${store}/summary?from=2020-01-01&to=2020-01-01`, { as: key })).data
  expect(empty.total).toMatchObject({ orders: 0, revenue: 0, averageOrder: null, confirmationRate: null })
})

test('a chart has every point of its range by day, week and month', async () => {
  const chart = async (query: string) =>
    (await ok('GET', `${store}/chart?${query}`, { as: owner.token })).data.points.map(
      ({ day, orders, revenue }: Record<string, unknown>) => [day, orders, revenue],
    )
  expect(await chart('from=2026-02-28&to=2026-03-05')).toEqual([
    ['2026-02-28', 1, 700],
    ['2026-03-01', 1, 100],
    ['2026-03-02', 3, 0],
    ['2026-03-03', 1, 0],
    ['2026-03-04', 1, 0],
    ['2026-03-05', 0, 0],
  ])
  expect(await chart('from=2026-02-28&to=2026-03-05&by=week')).toEqual([
    ['2026-02-23', 2, 800],
    ['2026-03-02', 5, 0],
  ])
  // Of the first month only what is in the range.
  expect(await chart('from=2026-03-02&to=2026-04-01&by=month')).toEqual([
    ['2026-03-01', 5, 0],
    ['2026-04-01', 0, 0],
  ])
})

test('store figures: orders are counted by status, for all time and for a range', async () => {
  const { data } = await ok('GET', `${store}/orders/status-counts`, { as: key })
  expect(data.total).toBe(7)
  expect(data.byStatus).toMatchObject({ delivered: 2, returned: 1, confirmed: 1, cancelled: 1, lost: 1, pending: 1, sent: 0 })
  const some = (await ok('GET', `${store}/orders/status-counts?${range}`, { as: key })).data
  expect([some.total, some.byStatus.delivered, some.byStatus.pending]).toEqual([5, 1, 0])
})

test('store figures: confirmations and their outcomes are counted by agent', async () => {
  const agents = await Promise.all(['Lina', 'Samir'].map((name) => person(name)))
  for (const { email } of agents) await ok('POST', `${store}/members`, { as: owner.token, body: { email, role: 'agent' } })
  const [lina, samir] = agents.map(({ id, token }) => ({ id, token })) as [{ id: string; token: string }, { id: string; token: string }]
  const set = (id: string, status: string, as: string) => ok('PATCH', `/v1/orders/${id}`, { as, body: { status } })
  const [first, second, third, byKey] = [await order(), await order(), await order(), await order()]
  await set(first.id, 'confirmed', lina.token)
  await set(second.id, 'confirmed', lina.token)
  await set(second.id, 'pending', lina.token)
  // The last member to confirm an order is the one who confirmed it.
  await set(second.id, 'confirmed', samir.token)
  await set(third.id, 'cancelled', samir.token)
  await set(byKey.id, 'confirmed', key)
  await sql`update orders set status = 'delivered' where id = ${first.id}`
  const { data } = await ok('GET', `${store}/leaderboard`, { as: lina.token })
  expect(data.agents).toEqual([
    {
      rank: 1,
      userId: lina.id,
      name: 'Lina',
      isMember: true,
      handled: 2,
      confirmed: 1,
      delivered: 1,
      returned: 0,
      confirmationRate: 0.5,
      deliveryRate: 1,
      revenue: 100,
    },
    {
      rank: 2,
      userId: samir.id,
      name: 'Samir',
      isMember: true,
      handled: 2,
      confirmed: 1,
      delivered: 0,
      returned: 0,
      confirmationRate: 0.5,
      deliveryRate: null,
      revenue: 0,
    },
  ])
  await ok('DELETE', `${store}/members/${lina.id}`, { as: owner.token })
  const { data: later } = await ok('GET', `${store}/leaderboard`, { as: key })
  expect(later.agents[0]).toMatchObject({ userId: lina.id, isMember: false })
  expect((await ok('GET', `${store}/leaderboard?to=2026-03-01`, { as: key })).data.agents).toEqual([])
})

test('takes days that are some, and not too many, of a store of its own', async () => {
  for (const path of ['summary', 'chart', 'leaderboard', 'orders/status-counts'])
    for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2024-01-01&to=2026-01-01', 'from=2026-02-30', 'from=x', 'to=1999-01-01']) {
      const { status, body } = await call('GET', `${store}/${path}?${query}`, { as: key })
      expect([path, query, status, body.error?.code]).toEqual([path, query, 400, 'invalid_request'])
    }
  expect((await call('GET', `${store}/chart?by=hour`, { as: key })).status).toBe(400)
  expect((await call('GET', `${store}/summary`, { as: theirs.key })).status).toBe(404)
  expect((await ok('GET', `/v1/stores/${theirs.storeId}/summary?${range}`, { as: theirs.key })).data.total.orders).toBe(0)
})

test("store figures: days begin in the store's time zone, or in its capital's; an unknown zone is refused", async () => {
  const own = await shop()
  const path = `/v1/stores/${own.storeId}`
  const as = own.owner.token
  const question = { storeId: own.storeId, from: '2026-03-01', to: '2026-03-02' }
  const zones = async () => {
    const answers = await Promise.all([
      ...['summary', 'chart', 'leaderboard', 'analytics/lor'].map((what) => ok('GET', `${path}/${what}`, { as })),
      ok('POST', '/v1/actions/analytics/getOrdersTimeline', { as, body: question }),
    ])
    return new Set(answers.map(({ data }) => data.timeZone))
  }
  const set = (settings: object) => call('PATCH', path, { as, body: { settings } })
  expect(await zones()).toEqual(new Set(['Africa/Algiers']))
  expect((await set({ timeZone: 'Asia/Tokyo' })).status).toBe(200)
  expect(await zones()).toEqual(new Set(['Asia/Tokyo']))
  for (const settings of [{ timeZone: 'Foo/Bar' }, { timeZone: '' }, { confirmation: { timeZone: 'Foo/Bar' } }]) {
    const { status, body } = await set(settings)
    expect([settings, status, body.error?.code]).toEqual([settings, 400, 'invalid_request'])
  }
  expect((await set({ confirmation: { timeZone: 'Europe/Madrid' } })).status).toBe(200)
  expect(await zones()).toEqual(new Set(['Asia/Tokyo']))
  expect((await set({ timeZone: null })).status).toBe(200)
  await sql`update stores set country_code = 'ES' where id = ${own.storeId}`
  expect(await zones()).toEqual(new Set(['Europe/Madrid']))
})

test('every country with several zones has that of its capital', () => {
  const several = Object.keys(countries).filter((code) => (new Intl.Locale(`und-${code}`).getTimeZones() ?? []).length > 1)
  expect(several.filter((code) => zoneOfCountry(code) === 'UTC')).toEqual(['AQ', 'UM'])
  expect(several.map(zoneOfCountry).filter((zone) => !isZone(zone))).toEqual([])
})
