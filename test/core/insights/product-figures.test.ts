import { expect, test } from 'bun:test'
import { listDays } from '../../../core/insights/product/range.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()
const { storeId, key } = await shop()
const theirs = await shop()
const { sql } = context
const product = (
  await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Shoe', price: 100, cost: 40, variants: [{ name: 'S' }, { name: 'L', price: 150, cost: 60.5 }, { name: 'X' }] },
  })
).data
const [small, large] = product.variants
const path = `/v1/stores/${storeId}/products/${product.id}`

/** An order that was taken at a moment, and is now so far. */
async function taken(at: string, status: string, items: object[], stateCode = '16') {
  const { data } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Amina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode, cityName: stateCode === '16' ? 'El Biar' : 'Oran', address: '', deliveryType: 'home' },
      items: items.map((item) => ({ productId: product.id, ...item })),
    },
  })
  // Its id is of its moment, as that of any order.
  const { lowestIdAt: momentOfIds } = await import('../../../core/lib/ids.ts')
  const id = momentOfIds('ord', Date.parse(at)) + data.id.slice(-16)
  await sql.begin(async (tx) => {
    await tx`insert into orders select (jsonb_populate_record(o, ${tx.json({ id, created_at: at, status, reference: id })})).* from orders o where o.id = ${data.id}`
    await tx`update order_items set order_id = ${id} where order_id = ${data.id}`
    await tx`delete from orders where id = ${data.id}`
  })
  return id
}

const s = (quantity: number) => ({ variantId: small.id, quantity })
const l = (quantity: number) => ({ variantId: large.id, quantity })
// Days begin an hour before UTC's in Algiers.
await taken('2026-03-01T22:59:59Z', 'delivered', [s(1), l(2)])
await taken('2026-03-01T23:00:00Z', 'delivered', [s(3)])
await taken('2026-03-02T22:59:59Z', 'returned', [l(1)], '31')
await taken('2026-03-02T12:00:00Z', 'cancelled', [l(5)])
await taken('2026-03-03T12:00:00Z', 'pending', [s(1)], '31')
const deleted = await taken('2026-03-03T12:00:00Z', 'pending', [s(9)])
await sql`update orders set deleted_at = now() where id = ${deleted}`
const costless = await taken('2026-03-04T12:00:00Z', 'delivered', [s(2)])
await sql`update order_items set unit_cost = null where order_id = ${costless}`

test("product figures: sales are counted by day in the store's time zone", async () => {
  const { data } = await ok('GET', `${path}/sells?from=2026-03-01&to=2026-03-05`, { as: key })
  expect(data).toMatchObject({ timeZone: 'Africa/Algiers', from: '2026-03-01', to: '2026-03-05', currencyCode: 'DZD' })
  expect(
    data.days.map(({ day, orders, units, revenue, deliveredUnits, deliveredRevenue }: Record<string, number>) => [
      day,
      orders,
      units,
      revenue,
      deliveredUnits,
      deliveredRevenue,
    ]),
  ).toEqual([
    ['2026-03-01', 1, 3, 400, 3, 400],
    ['2026-03-02', 2, 4, 450, 3, 300],
    ['2026-03-03', 1, 1, 100, 0, 0],
    ['2026-03-04', 1, 2, 200, 2, 200],
    ['2026-03-05', 0, 0, 0, 0, 0],
  ])
  expect(data.total).toEqual({ orders: 5, units: 10, revenue: 1150, deliveredUnits: 8, deliveredRevenue: 900 })
})

test('product figures: orders are counted by variant and by state', async () => {
  const { data } = await ok('GET', `${path}/report?from=2026-03-01&to=2026-03-31`, { as: key })
  expect(data.total).toEqual({
    orders: 6,
    units: 15,
    deliveredUnits: 8,
    returnedUnits: 1,
    confirmed: 4,
    delivered: 3,
    returned: 1,
    cancelled: 1,
    confirmationRate: 0.6667,
    deliveryRate: 0.75,
    returnRate: 0.25,
    cancellationRate: 0.1667,
    revenue: 900,
    cost: 281,
    margin: 619,
    unitsWithoutCost: 2,
  })
  expect(data.byStatus).toEqual({ delivered: 3, returned: 1, cancelled: 1, pending: 1 })
  expect(data.byVariant).toMatchObject([
    { variantId: small.id, name: 'S', orders: 4, delivered: 3, revenue: 600, cost: 160 },
    { variantId: large.id, name: 'L', orders: 3, delivered: 1, returned: 1, cancelled: 1, revenue: 300, cost: 121, deliveryRate: 0.5 },
  ])
  expect(data.byState).toMatchObject([
    { stateCode: '16', orders: 4, delivered: 3 },
    { stateCode: '31', orders: 2, delivered: 0, returned: 1, deliveryRate: 0 },
  ])
  const { data: none } = await ok('GET', `${path}/report?from=2025-01-01&to=2025-01-02`, { as: key })
  expect(none).toMatchObject({ total: { orders: 0, units: 0, deliveryRate: null, margin: 0 }, byStatus: {}, byVariant: [], byState: [] })
})

test('a range is one of real days, and bounded', async () => {
  expect(listDays({ from: '2028-02-28', to: '2028-03-01' }, 'Africa/Algiers')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
  expect(listDays({}, 'UTC')).toHaveLength(30)
  for (const query of [
    'from=2026-02-30',
    'from=2026-03-02&to=2026-03-01',
    'from=2020-01-01&to=2026-01-01',
    'to=0001-01-01',
    'to=yesterday',
  ])
    expect([query, (await call('GET', `${path}/sells?${query}`, { as: key })).status]).toEqual([query, 400])
  expect((await call('GET', `${path}/report`, { as: theirs.key })).status).toBe(404)
  expect((await call('GET', `/v1/stores/${theirs.storeId}/products/${product.id}/sells`, { as: theirs.key })).status).toBe(404)
})
