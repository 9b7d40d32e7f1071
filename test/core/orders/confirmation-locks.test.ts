import { expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator')
const on = await shop({ settings: { confirmation: { opensAt: '00:00', closesAt: '00:00' } } })
const { storeId, key, owner, projectId } = on
const product = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 1000, initialStock: 100 } })

/** Class of the advisory locks of slots, as all processes must use it. */
const SLOT_CLASS = 7233040
const slot = sql`hashtext(${projectIdOf(storeId)}) & 7`
let phones = 0

async function place(): Promise<string> {
  const customer = { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` }
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' }
  const body = { storeId, customer, destination, items: [{ productId: product.data.id, quantity: 1 }] }
  const { data } = await ok('POST', '/v1/orders', { as: key, body })
  await drainChanges(context)
  return data.id
}
const desk = (path: string, body: object) =>
  call('POST', `/v1/orders/confirmation/${path}`, { as: owner.token, body: { storeId, ...body } })
const isSlotFree = () =>
  transaction(sql, async (tx) => (await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${SLOT_CLASS}, ${slot}) as free`)[0]?.free)

/** Runs `ask` while the stock of the store is locked, and returns whether the slot is free once `ask` waits for the stock. */
const slotWhileWaiting = async (ask: () => Promise<{ status: number }>) => {
  const found = await transaction(sql, async (tx) => {
    await tx`select 1 from inventory_balances where project_id = ${projectId} for update`
    const asked = ask()
    await until(async () => (await sql`select 1 from pg_locks where not granted`).length > 0)
    return { asked, isFree: await isSlotFree() }
  })
  return [(await found.asked).status, found.isFree]
}

test('confirmation: next and take wait for no slot while no change of the store waits', async () => {
  const [first, second] = [await place(), await place()]
  const taken = await transaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${SLOT_CLASS}, ${slot})`
    return [(await desk('next', {})).body.data.order.id, (await desk('take', { orderId: second })).status]
  })
  expect(taken).toEqual([first, 200])
  for (const orderId of [first, second]) await desk('release', { orderId, outcome: 'confirmed' })
})

test('confirmation: an outcome and its undoing that wait for stock leave the slot free', async () => {
  const orderId = await place()
  await desk('take', { orderId })
  expect(await slotWhileWaiting(() => desk('release', { orderId, outcome: 'cancelled', reason: 'far' }))).toEqual([200, true])
  const { pastCalls } = (await ok('GET', `/v1/orders/${orderId}`, { as: key })).data
  expect(await slotWhileWaiting(() => desk('undo', { orderId, callId: pastCalls[0].id }))).toEqual([200, true])
  expect((await desk('release', { orderId, outcome: 'confirmed' })).status).toBe(200)
})

test('confirmation: an outcome is not undone for an agent who has five orders', async () => {
  const done = await place()
  await desk('take', { orderId: done })
  const { callId } = (await desk('release', { orderId: done, outcome: 'confirmed' })).body.data
  const held: string[] = []
  for (let at = 0; at < 5; at += 1) held.push(await place())
  for (const orderId of held) expect((await desk('take', { orderId })).status).toBe(200)
  const refused = await desk('undo', { orderId: done, callId })
  expect([refused.status, refused.body.error.code]).toEqual([422, 'limit_reached'])
  await desk('release', { orderId: held[0], outcome: 'confirmed' })
  expect((await desk('undo', { orderId: done, callId })).status).toBe(200)
})
