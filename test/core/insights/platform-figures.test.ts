import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, person, shop, context } = await startApp()
const { token: as } = await person('The administrator')
const PATH = '/v1/admins/analytics/timeline'

test('the timeline counts sign-ups and orders of all stores by day, and has every day', async () => {
  const { storeId, key } = await shop()
  const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 1, stockKeeping: false } })
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Alger Centre', address: '', deliveryType: 'home' }
  const body = { storeId, customer: { name: 'Amina', phone: '0550123456' }, destination, items: [{ productId: product.id, quantity: 1 }] }
  for (let at = 0; at < 3; at += 1) await ok('POST', '/v1/orders', { as: key, body })
  const yesterday = Date.now() - DAY_MS
  await context.sql`update users set created_at = ${new Date(yesterday)} where is_admin`
  const { data } = await ok('GET', PATH, { as })
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 10)
  expect(data.length).toBe(30)
  expect(data.slice(-2)).toEqual([
    { day: day(yesterday), signUps: 1, orders: 0 },
    { day: day(Date.now()), signUps: 1, orders: 3 },
  ])
})

test('platform figures: the timeline has a longest range, and is for administrators', async () => {
  for (const query of ['?from=2026-01-02&to=2026-01-01', '?from=2020-01-01&to=2026-01-01', '?from=yesterday'])
    expect((await call('GET', PATH + query, { as })).status).toBe(400)
  expect((await ok('GET', `${PATH}?from=2026-01-01&to=2026-01-01`, { as })).data).toEqual([{ day: '2026-01-01', signUps: 0, orders: 0 }])
  expect((await call('GET', PATH, { as: (await person()).token })).status).toBe(403)
})
