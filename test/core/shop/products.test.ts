import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()
const mine = await shop()
const theirs = await shop()
const { storeId, key } = mine
const create = async (change: Record<string, unknown> = {}) =>
  (await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', price: 6500, ...change } })).data
const orderOf = (items: object[], more: object = {}) => ({
  storeId,
  customer: { name: 'Amina', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
  items,
  ...more,
})

test('a product is created with its first stock, read, changed, replaced and deleted', async () => {
  const made = await create({ sku: 'A-1', initialStock: 7.5, media: [{ url: 'https://cdn.example/a.jpg' }] })
  expect(made).toMatchObject({
    sku: 'A-1',
    inventoryKey: 'A-1',
    stockKeeping: true,
    stock: { namespace: 'main', onHand: 7.5, reserved: 0, available: 7.5 },
  })
  expect((await ok('GET', `/v1/products/${made.id}`, { as: key })).data).toEqual(made)
  expect((await ok('PATCH', `/v1/products/${made.id}`, { as: key, body: { price: 10.25, sku: 'A-2' } })).data).toMatchObject({
    price: 10.25,
    sku: 'A-2',
    inventoryKey: 'A-1',
  })
  expect((await ok('PUT', `/v1/products/${made.id}`, { as: key, body: { name: 'Plain', price: 1 } })).data).toMatchObject({
    name: 'Plain',
    sku: null,
    media: [],
  })
  expect((await call('DELETE', `/v1/products/${made.id}`, { as: key })).status).toBe(204)
  expect((await call('GET', `/v1/products/${made.id}`, { as: key })).status).toBe(404)
})

test('a sku is unique in its store, and free in another', async () => {
  await create({ sku: 'UNIQUE' })
  expect((await call('POST', '/v1/products', { as: key, body: { storeId, name: 'B', price: 1, sku: 'UNIQUE' } })).body.error.code).toBe(
    'sku_taken',
  )
  expect(
    (await call('POST', '/v1/products', { as: theirs.key, body: { storeId: theirs.storeId, name: 'B', price: 1, sku: 'UNIQUE' } })).status,
  ).toBe(201)
  expect((await call('POST', '/v1/products', { as: theirs.key, body: { storeId, name: 'B', price: 1 } })).status).toBe(404)
})

test('a sku that a spreadsheet has rounded is refused wherever a product is written', async () => {
  const message = '"6.13E+12" is a number that a spreadsheet has rounded. Format the column as text, and write it in full.'
  const refusal = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => {
    const answer = await call(method, path, { as: key, body })
    return [answer.status, answer.body.error?.details]
  }
  const made = await create({ sku: 'WHOLE', variants: [{ name: 'a', sku: 'WHOLE-A' }] })
  const at = `/v1/products/${made.id}`
  const product = { name: 'Basket', price: 1 }
  const variants = [{ name: 'a' }, { name: 'b', sku: '6.13E+12' }]
  for (const [method, path, more] of [
    ['POST', '/v1/products', { storeId, ...product }],
    ['PUT', at, product],
    ['PATCH', at, {}],
  ] as const) {
    expect(await refusal(method, path, { ...more, sku: '6.13E+12' })).toEqual([400, [{ path: '/body/sku', message }]])
    expect(await refusal(method, path, { ...more, variants })).toEqual([400, [{ path: '/body/variants/1/sku', message }]])
  }
  expect((await create({ sku: '6130000000123' })).sku).toBe('6130000000123')
})

test('a product keeps a rounded sku that it had before, and its other fields can change', async () => {
  const made = await create({ sku: 'OLD' })
  await context.sql`update products set sku = '6.14E+12' where id = ${made.id}`
  const { data } = await ok('PATCH', `/v1/products/${made.id}`, { as: key, body: { name: 'Other', sku: '6.14E+12' } })
  expect(data).toMatchObject({ name: 'Other', sku: '6.14E+12' })
})

test('goods that are not the same are never counted under one key', async () => {
  const first = await create({ sku: 'MOVES', initialStock: 5 })
  await ok('PATCH', `/v1/products/${first.id}`, { as: key, body: { sku: 'MOVED' } })
  const second = await create({ sku: 'MOVES', initialStock: 1 })
  expect(second.inventoryKey).toBe(second.id)
  expect(second.stock.onHand).toBe(1)
  const twice = [
    { name: 'a', sku: 'TWICE' },
    { name: 'b', sku: 'TWICE' },
  ]
  const refused = await call('POST', '/v1/products', { as: key, body: { storeId, name: 'B', price: 1, variants: twice } })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'sku_taken'])
  const { variants } = await create({ sku: 'ONCE', variants: [{ name: 'a', sku: 'TWICE' }] })
  expect(variants).toMatchObject([{ sku: 'TWICE', inventoryKey: 'TWICE' }])
  const other = { storeId, name: 'B', price: 1, variants: [{ name: 'a', sku: 'TWICE' }] }
  expect((await call('POST', '/v1/products', { as: key, body: other })).body.error.code).toBe('sku_taken')
  const changed = await ok('PATCH', `/v1/products/${second.id}`, { as: key, body: { variants: [{ name: 'x', sku: 'MOVED-2' }] } })
  expect(changed.data.variants).toMatchObject([{ inventoryKey: 'MOVED-2', stock: { onHand: 0 } }])
})

test('variants have a price and a stock of their own', async () => {
  const made = await create({ variants: [{ name: '42', sku: 'V-42', price: 7000, initialStock: 2 }, { name: '43' }] })
  const [large, other] = made.variants
  expect(large).toMatchObject({ price: 7000, stock: { available: 2 } })
  const { data } = await ok('POST', '/v1/orders', { as: key, body: orderOf([{ productId: made.id, variantId: large.id, quantity: 2 }]) })
  expect(data.totals.subtotal).toBe(14000)
  const short = await call('POST', '/v1/orders', { as: key, body: orderOf([{ productId: made.id, variantId: other.id, quantity: 1 }]) })
  expect(short.body.error.code).toBe('reserved_stock_conflict')
  const kept = (await ok('PATCH', `/v1/products/${made.id}`, { as: key, body: { variants: [{ id: large.id, name: '42 wide' }] } })).data
    .variants
  expect(kept).toMatchObject([{ id: large.id, name: '42 wide', inventoryKey: 'V-42', price: null }])
})

test('a product without stock keeping is sold without end, a draft not at all', async () => {
  const endless = await create()
  expect(endless).toMatchObject({ stockKeeping: false, stock: null })
  expect(await create({ stockKeeping: true })).toMatchObject({ stockKeeping: true, stock: { onHand: 0 } })
  expect((await call('POST', '/v1/orders', { as: key, body: orderOf([{ productId: endless.id, quantity: 5000 }]) })).status).toBe(201)
  const draft = await create({ status: 'draft', initialStock: 5 })
  expect((await call('POST', '/v1/orders', { as: key, body: orderOf([{ productId: draft.id, quantity: 1 }]) })).body.error.code).toBe(
    'product_unavailable',
  )
})

test('a sku of any kind is a ledger key, and so is the namespace of a store', async () => {
  const fresh = await shop({ settings: { inventoryNamespace: 'dépôt 1 %' } })
  const product = { storeId: fresh.storeId, name: 'Drill', sku: 'BOX 1/2 %', price: 1, initialStock: 3 }
  const { data } = await ok('POST', '/v1/products', { as: fresh.key, body: product })
  expect(data).toMatchObject({ inventoryKey: 'BOX 1/2 %', stock: { namespace: 'dépôt 1 %', onHand: 3 } })
  const order = orderOf([{ productId: data.id, quantity: 2 }])
  expect((await call('POST', '/v1/orders', { as: fresh.key, body: { ...order, storeId: fresh.storeId } })).status).toBe(201)
  const query = new URLSearchParams({ namespace: 'dépôt 1 %', key: 'BOX 1/2 %' })
  expect((await ok('GET', `/v1/inventory/balances?${query}`, { as: fresh.key })).data).toMatchObject([{ onHand: 3, reserved: 2 }])
})

test('the list is searched, filtered and paged', async () => {
  const fresh = await shop()
  for (const name of ['Montre', 'Sac', 'Montre 2'])
    await ok('POST', '/v1/products', { as: fresh.key, body: { storeId: fresh.storeId, name, price: 1 } })
  const names = async (query: string) =>
    (await ok('GET', `/v1/products${query}`, { as: fresh.key })).data.map((product: { name: string }) => product.name)
  expect(await names('')).toEqual(['Montre 2', 'Sac', 'Montre'])
  expect(await names('?q=montre')).toEqual(['Montre 2', 'Montre'])
  expect(await names('?status=draft')).toEqual([])
  expect((await ok('GET', '/v1/products?limit=2', { as: fresh.key })).nextCursor).toBeString()
  expect((await call('GET', '/v1/products', { as: fresh.owner.token })).status).toBe(400)
  expect(await names('/random?limit=2')).toHaveLength(2)
})

test('a promotion takes its part off, within its bounds', async () => {
  const product = await create({ price: 99.99 })
  const promo = (
    await ok('POST', '/v1/promos', { as: key, body: { storeId, code: 'TEN', kind: 'percent', value: 10, minimumSubtotal: 150 } })
  ).data
  const { data } = await ok('POST', '/v1/orders', {
    as: key,
    body: orderOf([{ productId: product.id, quantity: 3 }], { promoCode: 'ten' }),
  })
  expect(data.totals).toEqual({ subtotal: 299.97, delivery: 0, discount: 30, total: 269.97 })
  const low = await call('POST', '/v1/orders', { as: key, body: orderOf([{ productId: product.id, quantity: 1 }], { promoCode: 'TEN' }) })
  expect([low.status, low.body.error.code]).toEqual([422, 'invalid_promo'])
  expect((await ok('POST', '/v1/promos/validate', { body: { storeId, code: 'TEN', subtotal: 200 } })).data).toEqual({
    valid: true,
    discount: 20,
    message: null,
  })
  expect((await ok('POST', '/v1/promos/validate', { body: { storeId, code: 'NONE', subtotal: 200 } })).data).toMatchObject({
    valid: false,
    discount: 0,
  })
  expect((await ok('PUT', `/v1/promos/${promo.id}`, { as: key, body: { code: 'TEN', kind: 'fixed', value: 50 } })).data).toMatchObject({
    kind: 'fixed',
    minimumSubtotal: 0,
  })
  expect((await call('GET', `/v1/promos/${promo.id}`, { as: theirs.key })).status).toBe(404)
  expect((await call('POST', '/v1/promos', { as: key, body: { storeId, code: 'TEN', kind: 'percent', value: 1 } })).status).toBe(409)
  expect((await call('DELETE', `/v1/promos/${promo.id}`, { as: key })).status).toBe(204)
  expect((await ok('GET', '/v1/promos', { as: key })).data).toEqual([])
})

test('an order that is edited is priced and reserved anew', async () => {
  const product = await create({ sku: 'EDIT', initialStock: 10 })
  const { data: order } = await ok('POST', '/v1/orders', { as: key, body: orderOf([{ productId: product.id, quantity: 4 }]) })
  const { data: changed } = await ok('PATCH', `/v1/orders/${order.id}`, {
    as: key,
    body: { items: [{ productId: product.id, quantity: 9 }], customer: { name: 'Lina' }, note: 'call first' },
  })
  expect(changed).toMatchObject({ totals: { total: 58500 }, customer: { name: 'Lina', phone: '+213550123456' }, note: 'call first' })
  expect((await ok('GET', `/v1/products/${product.id}`, { as: key })).data.stock).toMatchObject({ onHand: 10, reserved: 9 })
  const tooMany = await call('PATCH', `/v1/orders/${order.id}`, { as: key, body: { items: [{ productId: product.id, quantity: 11 }] } })
  expect(tooMany.body.error.code).toBe('reserved_stock_conflict')
  expect((await ok('GET', `/v1/orders/${order.id}`, { as: key })).data.items[0].quantity).toBe(9)
})
