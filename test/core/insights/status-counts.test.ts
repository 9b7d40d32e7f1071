import { expect, test } from 'bun:test'
import { runChecks } from '../../../core/data/checks.ts'
import { statusCountCheck } from '../../../core/insights/store/count-statuses.ts'
import { drainStore } from '../../../core/orders/changes/drain-changes.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const { ok, shop, person, context } = await startApp({}, { others: 1 })
const { sql } = context
await person('The administrator')

async function stocked() {
  const on = await shop()
  const { data } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Basket', price: 1000 } })
  let phones = 0
  const place = async () => {
    const body = {
      storeId: on.storeId,
      customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: data.id, quantity: 1 }],
    }
    return (await ok('POST', '/v1/orders', { as: on.key, body })).data.id as string
  }
  const change = (id: string, status: string) => ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status } })
  const counts = async () => {
    const { data } = await ok('GET', `/v1/stores/${on.storeId}/orders/status-counts`, { as: on.key })
    const { pending, confirmed, cancelled } = data.byStatus
    return { total: data.total, pending, confirmed, cancelled }
  }
  return { ...on, place, change, counts }
}

const differences = async () => {
  const found: object[] = []
  for await (const result of runChecks(sql, [statusCountCheck])) found.push(...result.differences)
  return found
}

test('counts of statuses include each change at once, before and after background work has counted it', async () => {
  const on = await stocked()
  const [one, two, three] = [await on.place(), await on.place(), await on.place()]
  expect(await on.counts()).toEqual({ total: 3, pending: 3, confirmed: 0, cancelled: 0 })
  await on.change(one, 'confirmed')
  await on.change(two, 'cancelled')
  expect(await on.counts()).toEqual({ total: 3, pending: 1, confirmed: 1, cancelled: 1 })
  await ok('DELETE', `/v1/orders/${three}`, { as: on.key })
  const after = { total: 2, pending: 0, confirmed: 1, cancelled: 1 }
  expect(await on.counts()).toEqual(after)
  await drainStore(sql, on.storeId)
  expect(await on.counts()).toEqual(after)
  expect((await sql`select 1 from order_changes where project_id = ${on.projectId}`).length).toBe(0)
  // A deleted order that its carrier still moves counts for no status.
  await sql`update orders set status = 'confirmed' where id = ${three}`
  expect(await on.counts()).toEqual(after)
  await sql`update orders set deleted_at = null where id = ${three}`
  expect(await on.counts()).toEqual({ ...after, total: 3, confirmed: 2 })
  expect(await differences()).toEqual([])
})

test('many concurrent changes leave counts that equal the orders', async () => {
  const on = await stocked()
  const ids = await Promise.all(Array.from({ length: 30 }, on.place))
  const read: number[] = []
  await Promise.all([
    ...ids.map(async (id, at) => {
      await on.change(id, 'confirmed')
      if (at % 3 === 0) await on.change(id, 'cancelled')
    }),
    (async () => {
      for (let reads = 0; reads < 20; reads += 1) read.push((await on.counts()).total)
    })(),
  ])
  expect(new Set(read)).toEqual(new Set([30]))
  expect(await on.counts()).toEqual({ total: 30, pending: 0, confirmed: 20, cancelled: 10 })
  await until(async () => (await sql`select 1 from order_changes`).length === 0)
  expect(await on.counts()).toEqual({ total: 30, pending: 0, confirmed: 20, cancelled: 10 })
  expect(await differences()).toEqual([])
})

test('the check finds a count that differs from the orders', async () => {
  const on = await stocked()
  await on.place()
  await drainStore(sql, on.storeId)
  await sql`update order_status_counts set orders = orders + 1 where project_id = ${on.projectId}`
  expect(await differences()).toEqual([{ what: 'project', id: on.projectId, says: 'pending: counted 2, orders 1' }])
})
