import { expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { findStockLevels } from '../../../core/shop/inventory/find-stock-levels.ts'
import { fulfillReservation } from '../../../core/shop/inventory/reservations/fulfill-reservation.ts'
import { receiveReturnOfReservation } from '../../../core/shop/inventory/reservations/receive-return.ts'
import { reserveStock } from '../../../core/shop/inventory/reservations/reserve-stock.ts'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'
import { type AnyLeg, ledger, leg, newKey, refused } from '../../support/ledger.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context
const main = await shop()

const { post, posted, reserve, balance } = ledger({ call, ok }, main.key)

test('nothing takes stock below what is reserved', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 10)])
  expect((await reserve([leg(key, 8)])).status).toBe(201)
  expect(refused(await post('supplier_return', [leg(key, -3)]))).toEqual([422, 'reserved_stock_conflict', '/body/legs/0/quantity'])
  expect(refused(await post('pos_sale', [leg(key, -1), leg(key, -2)]))[1]).toBe('reserved_stock_conflict')
  expect(refused(await post('adjust', [leg(key, -3)], { note: 'lost' }))[1]).toBe('reserved_stock_conflict')
  expect(refused(await post('fulfill', [leg('never-seen', -1)]))[1]).toBe('reserved_stock_conflict')
  expect((await post('supplier_return', [leg(key, -2)])).status).toBe(201)
  expect(await balance(key)).toMatchObject({ onHand: 8, reserved: 8, available: 0 })
})

test('a reservation sets stock aside, all of it or none', async () => {
  const [a, b] = [newKey(), newKey()]
  await posted('receive', [leg(a, 5), leg(b, 5)])
  expect(refused(await reserve([leg(a, 5), leg(b, 6)]))).toEqual([422, 'reserved_stock_conflict', '/body/legs/1/quantity'])
  expect((await balance(a)).reserved).toBe(0)
  const { data } = (await reserve([leg(a, 2), leg(b, 5)], { reference: 'ORD-1' })).body
  expect(data).toMatchObject({
    status: 'active',
    expiresAt: null,
    reference: 'ORD-1',
    legs: [{ namespace: 'main', key: a, batch: '', quantity: 2, fulfilled: 0 }, { key: b }],
  })
  expect((await ok('GET', `/v1/inventory/reservations/${data.id}`, { as: main.key })).data).toEqual(data)
  expect(await balance(a)).toMatchObject({ onHand: 5, reserved: 2, available: 3 })
  const released = await ok('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key })
  expect(released.data.status).toBe('released')
  expect((await ok('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key })).data.status).toBe('released')
  expect(await balance(b)).toMatchObject({ onHand: 5, reserved: 0 })
  expect(refused(await post('fulfill', [leg(a, -1)], { reservationId: data.id }))[1]).toBe('reservation_not_active')
  expect((await post('fulfill', [leg(a, -1)], { reservationId: 'res_nothing' })).status).toBe(404)
  for (const body of [
    { legs: [leg(a, 0)] },
    { legs: [leg(a, -1)] },
    { legs: [leg(a, 1.00001)] },
    { legs: [leg(a, 1)], ttlSeconds: 0 },
    { legs: [leg(a, 1)], expiresAt: '2001-01-01T00:00:00.000Z' },
    { legs: [leg(a, 1)], expiresAt: '2999-01-01T00:00:00Z', ttlSeconds: 5 },
    { legs: [] },
  ]) {
    expect((await call('POST', '/v1/inventory/reservations', { as: main.key, body })).status).toBe(400)
  }
})

test('a reservation without a batch takes the oldest that has something, and is fulfilled in parts', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 3, { batch: 'new-1' })])
  await posted('receive', [leg(key, 3, { batch: 'a-later' })])
  const { data } = (await reserve([leg(key, 4), leg(key, 1, { batch: 'new-1' })])).body
  expect(data.legs.map(({ batch, quantity }: AnyLeg) => [batch, quantity])).toEqual([
    ['new-1', 3],
    ['a-later', 2],
  ])
  expect(refused(await post('fulfill', [leg(key, -6)], { reservationId: data.id }))).toEqual([
    422,
    'reserved_stock_conflict',
    '/body/legs/0/quantity',
  ])
  const part = await posted('fulfill', [leg(key, -4)], { reservationId: data.id })
  expect(part.movements.map(({ batch, quantity }: AnyLeg) => [batch, quantity])).toEqual([
    ['new-1', -3],
    ['a-later', -1],
  ])
  const read = async () => (await ok('GET', `/v1/inventory/reservations/${data.id}`, { as: main.key })).data
  expect(await read()).toMatchObject({ status: 'active', legs: [{ fulfilled: 3 }, { fulfilled: 1 }] })
  await posted('fulfill', [leg(key, -1, { batch: 'a-later' })], { reservationId: data.id })
  expect(await read()).toMatchObject({ status: 'fulfilled' })
  expect(await balance(key, 'a-later')).toMatchObject({ onHand: 1, reserved: 0 })
  expect(refused(await call('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key }))[1]).toBe('reservation_not_active')
})

test('several legs may take from one line of a reservation', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 10)])
  const { data } = (await reserve([leg(key, 5)])).body
  const read = async () => (await ok('GET', `/v1/inventory/reservations/${data.id}`, { as: main.key })).data
  await posted('fulfill', [leg(key, -1), leg(key, -2, { batch: '' })], { reservationId: data.id })
  expect(await read()).toMatchObject({ status: 'active', legs: [{ quantity: 5, fulfilled: 3 }] })
  expect(await balance(key)).toMatchObject({ onHand: 7, reserved: 2 })
  expect(refused(await post('fulfill', [leg(key, -1), leg(key, -2)], { reservationId: data.id }))[1]).toBe('reserved_stock_conflict')
  await posted('fulfill', [leg(key, -1), leg(key, -1)], { reservationId: data.id })
  expect(await read()).toMatchObject({ status: 'fulfilled', legs: [{ fulfilled: 5 }] })
  expect(await balance(key)).toMatchObject({ onHand: 5, reserved: 0 })
  const other = (await reserve([leg(key, 4)])).body.data
  await posted('fulfill', [leg(key, -1), leg(key, -2)], { reservationId: other.id })
  expect((await ok('POST', `/v1/inventory/reservations/${other.id}/release`, { as: main.key })).data.status).toBe('released')
  expect(await balance(key)).toMatchObject({ onHand: 2, reserved: 0 })
  expect(await findDrift(sql, main.projectId)).toEqual([])
})

test('an expired reservation holds nothing, and gives its stock back by itself', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 5)])
  const { data } = (await reserve([leg(key, 5)], { expiresAt: new Date(Date.now() + 400).toISOString() })).body
  await Bun.sleep(450)
  expect(refused(await post('fulfill', [leg(key, -1)], { reservationId: data.id }))[1]).toBe('reservation_not_active')
  expect((await ok('GET', `/v1/inventory/reservations/${data.id}`, { as: main.key })).data.status).toBe('expired')
  for (let waited = 0; (await balance(key)).reserved > 0 && waited < 50; waited += 1) await Bun.sleep(100)
  expect(await balance(key)).toMatchObject({ onHand: 5, reserved: 0 })
  expect((await ok('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key })).data.status).toBe('expired')
})

test('after all that every counter agrees with its lines', async () => {
  expect(await findDrift(sql)).toEqual([])
})

test('other features reserve, fulfil and restock in a transaction of their own', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 2, { batch: 'L1' }), leg(key, 2, { batch: 'L2' })])
  const item = { namespace: 'main', key }
  const { fulfilled, returned } = await transaction(sql, async (tx) => {
    const held = await reserveStock(tx, main.projectId, { expiresAt: null, reference: 'ORD-9', legs: [{ ...item, quantity: 3 }] })
    const operation = await fulfillReservation(tx, main.projectId, held.id, { note: 'handed over' })
    return { fulfilled: operation, returned: await receiveReturnOfReservation(tx, main.projectId, held.id) }
  })
  expect(fulfilled).toMatchObject({ type: 'fulfill', reference: 'ORD-9', note: 'handed over' })
  expect(returned?.movements.map(({ batch, quantity }) => [batch, quantity])).toEqual([
    ['L1', 2],
    ['L2', 1],
  ])
  const stock = await findStockLevels(sql, main.projectId, [item, { namespace: 'main', key: 'never-seen' }, item])
  expect(stock.get(`main/${key}`)).toEqual({ onHand: 4, reserved: 0, available: 4 })
  expect(stock.get('main/never-seen')).toEqual({ onHand: 0, reserved: 0, available: 0 })
  const undone = transaction(sql, async (tx) => {
    await reserveStock(tx, main.projectId, { expiresAt: null, legs: [{ ...item, quantity: 4 }] })
    throw new Error('the order failed')
  })
  await expect(undone).rejects.toThrow('the order failed')
  expect((await findStockLevels(sql, main.projectId, [item])).get(`main/${key}`)?.reserved).toBe(0)
})
