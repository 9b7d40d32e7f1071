import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context

const DESTINATION = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' }
const on = await shop({ settings: { deliveryPrices: { home: 500, byState: { '31': { home: 700 } } } } })
const { key, storeId, owner } = on
const make = async (path: string, body: object) => (await ok('POST', path, { as: owner.token, body: { storeId, ...body } })).data
const basket = await make('/v1/products', { name: 'Basket', price: 1000, initialStock: 10 })
const card = await make('/v1/products', { name: 'Card', price: 300, stockKeeping: false })
const lamp = await make('/v1/products', { name: 'Lamp', price: 300, initialStock: 10 })
await make('/v1/promos', { code: 'TEN', kind: 'percent', value: 10, usageLimit: 1 })
await make('/v1/promos', { code: 'BIG', kind: 'fixed', value: 100, minimumSubtotal: 5000 })
await make('/v1/promos', { code: 'FIRST', kind: 'fixed', value: 50, firstOrderOnly: true })
let phones = 0
const place = (items: object[], more: object = {}) =>
  make('/v1/orders', {
    customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
    destination: DESTINATION,
    items,
    ...more,
  })
const change = (id: string, body: object, as = key) => call('PATCH', `/v1/orders/${id}`, { as, body })
const changed = async (id: string, body: object) => {
  const { status, body: answer } = await change(id, body)
  expect([status, answer.error]).toEqual([200, undefined])
  return answer.data
}
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const usesOf = async (code: string) => Number((await sql`select uses from promos where code = ${code}`)[0]?.uses)
const stockOf = async (id: string) => (await ok('GET', `/v1/products/${id}`, { as: key })).data.stock
const amounts = (subtotal: number, delivery: number, discount: number) => ({
  subtotal,
  delivery,
  discount,
  total: subtotal + delivery - discount,
})

test('a promotion is given to an order and taken from it, and its uses are counted', async () => {
  const one = await place([{ productId: basket.id, quantity: 2 }])
  const other = await place([{ productId: lamp.id, quantity: 1 }])
  expect((await changed(one.id, { promoCode: 'TEN' })).totals).toEqual(amounts(2000, 500, 200))
  expect((await ok('GET', `/v1/orders?storeId=${storeId}&filter[promoCode]=ten`, { as: key })).data).toMatchObject([{ id: one.id }])
  expect(await usesOf('TEN')).toBe(1)
  expect(codeOf(await change(other.id, { promoCode: 'TEN' }))).toEqual([422, 'invalid_promo'])
  expect(codeOf(await change(one.id, { promoCode: 'BIG' }))).toEqual([422, 'invalid_promo'])
  expect(codeOf(await change(one.id, { promoCode: 'NONE' }))).toEqual([422, 'invalid_promo'])
  expect(await changed(one.id, { promoCode: 'TEN', note: 'again' })).toMatchObject({ promoCode: 'TEN', totals: amounts(2000, 500, 200) })
  // It is used up, by this order itself.
  expect(await changed(one.id, { promoCode: 'ten' })).toMatchObject({ promoCode: 'TEN', totals: amounts(2000, 500, 200) })
  expect((await changed(one.id, { items: [{ productId: basket.id, quantity: 3 }] })).totals).toEqual(amounts(3000, 500, 300))
  expect(await changed(one.id, { promoCode: null })).toMatchObject({ promoCode: null, totals: amounts(3000, 500, 0) })
  expect(await usesOf('TEN')).toBe(0)
  expect((await changed(other.id, { promoCode: 'TEN', items: [{ productId: lamp.id, quantity: 2 }] })).totals).toEqual(
    amounts(600, 500, 60),
  )
  expect((await changed(one.id, { promoCode: 'FIRST' })).totals).toEqual(amounts(3000, 500, 50))
})

test('a promotion is used by the phone number that its order has after the change', async () => {
  await make('/v1/promos', { code: 'ONCE', kind: 'percent', value: 10, perCustomerLimit: 1 })
  const [used, free] = ['+213661000001', '+213661000002']
  const items = [{ productId: card.id, quantity: 1 }]
  const by = (phone: string, more: object = {}) => place(items, { customer: { name: 'Lina', phone }, ...more })
  const first = await by(used, { promoCode: 'ONCE' })
  const other = await by(free)
  const to = (phone: string, more: object = {}) => ({ customer: { phone }, ...more })
  const whose = async () =>
    (await sql`select phone from promo_redemptions r join promos p on p.id = r.promo_id where p.code = 'ONCE' order by 1`).map(
      ({ phone }) => phone,
    )
  // With the code in one change, or after it.
  expect(codeOf(await change(other.id, to(used, { promoCode: 'ONCE' })))).toEqual([422, 'invalid_promo'])
  expect((await changed(other.id, { promoCode: 'ONCE' })).totals.discount).toBe(30)
  expect(codeOf(await change(other.id, to(used)))).toEqual([422, 'invalid_promo'])
  expect(codeOf(await change(other.id, to(used, { items })))).toEqual([422, 'invalid_promo'])
  const replaced = { customer: { name: 'Lina', phone: used }, destination: DESTINATION, items }
  expect(codeOf(await call('PUT', `/v1/orders/${other.id}`, { as: key, body: replaced }))).toEqual([422, 'invalid_promo'])
  expect(await whose()).toEqual([used, free])
  expect((await changed(other.id, to(used, { promoCode: null }))).totals.discount).toBe(0)
  expect(await whose()).toEqual([used])
  // Whose it was may be another's now, whatever became of the promotion.
  await sql`update promos set enabled = false where code = 'ONCE'`
  expect(await changed(first.id, to(free))).toMatchObject({ promoCode: 'ONCE', totals: { discount: 30 } })
  expect(await whose()).toEqual([free])
})

test('a promotion for a first order is not taken along to who has ordered before; of several at once one succeeds', async () => {
  const known = await place([{ productId: card.id, quantity: 1 }])
  const { id } = await place([{ productId: card.id, quantity: 1 }], { promoCode: 'FIRST' })
  const toKnown = { customer: { phone: known.customer.phone } }
  expect(codeOf(await change(id, toKnown))).toEqual([422, 'invalid_promo'])
  expect(await changed(id, { ...toKnown, promoCode: null })).toMatchObject({ promoCode: null, totals: { discount: 0 } })
  await make('/v1/promos', { code: 'ALONE', kind: 'fixed', value: 5, perCustomerLimit: 1 })
  const several = await Promise.all([1, 2, 3, 4].map(() => place([{ productId: card.id, quantity: 1 }], { promoCode: 'ALONE' })))
  const answers = await Promise.all(several.map(({ id }) => change(id, { customer: { phone: '+213661000003' } })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
})

test('a discount is given with a reason, besides a promotion, and never above the subtotal', async () => {
  const { id } = await place([{ productId: basket.id, quantity: 2 }])
  const given = await changed(id, { discount: { amount: 150.5, reason: 'a scratch' } })
  expect(given).toMatchObject({ totals: amounts(2000, 500, 150.5), byHand: { discount: 150.5, deliveryPrice: null } })
  expect(codeOf(await change(id, { discount: { amount: 2000.01, reason: 'x' } }))).toEqual([400, 'invalid_request'])
  expect(codeOf(await change(id, { discount: { amount: 1.005, reason: 'x' } }))).toEqual([400, 'invalid_request'])
  for (const discount of [{ amount: 5 }, { amount: 5, reason: '' }, { amount: -5, reason: 'x' }])
    expect((await change(id, { discount })).status).toBe(400)
  await changed(id, { promoCode: 'FIRST' })
  expect((await changed(id, { items: [{ productId: basket.id, quantity: 1 }] })).totals).toEqual(amounts(1000, 500, 200.5))
  expect((await changed(id, { destination: { stateCode: '31', cityName: 'Oran' } })).totals).toEqual(amounts(1000, 700, 200.5))
  expect((await changed(id, { promoCode: null })).totals).toEqual(amounts(1000, 700, 150.5))
  await changed(id, { discount: { amount: 1000, reason: 'a gift' } })
  expect((await changed(id, { items: [{ productId: lamp.id, quantity: 1 }] })).totals).toEqual(amounts(300, 700, 300))
  expect((await changed(id, { discount: null })).totals).toEqual(amounts(300, 700, 0))
  const { data } = await ok('GET', `/v1/stores/${storeId}/audit`, { as: owner.token })
  const noted = data.filter(({ what, thing }: { what: string; thing: string }) => what === 'order.amounts_changed' && thing === id)
  expect(noted.map(({ after }: { after: { reason?: string } }) => after.reason).filter(Boolean)).toEqual(['a gift', 'a scratch'])
})

test('what delivery costs is said by hand, and stays so', async () => {
  const { id } = await place([{ productId: basket.id, quantity: 1 }])
  expect(await changed(id, { deliveryPrice: 0 })).toMatchObject({ totals: amounts(1000, 0, 0), byHand: { deliveryPrice: 0 } })
  expect((await changed(id, { destination: { stateCode: '31', cityName: 'Oran' } })).totals).toEqual(amounts(1000, 0, 0))
  expect((await changed(id, { items: [{ productId: lamp.id, quantity: 1 }], deliveryPrice: 250 })).totals).toEqual(amounts(300, 250, 0))
  expect((await changed(id, { deliveryPrice: null })).totals).toEqual(amounts(300, 700, 0))
  await changed(id, { status: 'cancelled' })
  expect(codeOf(await change(id, { deliveryPrice: 10 }))).toEqual([409, 'invalid_transition'])
  expect(codeOf(await change(id, { discount: { amount: 10, reason: 'x' } }))).toEqual([409, 'invalid_transition'])
})

test('what an order has of a product that is sold no more it may keep, and no more of it', async () => {
  const archived = await make('/v1/products', { name: 'Rug', price: 800, initialStock: 5 })
  const deleted = await make('/v1/products', { name: 'Vase', price: 90, initialStock: 5 })
  const items = [
    { productId: archived.id, quantity: 3 },
    { productId: deleted.id, quantity: 2 },
  ]
  const { id } = await place(items)
  await ok('PATCH', `/v1/products/${archived.id}`, { as: key, body: { status: 'archived', price: 5000 } })
  expect((await call('DELETE', `/v1/products/${deleted.id}`, { as: owner.token })).status).toBe(204)
  const fewer = [
    { productId: lamp.id, quantity: 1 },
    { ...items[1], quantity: 1 },
    { ...items[0], quantity: 2 },
  ]
  const lines = (await changed(id, { items: fewer })).items
  expect(lines.map(({ name, quantity, unitPrice }: Record<string, unknown>) => [name, quantity, unitPrice])).toEqual([
    ['Lamp', 1, 300],
    ['Vase', 1, 90],
    ['Rug', 2, 800],
  ])
  expect((await stockOf(archived.id)).reserved).toBe(2)
  const refused = await change(id, { items: [{ ...items[0], quantity: 3 }] })
  expect(codeOf(refused)).toEqual([422, 'product_unavailable'])
  expect(codeOf(await change(id, { items: [items[0], items[0]] }))).toEqual([422, 'product_unavailable'])
  expect(
    (
      await change(id, {
        items: [
          { ...items[0], quantity: 1 },
          { ...items[0], quantity: 1 },
        ],
      })
    ).status,
  ).toBe(200)
  expect(
    codeOf(
      await call('POST', '/v1/orders', {
        as: key,
        body: { storeId, customer: { name: 'L', phone: '0551000000' }, destination: DESTINATION, items: [items[0]] },
      }),
    ),
  ).toEqual([422, 'product_unavailable'])
})

test('nobody but the store says amounts', async () => {
  const { id } = await place([{ productId: lamp.id, quantity: 1 }])
  expect((await call('PATCH', `/v1/orders/${id}`, { body: { discount: { amount: 1, reason: 'x' } } })).status).toBe(401)
  const body = {
    storeId,
    customer: { name: 'L', phone: '0552000000' },
    destination: DESTINATION,
    items: [{ productId: lamp.id, quantity: 1 }],
  }
  for (const more of [{ discount: { amount: 1, reason: 'x' } }, { deliveryPrice: 0 }])
    expect((await call('POST', '/v1/orders', { body: { ...body, ...more } })).status).toBe(400)
})

test('another address line or stop desk keeps the price of the delivery, another place or delivery type has the price of today', async () => {
  const tariff = (home: number, pickup: number) =>
    ok('PATCH', `/v1/stores/${storeId}`, { as: owner.token, body: { settings: { deliveryPrices: { home, pickup } } } })
  await tariff(500, 300)
  const { id } = await place([{ productId: card.id, quantity: 1 }], { destination: { ...DESTINATION, deliveryType: 'pickup' } })
  await tariff(600, 400)
  const move = async (destination: object) => (await changed(id, { destination })).totals.delivery
  expect(await move({ address: '12 rue' })).toBe(300)
  expect(await move({ pickupId: 'A2' })).toBe(300)
  expect(await move({ cityName: 'Kouba' })).toBe(400)
  expect(await move({ deliveryType: 'home' })).toBe(600)
  await tariff(700, 400)
  expect((await changed(id, { deliveryPrice: null })).totals.delivery).toBe(700)
})
