import { expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp({ databasePool: 12 })
const { storeId, key } = await shop({ settings: { deliveryPrices: { home: 400, byState: { '31': { home: 300 } } } } })
const theirs = await shop()
const make = async (path: string, body: object, as = key) => (await ok('POST', path, { as, body: { storeId, ...body } })).data
const product = await make('/v1/products', { name: 'Basket', price: 1000 })
const promo = (body: object) => make('/v1/promos', { kind: 'percent', value: 10, ...body })
let phones = 0
const newPhone = () => `05501${String(++phones).padStart(5, '0')}`
const order = (promoCode: string | null, phone = newPhone(), more: object = {}) =>
  call('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Amina', phone },
      destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
      ...(promoCode !== null && { promoCode }),
      ...more,
    },
  })
const said = ({ status, body }: Awaited<ReturnType<typeof order>>) => [status, body.error?.code ?? body.data.totals.discount]
const usesOf = async (id: string) => (await ok('GET', `/v1/promos/${id}`, { as: key })).data.uses
const move = (id: string, status: string) => ok('PATCH', `/v1/orders/${id}`, { as: key, body: { status } })

test('of five hundred who use it at once, exactly as many succeed as it is for', async () => {
  const { id } = await promo({ code: 'HUNDRED', usageLimit: 100 })
  const answers = await Promise.all(Array.from({ length: 500 }, () => order('hundred')))
  const taken = answers.filter(({ status }) => status === 201)
  expect(taken).toHaveLength(100)
  expect(answers.filter(({ body }) => body.error?.code === 'invalid_promo')).toHaveLength(400)
  expect(await usesOf(id)).toBe(100)
  const [{ kept }] = (await context.sql`select count(*)::int as kept from promo_redemptions where promo_id = ${id}`) as unknown as [
    { kept: number },
  ]
  expect(kept).toBe(100)
  // What was cancelled before it was sent others may use, once.
  await Promise.all(taken.slice(0, 3).map(({ body }) => move(body.data.id, 'cancelled')))
  expect(await usesOf(id)).toBe(97)
  const later = await Promise.all(Array.from({ length: 8 }, () => order('HUNDRED')))
  expect(later.filter(({ status }) => status === 201)).toHaveLength(3)
  expect((await call('DELETE', `/v1/orders/${taken[5]!.body.data.id}`, { as: key })).status).toBe(204)
  expect(await usesOf(id)).toBe(99)
  // Taken up again, an order has what it was promised.
  const [again] = taken
  const [, last] = await Promise.all([move(again!.body.data.id, 'pending'), order('HUNDRED')])
  await move(again!.body.data.id, 'cancelled')
  await move(again!.body.data.id, 'pending')
  // The last order succeeds only if it is quicker than the one that was promised its share.
  expect(await usesOf(id)).toBe(last.status === 201 ? 101 : 100)
  expect((await ok('GET', `/v1/orders/${again!.body.data.id}`, { as: key })).data.totals.discount).toBe(100)
})

test('stands in an order as the store writes it, however it was typed, and takes off what can be paid', async () => {
  await promo({ code: 'Ete10' })
  expect((await order('eTE10')).body.data.promoCode).toBe('Ete10')
  expect((await ok('GET', '/v1/promos?filter[code]=ETE10', { as: key })).data).toMatchObject([{ code: 'Ete10' }])
  expect((await ok('GET', '/v1/promos?code=ete1', { as: key })).data).toEqual([])
  const body = { storeId, code: 'MILLIME', kind: 'fixed', value: 1.234 }
  const { status, body: refused } = await call('POST', '/v1/promos', { as: key, body })
  expect([status, refused.error.details[0].path]).toEqual([400, '/body/value'])
})

test('a phone number, however it is written, uses it as often as it may; also all at once', async () => {
  const { id } = await promo({ code: 'TWICE', perCustomerLimit: 2 })
  const spelled = ['0661000001', '+213661000001', '00213 661 00 00 01', '0661 00 00 01', '213661000001']
  const answers = await Promise.all(spelled.map((phone) => order('TWICE', phone)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(await usesOf(id)).toBe(2)
  expect(said(await order('TWICE', '0661000002'))).toEqual([201, 100])
})

test('counts for the phone number that its order has now', async () => {
  await promo({ code: 'ONCE', perCustomerLimit: 1 })
  const [mistyped, meant] = [newPhone(), newPhone()]
  const { body } = await order('ONCE', mistyped)
  await ok('PATCH', `/v1/orders/${body.data.id}`, { as: key, body: { customer: { phone: meant } } })
  expect(said(await order('ONCE', meant))).toEqual([422, 'invalid_promo'])
  expect(said(await order('ONCE', mistyped))).toEqual([201, 100])
})

test('is promised to nobody once it is used up', async () => {
  await promo({ code: 'LAST', usageLimit: 1 })
  const items = [{ productId: product.id, quantity: 1 }]
  const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' }
  const calculated = () => call('POST', '/v1/orders/calculate', { as: key, body: { storeId, destination, items, promoCode: 'LAST' } })
  const verdict = async () => (await ok('POST', '/v1/promos/validate', { body: { storeId, code: 'last', subtotal: 1000 } })).data
  expect([said(await calculated()), (await verdict()).valid]).toEqual([[200, 100], true])
  const taken = await order('LAST')
  expect([said(await calculated()), await verdict()]).toEqual([
    [422, 'invalid_promo'],
    { valid: false, discount: 0, message: 'This promotion is used up. Order without its code.' },
  ])
  await move(taken.body.data.id, 'cancelled')
  expect([said(await calculated()), (await verdict()).valid]).toEqual([[200, 100], true])
})

test('is one of a thousand that a store may have', async () => {
  const own = await shop()
  const body = { storeId: own.storeId, code: 'MORE', kind: 'percent', value: 10 }
  const write = (many: number) => context.sql`insert into promos (id, project_id, code, kind, value)
    select 'pro_' || ${own.storeId}::text || n, ${projectIdOf(own.storeId)}, 'N' || n, 'percent', 10 from generate_series(1, ${many}::int) n`
  await write(999)
  const answers = await Promise.all(['ONE', 'TWO'].map((code) => call('POST', '/v1/promos', { as: own.key, body: { ...body, code } })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

test('is for a first order alone', async () => {
  await promo({ code: 'FIRST', firstOrderOnly: true })
  const phone = newPhone()
  const both = await Promise.all([order('FIRST', phone), order('FIRST', phone)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
  const known = newPhone()
  const before = await order(null, known)
  expect(said(await order('FIRST', known))).toEqual([422, 'invalid_promo'])
  await move(before.body.data.id, 'cancelled')
  expect(said(await order('FIRST', known))).toEqual([201, 100])
})

test('has conditions, which its verdict knows as far as it is told', async () => {
  const other = await make('/v1/products', { name: 'Cap', price: 500 })
  const category = await make('/v1/categories', { name: 'Shoes', slug: 'shoes' })
  await promo({ code: 'CAPS', productIds: [other.id] })
  await promo({ code: 'SHOES', categoryIds: [category.id] })
  await promo({ code: 'ORAN', stateCodes: ['31'] })
  await promo({ code: 'DESK', deliveryTypes: ['pickup'] })
  await promo({ code: 'FREE', kind: 'free_shipping', value: 0, minimumSubtotal: 1500 })
  await promo({ code: 'LATE', startsAt: '2999-01-01T00:00:00.000Z' })
  await promo({ code: 'OVER', endsAt: '2020-01-01T00:00:00.000Z' })
  await promo({ code: 'OFF', enabled: false })
  for (const code of ['CAPS', 'SHOES', 'ORAN', 'DESK', 'FREE', 'LATE', 'OVER', 'OFF', 'NONE'])
    expect([code, ...said(await order(code))]).toEqual([code, 422, 'invalid_promo'])
  const both = {
    items: [
      { productId: product.id, quantity: 1 },
      { productId: other.id, quantity: 2 },
    ],
  }
  expect(said(await order('caps', newPhone(), both))).toEqual([201, 100])
  const free = await order('FREE', newPhone(), both)
  expect(free.body.data.totals).toEqual({ subtotal: 2000, delivery: 400, discount: 400, total: 2000 })
  const elsewhere = { as: key, body: { destination: { stateCode: '31', cityName: 'Oran' } } }
  expect((await ok('PATCH', `/v1/orders/${free.body.data.id}`, elsewhere)).data.totals).toMatchObject({ delivery: 300, discount: 300 })
  const moved = await ok('PATCH', `/v1/orders/${free.body.data.id}`, { as: key, body: { items: [{ productId: product.id, quantity: 1 }] } })
  expect(moved.data.totals).toEqual({ subtotal: 1000, delivery: 300, discount: 0, total: 1300 })
  const back = { as: key, body: { destination: { stateCode: '16', cityName: 'El Biar' } } }
  expect((await ok('PATCH', `/v1/orders/${free.body.data.id}`, back)).data.totals).toMatchObject({ delivery: 400, discount: 0 })
  const verdict = async (code: string, more: object) => {
    const { data } = await ok('POST', '/v1/promos/validate', { body: { storeId, code, ...more } })
    return [data.valid, data.discount]
  }
  expect(await verdict('CAPS', both)).toEqual([true, 100])
  expect(await verdict('CAPS', { items: [{ productId: product.id, quantity: 1 }] })).toEqual([false, 0])
  expect(await verdict('ORAN', { subtotal: 500 })).toEqual([true, 50])
  expect(await verdict('ORAN', { subtotal: 500, stateCode: '16' })).toEqual([false, 0])
  expect(await verdict('FREE', { ...both, stateCode: '16', deliveryType: 'home' })).toEqual([true, 400])
})

test('is refused where it cannot be meant, and is one by its code in its store', async () => {
  const foreign = await make('/v1/products', { storeId: theirs.storeId, name: 'Theirs', price: 1 }, theirs.key)
  const tried = async (body: object) => {
    const { status, body: answer } = await call('POST', '/v1/promos', {
      as: key,
      body: { storeId, code: `T${++phones}`, kind: 'percent', value: 10, ...body },
    })
    return [status, answer.error?.details?.[0]?.path ?? answer.error?.code]
  }
  expect(await tried({ value: 101 })).toEqual([400, '/body/value'])
  expect(await tried({ value: 0 })).toEqual([400, '/body/value'])
  expect(await tried({ productIds: [foreign.id] })).toEqual([404, 'not_found'])
  expect(await tried({ categoryIds: ['cat_none'] })).toEqual([404, 'not_found'])
  expect(await tried({ usageLimit: 0 })).toEqual([400, '/body/usageLimit'])
  expect(await tried({ startsAt: '2026-01-02T00:00:00.000Z', endsAt: '2026-01-01T00:00:00.000Z' })).toEqual([400, '/body/endsAt'])
  await promo({ code: 'One-Code' })
  expect(await tried({ code: 'oNE-cODE' })).toEqual([409, 'conflict'])
})
