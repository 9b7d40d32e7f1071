import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()
const { storeId, key, owner } = await shop()
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Shoe', price: 100 } })
const items = [{ productId: product.id, quantity: 1 }]

let phones = 0
const order = async (stateCode: string, cityName: string, more: object = {}) =>
  (
    await ok('POST', '/v1/orders', {
      as: key,
      body: {
        storeId,
        customer: { name: 'Amina', phone: `05551${10000 + ++phones}` },
        destination: { country: 'DZ', stateCode, cityName, address: '', deliveryType: 'home' },
        items,
        ...more,
      },
    })
  ).data
const prices = (deliveryPrices: object) =>
  call('PATCH', `/v1/stores/${storeId}`, { as: owner.token, body: { settings: { deliveryPrices } } })
const found = async (state: string) =>
  (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100&filter[stateCode]=${encodeURIComponent(state)}`, { as: key })).data.map(
    ({ id }: { id: string }) => id,
  )

test('states: a price for a state of the new law holds in its towns, and its older state in the others', async () => {
  expect((await prices({ home: 500, byState: { '03': { home: 700 }, '59': { home: 900 } } })).status).toBe(200)
  for (const [state, city, delivery] of [
    ['59', 'Aflou', 900],
    ['Aflou', 'Aflou', 900],
    ['03', 'Aflou', 900],
    ['Laghouat', 'Aflou', 900],
    ['59', 'A town that nobody knows', 900],
    ['03', 'Laghouat', 700],
    ['Laghouat', 'A town that nobody knows', 700],
    ['16', 'Bab Ezzouar', 500],
  ] as const) {
    const made = await order(state, city)
    expect([state, city, made.totals.delivery]).toEqual([state, city, delivery])
    expect([made.destination.stateCode, made.destination.currentStateCode]).toEqual(
      delivery === 900 ? ['03', '59'] : [delivery === 700 ? '03' : '16', undefined],
    )
    const { data: calculated } = await ok('POST', '/v1/orders/calculate', {
      as: key,
      body: { storeId, items, destination: { country: 'DZ', stateCode: state, cityName: city, deliveryType: 'home' } },
    })
    expect([calculated.totals.delivery, calculated.destination.currentStateCode]).toEqual([delivery, delivery === 900 ? '59' : undefined])
  }
})

test('states: a price without one of its own for the new state is that of the older one', async () => {
  await prices({ home: 500, byState: { '03': { home: 700 } } })
  expect((await order('59', 'Aflou')).totals.delivery).toBe(700)
})

test('states: prices of a product know both schemes', async () => {
  const { data: own } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Lamp', price: 100, shipping: { home: 1, byState: { '68': { home: 3 }, '9': { home: 2 } } } },
  })
  expect(Object.keys(own.shipping.byState).sort()).toEqual(['09', '68'])
  const lamp = { items: [{ productId: own.id, quantity: 1 }] }
  expect((await order('28', 'Bou Saada', lamp)).totals.delivery).toBe(3)
  expect((await order('9', 'Blida', lamp)).totals.delivery).toBe(2)
  const strange = { shipping: { byState: { '70': { home: 3 } } } }
  expect(outcome(await call('PATCH', `/v1/products/${own.id}`, { as: key, body: strange }))).toBe('400 invalid_request')
})

test('states: a price that could never apply is refused with the codes that are allowed', async () => {
  for (const code of ['70', '00', 'XX', 'Paris']) {
    const refused = await prices({ byState: { [code]: { home: 1 } } })
    expect([code, outcome(refused)]).toEqual([code, '400 invalid_request'])
    expect(refused.body.error.details[0].path).toBe(`/body/settings/deliveryPrices/byState/${code}`)
    expect(refused.body.error.details[0].message).toContain('Use one of 01, 02, ')
  }
  const twice = await prices({ byState: { '9': { home: 1 }, '09': { home: 2 } } })
  expect(twice.body.error.details[0].message).toBe('The state 09 is named twice. Name it once.')
  expect((await prices({ home: 500, byState: { '9': { home: 1 }, Alger: { home: 2 } } })).body.data.settings.deliveryPrices).toEqual({
    home: 500,
    byState: { '09': { home: 1 }, '16': { home: 2 } },
  })
})

test('states: a promotion for a state of the new law is met there alone', async () => {
  await prices({ home: 500 })
  const promo = (code: string, stateCodes: string[]) =>
    call('POST', '/v1/promos', { as: key, body: { storeId, code, kind: 'fixed', value: 10, stateCodes } })
  expect((await promo('NEW', ['59', '9', '09'])).body.data.stateCodes).toEqual(['59', '09'])
  expect((await promo('OLD', ['03'])).status).toBe(201)
  const refused = await promo('NEVER', ['16', '70'])
  expect([outcome(refused), refused.body.error.details[0].path]).toEqual(['400 invalid_request', '/body/stateCodes/1'])
  const verdict = async (code: string, stateCode: string) =>
    (await ok('POST', '/v1/promos/validate', { as: key, body: { storeId, code, subtotal: 100, stateCode } })).data.valid
  expect([await verdict('NEW', '59'), await verdict('NEW', 'Aflou'), await verdict('NEW', '03'), await verdict('NEW', '9')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  expect([await verdict('OLD', '59'), await verdict('OLD', 'Laghouat'), await verdict('OLD', '16')]).toEqual([true, true, false])
  expect((await order('03', 'Aflou', { promoCode: 'NEW' })).totals.discount).toBe(10)
  const elsewhere = call('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Amina', phone: '0555123456' },
      destination: { country: 'DZ', stateCode: '03', cityName: 'Laghouat', address: '', deliveryType: 'home' },
      items,
      promoCode: 'NEW',
    },
  })
  expect(outcome(await elsewhere)).toBe('422 invalid_promo')
})

test('states: a filter by state knows both schemes, names, and orders of before', async () => {
  const [aflou, laghouat, unknown] = [
    await order('Laghouat', 'Aflou'),
    await order('03', 'Laghouat'),
    await order('59', 'A town that nobody knows'),
  ]
  // An order of a time when only the carriers' code was kept.
  const before = await order('03', 'Aflou')
  await context.sql`update orders set destination = destination - 'currentStateCode' where id = ${before.id}`
  for (const state of ['59', 'Aflou', 'آفلو']) {
    const ids = await found(state)
    for (const { id } of [aflou, unknown, before]) expect([state, ids.includes(id)]).toEqual([state, true])
    expect([state, ids.includes(laghouat.id)]).toEqual([state, false])
  }
  for (const state of ['03', '3', 'Laghouat', 'الأغواط'])
    for (const { id } of [aflou, laghouat, unknown, before]) expect([state, (await found(state)).includes(id)]).toEqual([state, true])
  // A price that comes later holds for it too.
  await prices({ home: 500, byState: { '59': { home: 900 } } })
  const { data } = await ok('PATCH', `/v1/orders/${before.id}`, { as: key, body: { deliveryPrice: null } })
  expect(data.totals.delivery).toBe(900)
})

test('states: rules of the dispatcher know both schemes, and refuse what is no state', async () => {
  const path = `/v1/stores/${storeId}/integrations/dispatcher/rules`
  const rule = (states: string[]) => ({
    rules: [{ name: 'South', when: { states }, carriers: [{ carrier: 'sandbox' }], choose: 'order' }],
  })
  const refused = await call('PUT', path, { as: key, body: rule(['16', '70']) })
  expect([outcome(refused), refused.body.error.details[0].path]).toEqual(['400 invalid_request', '/body/rules/0/when/states/1'])
  const { data } = await ok('PUT', path, { as: key, body: rule(['59', '9', '09']) })
  expect(data.rules[0].when.states).toEqual(['59', '09'])
  const credentials = { webhookSecret: 'a secret of the sandbox' }
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, { as: owner.token, body: { enabled: true, credentials, settings: {} } })
  const rowOf = async (id: string) =>
    (
      await ok('POST', `/v1/stores/${storeId}/integrations/dispatcher/dispatch`, {
        as: key,
        body: { orderId: id, dryRun: true },
      })
    ).data[0]
  const [there, elsewhere] = [await order('03', 'Aflou'), await order('03', 'Laghouat')]
  expect((await rowOf(there.id)).rule).toBe('South')
  expect((await rowOf(elsewhere.id)).rule).not.toBe('South')
})
