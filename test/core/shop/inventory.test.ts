import { expect, test } from 'bun:test'
import { newId } from '../../../core/lib/ids.ts'
import { startApp } from '../../support/app.ts'
import { findDrift } from '../../support/checks.ts'
import { type AnyLeg, ledger, leg, newKey, refused } from '../../support/ledger.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context
const main = await shop()

const { post, posted, reverse, balances, balance } = ledger({ call, ok }, main.key)

test('an operation answers with its legs and its movements', async () => {
  const key = newKey()
  const operation = await posted('receive', [leg(key, 10, { unitCost: 2.5 }), leg(key, 0.0001, { namespace: 'depot', batch: 'B' })], {
    note: 'n',
    reference: 'PO-1',
  })
  expect(operation).toMatchObject({
    type: 'receive',
    note: 'n',
    reference: 'PO-1',
    reversesId: null,
    reversedById: null,
    reservationId: null,
  })
  expect(operation.legs).toEqual([
    { namespace: 'main', key, batch: '', quantity: 10, unitCost: 2.5 },
    { namespace: 'depot', key, batch: 'B', quantity: 0.0001, unitCost: null },
  ])
  expect(operation.movements[0]).toMatchObject({
    operationId: operation.id,
    namespace: 'main',
    key,
    batch: '',
    quantity: 10,
    balanceAfter: 10,
  })
  expect((await ok('GET', `/v1/inventory/operations/${operation.id}`, { as: main.key })).data).toEqual(operation)
  expect(await balances(key)).toEqual([
    { namespace: 'depot', key, batch: 'B', onHand: 0.0001, reserved: 0, available: 0.0001, unitCost: null },
    { namespace: 'main', key, batch: '', onHand: 10, reserved: 0, available: 10, unitCost: 2.5 },
  ])
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
  expect(refused(await post('convert', [leg(key, -1, { role: 'in' }), leg(key, 1, { role: 'out' })]))).toEqual([
    400,
    'invalid_request',
    '/body/legs/0/quantity',
  ])
  expect(refused(await post('adjust', [leg(key, 1)]))).toEqual([400, 'invalid_request', '/body/note'])
  expect(refused(await post('adjust', [leg(key, 1)], { note: '  ' }))).toEqual([400, 'invalid_request', '/body/note'])
  expect((await post('adjust', [leg(key, -9), leg(key, 2)], { note: 'counted' })).status).toBe(201)
  expect((await balance(key)).onHand).toBe(92)
})

test('a batch has one cost', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 5, { batch: 'L1', unitCost: 10 })])
  expect(refused(await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 10.0001 })]))).toEqual([
    422,
    'batch_cost_conflict',
    '/body/legs/0/unitCost',
  ])
  expect((await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 10 })])).status).toBe(201)
  expect((await post('receive', [leg(key, 5, { batch: 'L1' })])).status).toBe(201)
  expect((await post('receive', [leg(key, 5, { batch: 'L2', unitCost: 11 })])).status).toBe(201)
  expect(refused(await post('receive', [leg(key, 1, { batch: 'L3', unitCost: 1 }), leg(key, 1, { batch: 'L3', unitCost: 2 })]))[1]).toBe(
    'batch_cost_conflict',
  )
  await posted('fulfill', [leg(key, -15, { batch: 'L1' })])
  expect(refused(await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 12 })]))[1]).toBe('batch_cost_conflict')
  expect((await post('receive', [leg(key, 5, { batch: 'L1', unitCost: 10 })])).status).toBe(201)
  expect(await balance(key, 'L1')).toMatchObject({ onHand: 5, unitCost: 10 })
  await posted('receive', [leg(key, 1)])
  await posted('receive', [leg(key, 1, { unitCost: 3 })])
  expect(await balance(key)).toMatchObject({ onHand: 2, unitCost: 3 })
})

test('a transfer nets to zero and takes the cost along', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 10, { unitCost: 7 })])
  expect(refused(await post('transfer', [leg(key, -4), leg(key, 3, { namespace: 'depot' })]))).toEqual([
    422,
    'unbalanced_operation',
    '/body/legs/0/quantity',
  ])
  expect(refused(await post('transfer', [leg(key, -4), leg(key, 4, { namespace: 'depot', batch: 'other' })]))[1]).toBe(
    'unbalanced_operation',
  )
  await posted('transfer', [leg(key, -4), leg(key, 4, { namespace: 'depot' })])
  expect(await balance(key, '', 'depot')).toMatchObject({ onHand: 4, unitCost: 7 })
  await posted('receive', [leg(key, 2, { namespace: 'shop', unitCost: 10 })])
  const toShop = (from: string) => post('transfer', [leg(key, -1, { namespace: from }), leg(key, 1, { namespace: 'shop' })])
  expect(refused(await toShop('depot'))).toEqual([422, 'batch_cost_conflict', '/body/legs/1/unitCost'])
  await posted('fulfill', [leg(key, -2, { namespace: 'shop' })])
  expect(refused(await toShop('depot'))).toEqual([422, 'batch_cost_conflict', '/body/legs/1/unitCost'])
  await posted('receive', [leg(key, 1, { namespace: 'dear', unitCost: 9 })])
  const together = [leg(key, -1, { namespace: 'depot' }), leg(key, -1, { namespace: 'dear' }), leg(key, 2, { namespace: 'new' })]
  expect(refused(await post('transfer', together))).toEqual([422, 'batch_cost_conflict', '/body/legs/1/unitCost'])
  expect(await balance(key, '', 'depot')).toMatchObject({ onHand: 4, unitCost: 7 })
  expect(refused(await post('transfer', [leg(key, -7), leg(key, 7, { namespace: 'depot' })]))).toEqual([
    422,
    'reserved_stock_conflict',
    '/body/legs/0/quantity',
  ])
})

test('what is taken without a batch comes from the oldest that has something free; what is put without one goes to the unnamed', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 3, { batch: 'new-1', unitCost: 5 })])
  await posted('receive', [leg(key, 3, { batch: 'a-later', unitCost: 7 })])
  await posted('receive', [leg(key, 3, { unitCost: 9 })])
  await ok('POST', '/v1/inventory/reservations', { as: main.key, body: { legs: [leg(key, 1, { batch: 'new-1' })] } })
  const moved = async (type: string, legs: readonly AnyLeg[], more: Record<string, unknown> = {}) =>
    (await posted(type, legs, more)).movements.map(({ batch, quantity, unitCost }: AnyLeg) => [batch, quantity, unitCost])
  expect(await moved('pos_sale', [leg(key, -3), leg(key, -1, { batch: 'a-later' })])).toEqual([
    ['new-1', -2, 5],
    ['a-later', -1, 7],
    ['a-later', -1, 7],
  ])
  expect(refused(await post('supplier_return', [leg(key, -5)]))).toEqual([422, 'reserved_stock_conflict', '/body/legs/0/quantity'])
  expect(refused(await post('supplier_return', [leg(key, -1), leg(key, -2, { batch: 'a-later' })]))[1]).toBe('reserved_stock_conflict')
  expect(refused(await post('fulfill', [leg(key, -2, { unitCost: 9 })]))[1]).toBe('batch_cost_conflict')
  expect(await moved('adjust', [leg(key, -2), leg(key, 4)], { note: 'counted' })).toEqual([
    ['a-later', -1, 7],
    ['', 4, 9],
    ['', -1, 9],
  ])
  const made = newKey()
  const legs = [leg(key, 2, { role: 'in' }), leg(made, 1, { role: 'out' })]
  expect((await moved('convert', legs))[0]).toEqual(['', -2, 9])
  expect(await balance(key, 'new-1')).toMatchObject({ onHand: 1, reserved: 1 })
  expect(refused(await post('fulfill', [leg(key, -1, { batch: 'new-1' })]))[1]).toBe('reserved_stock_conflict')
  expect(await moved('fulfill', [leg(key, -1, { batch: '' })])).toEqual([['', -1, 9]])
})

test('a transfer that names no batch moves each batch as it is', async () => {
  const key = newKey()
  await posted('receive', [leg(key, 3, { batch: 'L2', unitCost: 5 })])
  await posted('receive', [leg(key, 3, { batch: 'L1', unitCost: 7 })])
  const transfer = (...legs: AnyLeg[]) => post('transfer', legs)
  const { data } = (await transfer(leg(key, -4), leg(key, 1, { namespace: 'shop' }), leg(key, 3, { namespace: 'depot' }))).body
  expect(data.movements.map(({ namespace, batch, quantity, unitCost }: AnyLeg) => [namespace, batch, quantity, unitCost])).toEqual([
    ['main', 'L2', -3, 5],
    ['main', 'L1', -1, 7],
    ['shop', 'L2', 1, 5],
    ['depot', 'L2', 2, 5],
    ['depot', 'L1', 1, 7],
  ])
  const filled = (await balances(key)).filter(({ onHand }: { onHand: number }) => onHand > 0)
  expect(filled.map(({ namespace, batch, onHand }: AnyLeg) => [namespace, batch, onHand])).toEqual([
    ['depot', 'L1', 1],
    ['depot', 'L2', 2],
    ['main', 'L1', 2],
    ['shop', 'L2', 1],
  ])
  expect((await reverse(data.id)).status).toBe(201)
  const unbalanced = [422, 'unbalanced_operation', '/body/legs/0/quantity']
  expect(refused(await transfer(leg(key, -1), leg(key, 1, { namespace: 'shop', batch: 'L1' })))).toEqual(unbalanced)
  expect(refused(await transfer(leg(key, -1, { batch: 'L1' }), leg(key, 1, { namespace: 'shop' })))).toEqual(unbalanced)
  expect(refused(await transfer(leg(key, -7), leg(key, 7, { namespace: 'shop' })))[1]).toBe('reserved_stock_conflict')
  expect((await transfer(leg(key, -6), leg(key, 2, { namespace: 'main' }), leg(key, 4, { namespace: 'shop' }))).status).toBe(201)
})

test('a conversion conserves value, to the last decimal', async () => {
  const [flour, cake, box] = [newKey(), newKey(), newKey()]
  await posted('receive', [leg(flour, 10, { unitCost: 1 })])
  const convert = (legs: readonly AnyLeg[]) => post('convert', legs)
  expect(refused(await convert([leg(flour, 1, { role: 'in' })]))).toEqual([400, 'invalid_request', '/body/legs'])
  expect(refused(await convert([leg(flour, 1), leg(cake, 1, { role: 'out' })]))).toEqual([400, 'invalid_request', '/body/legs/0/role'])
  expect(refused(await convert([leg(flour, 1, { role: 'in' }), leg(cake, 1, { role: 'out', batch: 'mine' })]))).toEqual([
    400,
    'invalid_request',
    '/body/legs/1/batch',
  ])
  expect(refused(await convert([leg(flour, 4, { role: 'in' }), leg(cake, 2, { role: 'out', unitCost: 2.5 })]))[1]).toBe(
    'unbalanced_operation',
  )
  expect(refused(await convert([leg(flour, 4, { role: 'in' }), leg(cake, 2, { role: 'out', unitCost: 1.5 })]))[1]).toBe(
    'unbalanced_operation',
  )
  expect(refused(await convert([leg(flour, 4, { role: 'in' }), leg(cake, 2, { role: 'out' }), leg(box, 1, { role: 'out' })]))[1]).toBe(
    'unbalanced_operation',
  )
  expect(refused(await convert([leg(flour, 4, { role: 'in', unitCost: 3 }), leg(cake, 2, { role: 'out' })]))[1]).toBe('batch_cost_conflict')
  expect(refused(await convert([leg(flour, 11, { role: 'in' }), leg(cake, 2, { role: 'out' })]))[1]).toBe('reserved_stock_conflict')

  const made = (await convert([leg(flour, 4, { role: 'in' }), leg(box, 1, { role: 'out', unitCost: 1 }), leg(cake, 2, { role: 'out' })]))
    .body.data
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
  const operation = await posted('convert', [
    leg(raw, 2, { role: 'in' }),
    leg(made, 1, { role: 'out' }),
    leg(made, 1, { namespace: 'shop', role: 'out' }),
  ])
  expect(operation.legs.map((one: AnyLeg) => one.unitCost)).toEqual([null, null, null])
  expect(refused(await post('convert', [leg(raw, 2, { role: 'in' }), leg(made, 1, { role: 'out', unitCost: 5 })]))[1]).toBe(
    'unbalanced_operation',
  )
  const valued = await posted('convert', [leg(raw, 2, { role: 'in', unitCost: 3 }), leg(made, 1, { role: 'out' })])
  expect(valued.legs[1].unitCost).toBe(6)
})

test('several legs may name one balance, and no total overflows', async () => {
  const key = newKey()
  const operation = await posted('adjust', [leg(key, -5), leg(key, 8), leg(key, -1)], { note: 'mixed' })
  expect(operation.movements.map(({ quantity, balanceAfter }: AnyLeg) => [quantity, balanceAfter])).toEqual([
    [8, 8],
    [-5, 3],
    [-1, 2],
  ])
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
  expect(back.body.data).toMatchObject({
    type: 'fulfill',
    reversesId: sold.id,
    note: 'wrong customer',
    reference: 'R-1',
  })
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

test('inventory: an operation that moved nothing is reversed once, however many requests ask at the same moment', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = newId('op')
    await sql`insert into inventory_operations (project_id, id, type, created_at) values (${main.projectId}, ${id}, 'fulfill', now())`
    const racing = await Promise.all([1, 2, 3, 4].map(() => reverse(id)))
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
  }
})

test('the database itself refuses to change the ledger or to oversell', async () => {
  for (const table of ['inventory_operations', 'inventory_movements']) {
    for (const change of [`update ${table} set created_at = now()`, `delete from ${table}`, `truncate ${table} cascade`]) {
      await expect(
        sql.unsafe(change).then(
          () => 'done',
          (error) => error.code,
        ),
      ).resolves.toBe('23001')
    }
  }
  await expect(
    sql`update inventory_balances set on_hand = -1`.then(
      () => 'done',
      (error) => error.code,
    ),
  ).resolves.toBe('23514')
  await expect(
    sql`update inventory_balances set reserved = on_hand + 1`.then(
      () => 'done',
      (error) => error.code,
    ),
  ).resolves.toBe('23514')
})

test('after all that every counter agrees with its lines', async () => {
  expect(await findDrift(sql)).toEqual([])
})
