import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const { call, ok, shop } = await startApp()
const { storeId, key, owner } = await shop()
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Shoe', price: 100 } })
const items = [{ productId: product.id, quantity: 1 }]
let phones = 0
const order = (destination: object = {}, more: object = {}) =>
  call('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Amina', phone: `05551${10000 + ++phones}` },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home', ...destination },
      items,
      ...more,
    },
  })
const prices = (deliveryPrices: object | null) =>
  ok('PATCH', `/v1/stores/${storeId}`, { as: owner.token, body: { settings: { deliveryPrices } } })
const codes = ({ body }: Answer) => (body.warnings ?? []).map(({ code }: { code: string }) => code)

test('promotion: spaces and direction marks around a code do not count, wherever it comes in', async () => {
  const made = await call('POST', '/v1/promos', { as: key, body: { storeId, code: ' \u200fEID10\u200e ', kind: 'fixed', value: 10 } })
  expect([made.status, made.body.data.code]).toEqual([201, 'EID10'])
  for (const typed of ['EID10', ' eid10 ', '\u200eEID10\u200f', '\u00a0EID10\u202f', '\ufeffEID10\n', 'EID 10']) {
    const { body } = await order({}, { promoCode: typed })
    expect([typed, body.data?.promoCode, body.data?.totals.discount]).toEqual([typed, 'EID10', 10])
    const verdict = await ok('POST', '/v1/promos/validate', { as: key, body: { storeId, code: typed, subtotal: 100 } })
    expect([typed, verdict.data.valid]).toEqual([typed, true])
    const calculated = await ok('POST', '/v1/orders/calculate', {
      as: key,
      body: { storeId, items, destination: { country: 'DZ', stateCode: '16', deliveryType: 'home' }, promoCode: typed },
    })
    expect(calculated.data.totals.discount).toBe(10)
  }
  const { data } = (await order()).body
  const change = async (promoCode: string) => (await ok('PATCH', `/v1/orders/${data.id}`, { as: key, body: { promoCode } })).data
  expect((await change(' EID10\u200f')).totals.discount).toBe(10)
  expect((await change('\u200feid10')).totals.discount).toBe(10)
  const found = await ok('GET', `/v1/orders?storeId=${storeId}&filter[promoCode]=${encodeURIComponent(' EID10\u200f')}`, { as: key })
  expect(found.data.length).toBeGreaterThan(0)
  expect(outcome(await order({}, { promoCode: 'EID11' }))).toBe('422 invalid_promo')
})

test('delivery: a pickup price that nobody set is that of home, and is warned about', async () => {
  await prices({ home: 500, byState: { '31': { home: 700 }, '16': { pickup: 250 } } })
  for (const [stateCode, cityName, deliveryType, price, warned] of [
    ['09', 'Blida', 'home', 500, []],
    ['09', 'Blida', 'pickup', 500, ['delivery_price_missing']],
    ['31', 'Oran', 'pickup', 700, ['delivery_price_missing']],
    ['16', 'Bab Ezzouar', 'pickup', 250, []],
  ] as const) {
    const made = await order({ stateCode, cityName, deliveryType })
    expect([stateCode, deliveryType, made.body.data.totals.delivery, codes(made)]).toEqual([stateCode, deliveryType, price, [...warned]])
    const { data } = await ok('POST', '/v1/orders/calculate', {
      as: key,
      body: { storeId, items, destination: { country: 'DZ', stateCode, cityName, deliveryType } },
    })
    expect([data.totals.delivery, (data.warnings ?? []).length]).toEqual([price, warned.length])
  }
  await prices({ byState: { '16': { home: 300 } } })
  const made = await order({ stateCode: '09', cityName: 'Blida' })
  expect([made.body.data.totals.delivery, codes(made)]).toEqual([0, ['delivery_price_missing']])
  await prices({ home: 500, pickup: 0 })
  const free = await order({ deliveryType: 'pickup' })
  expect([free.body.data.totals.delivery, codes(free)]).toEqual([0, []])
  await prices(null)
  expect(codes(await order({ deliveryType: 'pickup' }))).toEqual([])
})

test('place: an order to a place that nobody knows says so in its answer, alone and in lists', async () => {
  const made = await order({ stateCode: 'Bordeaux', cityName: 'Paris' })
  const { id } = made.body.data
  expect([made.status, codes(made), made.body.data.warnings[0].code]).toEqual([201, ['place_unknown'], 'place_unknown'])
  expect((await ok('GET', `/v1/orders/${id}`, { as: key })).data.warnings[0].message).toContain('"Bordeaux, Paris"')
  const { data: listed } = await ok('GET', `/v1/orders?storeId=${storeId}`, { as: key })
  expect(listed.find((one: { id: string }) => one.id === id).warnings).toHaveLength(1)
  const corrected = { destination: { stateCode: '16', cityName: 'Bab Ezzouar' } }
  expect((await ok('PATCH', `/v1/orders/${id}`, { as: key, body: corrected })).data).not.toHaveProperty('warnings')
  // Of a country whose places are not known there is nothing to say.
  expect(
    codes(await order({ country: 'FR', stateCode: 'Gironde', cityName: 'Bordeaux' }, { customer: { name: 'A', phone: '+33612345678' } })),
  ).toEqual([])
})

test('place: an order to a place that nobody knows is sent only by force, or once its address is corrected', async () => {
  const credentials = { webhookSecret: 'a secret of the sandbox' }
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, { as: owner.token, body: { enabled: true, credentials, settings: {} } })
  const lost = { stateCode: 'Bordeaux', cityName: 'Paris' }
  const [one, other, third] = [(await order(lost)).body.data.id, (await order(lost)).body.data.id, (await order(lost)).body.data.id]
  const send = (id: string, body: object = {}) =>
    call('POST', `/v1/stores/${storeId}/orders/${id}/carriers/sandbox/send`, { as: owner.token, body })
  const refused = await send(one)
  expect(outcome(refused)).toBe('422 place_unknown')
  expect(refused.body.error.message).toContain('Correct the address')
  expect((await ok('GET', `/v1/orders/${one}`, { as: key })).data.parcelId).toBeNull()
  const { data: rows } = await ok('POST', '/v1/orders/send', {
    as: key,
    body: { storeId, carrierCode: 'sandbox', orders: [{ orderId: one }, { orderId: other }] },
  })
  expect(rows.map(({ error }: { error: { code: string } }) => error?.code)).toEqual(['place_unknown', 'place_unknown'])
  await ok('PATCH', `/v1/orders/${one}`, { as: key, body: { destination: { stateCode: '16', cityName: 'Bab Ezzouar' } } })
  expect((await send(one)).status).toBe(200)
  expect(outcome(await send(third, { force: true }))).not.toContain('place_unknown')
})
