import { expect, test } from 'bun:test'
import { findDrift } from '../../core/inventory/verify.ts'
import { startApp } from '../support/app.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context
const main = await shop()

interface AnyLeg {
  readonly [field: string]: unknown
}

let keys = 0
const newKey = () => `ITEM-${++keys}`

const post = (type: string, legs: readonly AnyLeg[], more: Record<string, unknown> = {}, as = main.key) =>
  call('POST', '/v1/inventory/operations', { as, body: { type, legs, ...more } })
const posted = async (type: string, legs: readonly AnyLeg[], more: Record<string, unknown> = {}) =>
  (await ok('POST', '/v1/inventory/operations', { as: main.key, body: { type, legs, ...more } })).data
const reverse = (id: string, body?: unknown) => call('POST', `/v1/inventory/operations/${id}/reverse`, { as: main.key, ...(body !== undefined && { body }) })
const reserve = (legs: readonly AnyLeg[], more: Record<string, unknown> = {}) =>
  call('POST', '/v1/inventory/reservations', { as: main.key, body: { legs, ...more } })
const balances = async (key: string) => (await ok('GET', `/v1/inventory/balances?key=${key}&limit=100`, { as: main.key })).data
const balance = async (key: string, batch = '', namespace = 'main') =>
  (await balances(key)).find((row: AnyLeg) => row.batch === batch && row.namespace === namespace)
const leg = (key: string, quantity: number, more: AnyLeg = {}) => ({ namespace: 'main', key, quantity, ...more })
const refused = (answer: { status: number; body: { error?: { code: string; details?: { path: string }[] } } }) =>
  [answer.status, answer.body.error?.code, answer.body.error?.details?.[0]?.path] as unknown[]

test('an operation answers with its legs and its movements', async () => {
  const key = newKey()
  const operation = await posted('receive', [leg(key, 10, { unitCost: 2.5 }), leg(key, 0.0001, { namespace: 'depot', batch: 'B' })], { note: 'n', reference: 'PO-1' })
  expect(operation).toMatchObject({ type: 'receive', note: 'n', reference: 'PO-1', reversesId: null, reversedById: null, reservationId: null })
  expect(operation.legs).toEqual([
    { namespace: 'main', key, batch: '', quantity: 10, unitCost: 2.5 },
    { namespace: 'depot', key, batch: 'B', quantity: 0.0001, unitCost: null },
  ])
  expect(operation.movements[0]).toMatchObject({ operationId: operation.id, namespace: 'main', key, batch: '', quantity: 10, balanceAfter: 10 })
  expect((await ok('GET', `/v1/inventory/operations/${operation.id}`, { as: main.key })).data).toEqual(operation)
  expect(await balances(key)).toEqual([
    { namespace: 'depot', key, batch: 'B', onHand: 0.0001, reserved: 0, available: 0.0001, unitCost: null },
    { namespace: 'main', key, batch: '', onHand: 10, reserved: 0, available: 10, unitCost: 2.5 },
  ])
})

test('input that cannot be is refused with its place', async () => {
  const key = newKey()
  const cases: [unknown, string][] = [
    [{ type: 'receive', legs: [leg(key, 1.00001)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1), leg(key, 1e-7)] }, '/body/legs/1/quantity'],
    [{ type: 'receive', legs: [leg(key, 0)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1e12)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1e11)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', legs: [leg(key, 1, { unitCost: 0.00001 })] }, '/body/legs/0/unitCost'],
    [{ type: 'receive', legs: [leg(key, 1, { unitCost: -1 })] }, '/body/legs/0/unitCost'],
    [{ type: 'receive', legs: [] }, '/body/legs'],
    [{ type: 'receive', legs: Array.from({ length: 201 }, () => leg(key, 1)) }, '/body/legs'],
    [{ type: 'receive', legs: [leg('a/b', 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg('a\u0000b', 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg('k'.repeat(121), 1)] }, '/body/legs/0/key'],
    [{ type: 'receive', legs: [leg(key, 1, { namespace: '-x' })] }, '/body/legs/0/namespace'],
    [{ type: 'receive', legs: [leg(key, 1, { batch: 'b'.repeat(121) })] }, '/body/legs/0/batch'],
    [{ type: 'receive', legs: [leg(key, 1, { qty: 1 })] }, '/body/legs/0/qty'],
    [{ type: 'receive', legs: [leg(key, 1, { role: 'in' })] }, '/body/legs/0/role'],
    [{ type: 'receive', legs: [leg(key, '1' as never)] }, '/body/legs/0/quantity'],
    [{ type: 'receive', reservationId: 'res_x', legs: [leg(key, 1)] }, '/body/reservationId'],
    [{ type: 'steal', legs: [leg(key, 1)] }, '/body/type'],
  ]
  for (const [body, path] of cases) {
    expect(refused(await call('POST', '/v1/inventory/operations', { as: main.key, body }))).toEqual([400, 'invalid_request', path])
  }
  const surrogate = await call('POST', '/v1/inventory/operations', { as: main.key, raw: `{"type":"receive","legs":[{"namespace":"main","key":"\\ud800","quantity":1}]}` })
  expect(surrogate.status).toBe(400)
  expect(await balances(key)).toEqual([])
})

test('each type takes the signs of its own', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 100)])
  for (const type of ['receive', 'customer_return']) {
    expect(refused(await post(type, [leg(key, -1)]))).toEqual([400, 'invalid_request', '/body/legs/0/quantity'])
    expect((await post(type, [leg(key, 1)])).status).toBe(201)
  }
  for (const type of ['supplier_return', 'fulfill', 'pos_sale']) {
    expect(refused(await post(type, [leg(key, 1)]))).toEqual([400, 'invalid_request', '/body/legs/0/quantity'])
    expect((await post(type, [leg(key, -1)])).status).toBe(201)
  }
  expect(refused(await post('convert', [leg(key, -1, { role: 'in' }), leg(key, 1, { role: 'out' })]))).toEqual([400, 'invalid_request', '/body/legs/0/quantity'])
  expect(refused(await post('adjust', [leg(key, 1)]))).toEqual([400, 'invalid_request', '/body/note'])
  expect(refused(await post('adjust', [leg(key, 1)], { note: '  ' }))).toEqual([400, 'invalid_request', '/body/note'])
  expect((await post('adjust', [leg(key, -9), leg(key, 2)], { note: 'counted' })).status).toBe(201)
  expect((await balance(key)).onHand).toBe(92)
})

test('a batch has one cost', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 5, { batch: 'L1', unitCost: 10 })])
  expect(refused(await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 10.0001 })]))).toEqual([422, 'batch_cost_conflict', '/body/legs/0/unitCost'])
  expect((await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 10 })])).status).toBe(201)
  expect((await post('receive', [leg(key, 5, { batch: 'L1' })])).status).toBe(201)
  expect((await post('receive', [leg(key, 5, { batch: 'L2', unitCost: 11 })])).status).toBe(201)
  expect(refused(await post('receive', [leg(key, 1, { batch: 'L3', unitCost: 1 }), leg(key, 1, { batch: 'L3', unitCost: 2 })]))[1]).toBe('batch_cost_conflict')
  await posted('fulfill', [leg(key, -15, { batch: 'L1' })])
  expect((await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 12 })])).status).toBe(201)
  expect(await balance(key, 'L1')).toMatchObject({ onHand: 5, unitCost: 12 })
})

test('a transfer nets to zero and takes the cost along', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 10, { unitCost: 7 })])
  expect(refused(await post('transfer', [leg(key, -4), leg(key, 3, { namespace: 'depot' })]))).toEqual([422, 'unbalanced_operation', '/body/legs/0/quantity'])
  expect(refused(await post('transfer', [leg(key, -4), leg(key, 4, { namespace: 'depot', batch: 'other' })]))[1]).toBe('unbalanced_operation')
  await posted('transfer', [leg(key, -4), leg(key, 4, { namespace: 'depot' })])
  expect(await balance(key, '', 'depot')).toMatchObject({ onHand: 4, unitCost: 7 })
  await posted('receive', [leg(key, 2, { namespace: 'shop', unitCost: 10 })])
  await posted('transfer', [leg(key, -4, { namespace: 'depot' }), leg(key, 4, { namespace: 'shop' })])
  expect(await balance(key, '', 'shop')).toMatchObject({ onHand: 6, unitCost: 8 })
  expect(refused(await post('transfer', [leg(key, -7), leg(key, 7, { namespace: 'depot' })]))).toEqual([422, 'reserved_stock_conflict', '/body/legs/0/quantity'])
})

test('a conversion conserves value, to the last decimal', async () => {
  const [flour, cake, box] = [newKey(), newKey(), newKey()]
  await posted('receive', [leg(flour, 10, { unitCost: 1 })])
  const convert = (legs: readonly AnyLeg[]) => post('convert', legs)
  expect(refused(await convert([leg(flour, 1, { role: 'in' })]))).toEqual([400, 'invalid_request', '/body/legs'])
  expect(refused(await convert([leg(flour, 1), leg(cake, 1, { role: 'out' })]))).toEqual([400, 'invalid_request', '/body/legs/0/role'])
  expect(refused(await convert([leg(flour, 1, { role: 'in' }), leg(cake, 1, { role: 'out', batch: 'mine' })]))).toEqual([400, 'invalid_request', '/body/legs/1/batch'])
  expect(refused(await convert([leg(flour, 4, { role: 'in' }), leg(cake, 2, { role: 'out', unitCost: 2.5 })]))[1]).toBe('unbalanced_operation')
  expect(refused(await convert([leg(flour, 4, { role: 'in' }), leg(cake, 2, { role: 'out', unitCost: 1.5 })]))[1]).toBe('unbalanced_operation')
  expect(refused(await convert([leg(flour, 4, { role: 'in' }), leg(cake, 2, { role: 'out' }), leg(box, 1, { role: 'out' })]))[1]).toBe('unbalanced_operation')
  expect(refused(await convert([leg(flour, 4, { role: 'in', unitCost: 3 }), leg(cake, 2, { role: 'out' })]))[1]).toBe('batch_cost_conflict')
  expect(refused(await convert([leg(flour, 11, { role: 'in' }), leg(cake, 2, { role: 'out' })]))[1]).toBe('reserved_stock_conflict')

  const made = (await convert([leg(flour, 4, { role: 'in' }), leg(box, 1, { role: 'out', unitCost: 1 }), leg(cake, 2, { role: 'out' })])).body.data
  const batch = `CVT-${made.id}`
  expect(made.legs).toEqual([
    { namespace: 'main', key: flour, batch: '', quantity: 4, unitCost: 1, role: 'in' },
    { namespace: 'main', key: box, batch, quantity: 1, unitCost: 1, role: 'out' },
    { namespace: 'main', key: cake, batch, quantity: 2, unitCost: 1.5, role: 'out' },
  ])
  expect(made.movements.map((movement: AnyLeg) => movement.quantity)).toEqual([-4, 1, 2])

  const thirds = (await convert([leg(flour, 5, { role: 'in' }), leg(cake, 3, { role: 'out' })])).body.data
  expect(thirds.legs.slice(1).map(({ batch: of, quantity, unitCost }: AnyLeg) => [of, quantity, unitCost])).toEqual([
    [`CVT-${thirds.id}`, 1, 1.6666],
    [`CVT-${thirds.id}-2`, 2, 1.6667],
  ])
  expect((await reverse(made.id)).status).toBe(201)
  expect((await balance(flour)).onHand).toBe(5)
})

test('conversions of stock whose cost nobody knows stay unknown', async () => {
  const [raw, made] = [newKey(), newKey()]
  await posted('receive', [leg(raw, 10)])
  const operation = await posted('convert', [leg(raw, 2, { role: 'in' }), leg(made, 1, { role: 'out' }), leg(made, 1, { namespace: 'shop', role: 'out' })])
  expect(operation.legs.map((one: AnyLeg) => one.unitCost)).toEqual([null, null, null])
  expect(refused(await post('convert', [leg(raw, 2, { role: 'in' }), leg(made, 1, { role: 'out', unitCost: 5 })]))[1]).toBe('unbalanced_operation')
  const valued = await posted('convert', [leg(raw, 2, { role: 'in', unitCost: 3 }), leg(made, 1, { role: 'out' })])
  expect(valued.legs[1].unitCost).toBe(6)
})

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

test('several legs may name one balance, and no total overflows', async () => {
  const key = newKey()
  const operation = await posted('adjust', [leg(key, -5), leg(key, 8), leg(key, -1)], { note: 'mixed' })
  expect(operation.movements.map(({ quantity, balanceAfter }: AnyLeg) => [quantity, balanceAfter])).toEqual([[8, 8], [-5, 3], [-1, 2]])
  const huge = newKey()
  await posted('receive', [leg(huge, 99_999_999_999.9999)])
  expect(refused(await post('receive', [leg(huge, 0.0001)]))).toEqual([400, 'invalid_request', '/body/legs/0/quantity'])
  expect((await balance(huge)).onHand).toBe(99_999_999_999.9999)
})

test('a reversal negates, once, while the stock is there', async () => {
  const key = newKey()
  const received = await posted('receive', [leg(key, 10, { unitCost: 4 })])
  const sold = await posted('fulfill', [leg(key, -6)])
  expect(refused(await reverse(received.id)).slice(0, 2)).toEqual([422, 'operation_not_reversible'])
  const back = await reverse(sold.id, { note: 'wrong customer', reference: 'R-1' })
  expect(back.status).toBe(201)
  expect(back.body.data).toMatchObject({ type: 'fulfill', reversesId: sold.id, note: 'wrong customer', reference: 'R-1' })
  expect(back.body.data.movements[0]).toMatchObject({ quantity: 6, unitCost: 4, balanceAfter: 10 })
  expect(refused(await reverse(sold.id))[1]).toBe('operation_not_reversible')
  expect(refused(await reverse(back.body.data.id))[1]).toBe('operation_not_reversible')
  expect((await ok('GET', `/v1/inventory/operations/${sold.id}`, { as: main.key })).data.reversedById).toBe(back.body.data.id)
  const { data: held } = await ok('POST', '/v1/inventory/reservations', { as: main.key, body: { legs: [leg(key, 1)] } })
  expect(refused(await reverse(received.id))[1]).toBe('operation_not_reversible')
  await ok('POST', `/v1/inventory/reservations/${held.id}/release`, { as: main.key })
  const racing = await Promise.all([1, 2, 3, 4].map(() => reverse(received.id)))
  expect(racing.map((answer) => answer.status).sort()).toEqual([201, 422, 422, 422])
  expect((await balance(key)).onHand).toBe(0)
  expect((await reverse('op_nothing')).status).toBe(404)
  expect(refused(await reverse(sold.id, { why: 'x' }))[0]).toBe(400)
})

test('a reservation sets stock aside, all of it or none', async () => {
  const [a, b] = [newKey(), newKey()]
  await posted('receive', [leg(a, 5), leg(b, 5)])
  expect(refused(await reserve([leg(a, 5), leg(b, 6)]))).toEqual([422, 'reserved_stock_conflict', '/body/legs/1/quantity'])
  expect((await balance(a)).reserved).toBe(0)
  const { data } = (await reserve([leg(a, 2), leg(b, 5)], { reference: 'ORD-1' })).body
  expect(data).toMatchObject({ status: 'active', expiresAt: null, reference: 'ORD-1', legs: [{ namespace: 'main', key: a, batch: '', quantity: 2, fulfilled: 0 }, { key: b }] })
  expect((await ok('GET', `/v1/inventory/reservations/${data.id}`, { as: main.key })).data).toEqual(data)
  expect(await balance(a)).toMatchObject({ onHand: 5, reserved: 2, available: 3 })
  const released = await ok('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key })
  expect(released.data.status).toBe('released')
  expect((await ok('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key })).data.status).toBe('released')
  expect(await balance(b)).toMatchObject({ onHand: 5, reserved: 0 })
  expect(refused(await post('fulfill', [leg(a, -1)], { reservationId: data.id }))[1]).toBe('reservation_not_active')
  expect((await post('fulfill', [leg(a, -1)], { reservationId: 'res_nothing' })).status).toBe(404)
  for (const body of [{ legs: [leg(a, 0)] }, { legs: [leg(a, -1)] }, { legs: [leg(a, 1.00001)] }, { legs: [leg(a, 1)], ttlSeconds: 0 },
    { legs: [leg(a, 1)], expiresAt: '2001-01-01T00:00:00.000Z' }, { legs: [leg(a, 1)], expiresAt: '2999-01-01T00:00:00Z', ttlSeconds: 5 }, { legs: [] }]) {
    expect((await call('POST', '/v1/inventory/reservations', { as: main.key, body })).status).toBe(400)
  }
})

test('a reservation without a batch takes the oldest that has something, and is fulfilled in parts', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 3, { batch: 'new-1' })])
  await posted('receive', [leg(key, 3, { batch: 'a-later' })])
  const { data } = (await reserve([leg(key, 4), leg(key, 1, { batch: 'new-1' })])).body
  expect(data.legs.map(({ batch, quantity }: AnyLeg) => [batch, quantity])).toEqual([['new-1', 3], ['a-later', 2]])
  expect(refused(await post('fulfill', [leg(key, -6)], { reservationId: data.id }))).toEqual([422, 'reserved_stock_conflict', '/body/legs/0/quantity'])
  const part = await posted('fulfill', [leg(key, -4)], { reservationId: data.id })
  expect(part.movements.map(({ batch, quantity }: AnyLeg) => [batch, quantity])).toEqual([['new-1', -3], ['a-later', -1]])
  const read = async () => (await ok('GET', `/v1/inventory/reservations/${data.id}`, { as: main.key })).data
  expect(await read()).toMatchObject({ status: 'active', legs: [{ fulfilled: 3 }, { fulfilled: 1 }] })
  await posted('fulfill', [leg(key, -1, { batch: 'a-later' })], { reservationId: data.id })
  expect(await read()).toMatchObject({ status: 'fulfilled' })
  expect(await balance(key, 'a-later')).toMatchObject({ onHand: 1, reserved: 0 })
  expect(refused(await call('POST', `/v1/inventory/reservations/${data.id}/release`, { as: main.key }))[1]).toBe('reservation_not_active')
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

test('the same Idempotency-Key posts once', async () => {
  const key = newKey()
  const request = { as: main.key, body: { type: 'receive', legs: [leg(key, 3)] }, headers: { 'idempotency-key': `inv-${key}` } }
  const first = await call('POST', '/v1/inventory/operations', request)
  const again = await call('POST', '/v1/inventory/operations', request)
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.data.id]).toEqual([201, 'true', first.body.data.id])
  const other = await call('POST', '/v1/inventory/operations', { ...request, body: { ...request.body, note: 'other' } })
  expect(refused(other).slice(0, 2)).toEqual([422, 'idempotency_key_reused'])
  const undo = { as: main.key, headers: { 'idempotency-key': `undo-${key}` } }
  const undone = await call('POST', `/v1/inventory/operations/${first.body.data.id}/reverse`, undo)
  expect((await call('POST', `/v1/inventory/operations/${first.body.data.id}/reverse`, undo)).body.data.id).toBe(undone.body.data.id)
  expect((await balance(key)).onHand).toBe(0)
})

test('the credential decides', async () => {
  const key = newKey()
  const operation = await posted('receive', [leg(key, 3)])
  const held = (await reserve([leg(key, 1)])).body.data
  const routes: [string, string, unknown?][] = [
    ['POST', '/v1/inventory/operations', { type: 'receive', legs: [leg(key, 1)] }],
    ['GET', '/v1/inventory/operations'],
    ['GET', `/v1/inventory/operations/${operation.id}`],
    ['POST', `/v1/inventory/operations/${operation.id}/reverse`],
    ['GET', `/v1/inventory/movements?objectId=${key}`],
    ['GET', '/v1/inventory/balances'],
    ['POST', '/v1/inventory/reservations', { legs: [leg(key, 1)] }],
    ['GET', `/v1/inventory/reservations/${held.id}`],
    ['POST', `/v1/inventory/reservations/${held.id}/release`],
  ]
  const narrow = async (scopes: string[]) => (await ok('POST', `/v1/projects/${main.projectId}/api-keys`, { as: main.owner.token, body: { name: 'narrow', scopes } })).data.key
  const [reader, writer] = [await narrow(['inventory:read']), await narrow(['inventory:write'])]
  for (const [method, path, body] of routes) {
    const send = (as?: string) => call(method, path, { ...(as && { as }), ...(body !== undefined && { body }) })
    expect((await send()).status).toBe(401)
    expect(refused(await send('sk_unknown'))[1]).toBe('invalid_api_key')
    expect((await send(main.owner.token)).status).toBe(403)
    expect(refused(await send(method === 'GET' ? writer : reader))[1]).toBe('insufficient_scope')
  }
  const theirs = await shop()
  for (const [method, path] of routes.filter(([, path]) => path.includes(operation.id) || path.includes(held.id))) {
    expect((await call(method, path, { as: theirs.key })).status).toBe(404)
  }
  for (const path of [`movements?objectId=${key}`, `movements?operationId=${operation.id}`, 'balances', 'operations']) {
    expect((await ok('GET', `/v1/inventory/${path}`, { as: theirs.key })).data).toEqual([])
  }
  expect(refused(await post('fulfill', [leg(key, -1)], { reservationId: held.id }, theirs.key))[0]).toBe(404)
  expect(refused(await post('fulfill', [leg(key, -1)], {}, theirs.key))[1]).toBe('reserved_stock_conflict')
  await ok('PATCH', `/v1/projects/${theirs.projectId}`, { as: theirs.owner.token, body: { products: ['parcels'] } })
  expect(refused(await call('GET', '/v1/inventory/balances', { as: theirs.key }))[1]).toBe('product_not_enabled')
})

test('movements are listed by exactly one of item, namespace and operation', async () => {
  const key = newKey()
  const operation = await posted('receive', [leg(key, 3, { namespace: `ns-${key}` }), leg(key, 1)])
  const list = (query: string) => call('GET', `/v1/inventory/movements?${query}`, { as: main.key })
  for (const query of ['', `objectId=${key}&holderRef=main`, 'from=2020-01-01T00:00:00Z']) expect(refused(await list(query))).toEqual([400, 'invalid_request', '/query'])
  for (const query of [`objectId=${key}`, `operationId=${operation.id}`]) expect((await list(query)).body.data).toHaveLength(2)
  expect((await list(`holderRef=ns-${key}`)).body.data).toEqual([operation.movements[0]])
  expect((await list(`objectId=${key}&from=${operation.createdAt}`)).body.data).toHaveLength(2)
  expect((await list(`objectId=${key}&to=${operation.createdAt}`)).body.data).toHaveLength(0)
  expect((await list(`objectId=${key}&from=2026-13-01T00:00:00Z`)).status).toBe(400)
  for (const cursor of ['x', 'azE6YQ', Buffer.from('k1:2026-01-01T00:00:00.000Z x').toString('base64url'), Buffer.from('k1:[]').toString('base64url')]) {
    expect((await list(`objectId=${key}&cursor=${cursor}`)).status).toBe(400)
    expect((await call('GET', `/v1/inventory/balances?cursor=${cursor}`, { as: main.key })).status).toBe(400)
  }
})

test('operations are filtered by type, reference and time', async () => {
  const key = newKey()
  const first = await posted('receive', [leg(key, 3)], { reference: `REF ${key}` })
  const second = await posted('fulfill', [leg(key, -1)], { reference: `REF ${key}` })
  const list = async (query: Record<string, string>) =>
    (await ok('GET', `/v1/inventory/operations?${new URLSearchParams(query)}`, { as: main.key })).data.map((row: AnyLeg) => row.id)
  expect(await list({ reference: `REF ${key}` })).toEqual([second.id, first.id])
  expect(await list({ reference: `REF ${key}`, type: 'receive' })).toEqual([first.id])
  expect(await list({ from: second.createdAt, reference: `REF ${key}`, type: 'receive' })).toEqual([])
  expect((await call('GET', '/v1/inventory/operations?type=steal', { as: main.key })).status).toBe(400)
})

test('pages neither skip nor repeat while others write', async () => {
  const key = newKey()
  for (let made = 0; made < 7; made += 1) await posted('receive', [leg(key, 1, { namespace: `n${made}` })], { reference: key })
  const walk = async (path: string, write: () => Promise<unknown>) => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data, nextCursor } = await ok('GET', `${path}&limit=3${cursor && `&cursor=${cursor}`}`, { as: main.key })
      seen.push(...data.map((row: AnyLeg) => String(row.id ?? row.namespace)))
      if (nextCursor === null) return seen
      cursor = nextCursor
      await write()
    }
  }
  const receive = (namespace: string) => () => posted('receive', [leg(key, 1, { namespace })], { reference: key })
  const movements = await walk(`/v1/inventory/movements?objectId=${key}`, receive('main'))
  expect([movements.length, new Set(movements).size]).toEqual([7, 7])
  const operations = await walk(`/v1/inventory/operations?reference=${key}`, receive('main'))
  expect([operations.length, new Set(operations).size]).toEqual([9, 9])
  expect(await walk(`/v1/inventory/balances?key=${key}`, receive('a-first'))).toEqual(['main', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
})

test('the database itself refuses to change the ledger or to oversell', async () => {
  for (const table of ['inventory_operations', 'inventory_movements']) {
    for (const change of [`update ${table} set created_at = now()`, `delete from ${table}`, `truncate ${table} cascade`]) {
      await expect(sql.unsafe(change).then(() => 'done', (error) => error.code)).resolves.toBe('23001')
    }
  }
  await expect(sql`update inventory_balances set on_hand = -1`.then(() => 'done', (error) => error.code)).resolves.toBe('23514')
  await expect(sql`update inventory_balances set reserved = on_hand + 1`.then(() => 'done', (error) => error.code)).resolves.toBe('23514')
})

test('subscribers hear of operations, of stock by topic, and of expiry', async () => {
  const key = newKey()
  const { data: endpoint } = await ok('POST', '/v1/webhook-endpoints', { as: main.key, body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  const heard = async () => (await sql<{ type: string; body: string }[]>`select type, body from events where body like ${`%"${key}"%`} order by id`).map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
  const operation = await posted('receive', [leg(key, 3), leg(key, 2)])
  expect(await heard()).toEqual([
    { type: 'inventory.operation.posted', data: operation },
    { type: 'inventory.stock.changed', data: { namespace: 'main', key, batch: '', onHand: 5, reserved: 0, available: 5, operationId: operation.id } },
  ])
  await reserve([leg(key, 1)], { ttlSeconds: 1 })
  for (let waited = 0; !(await heard()).some(({ type }) => type === 'inventory.reservation.expired') && waited < 50; waited += 1) await Bun.sleep(100)
  expect((await heard()).map(({ type, data }) => [type, data.available ?? data.status]).slice(2)).toEqual([
    ['inventory.stock.changed', 4],
    ['inventory.reservation.expired', 'expired'],
    ['inventory.stock.changed', 5],
  ])
  await ok('DELETE', `/v1/webhook-endpoints/${endpoint.id}`, { as: main.key })
})

test('after all that every counter agrees with its lines', async () => {
  expect(await findDrift(sql)).toEqual([])
})
