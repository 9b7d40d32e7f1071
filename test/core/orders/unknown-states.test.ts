import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { call, ok, shop, handle } = await startApp()
const { storeId, key, owner } = await shop()
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 100 } })
await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, {
  as: owner.token,
  body: { enabled: true, credentials: { webhookSecret: 'secret-of-callbacks-0123456789' }, settings: {} },
})
await ok('POST', '/v1/promos', { as: owner.token, body: { storeId, code: 'TEN', kind: 'percent', value: 10, stateCodes: ['16'] } })
const carrier = `/v1/stores/${storeId}/integrations/sandbox`

const destination = (stateCode: string) => ({ country: 'DZ', stateCode, cityName: 'Nowhere', address: 'rue 1', deliveryType: 'home' })
const orderIn = (stateCode: string) => ({
  storeId,
  customer: { name: 'Lina', phone: '0550123456' },
  destination: destination(stateCode),
  items: [{ productId: product.id, quantity: 1 }],
})

const readers = [
  ['the list of orders', (state: string) => `/v1/orders?storeId=${storeId}&filter[stateCode]=${state}`, '/query/stateCode'],
  ['the export of orders', (state: string) => `/v1/orders/export.csv?storeId=${storeId}&filter[stateCode]=${state}`, '/query/stateCode'],
  ["a carrier's fees", (state: string) => `${carrier}/fees?stateCode=${state}`, '/query/stateCode'],
  ["a carrier's rates", (state: string) => `${carrier}/rates?weightKg=1&stateCode=${state}`, '/query/stateCode'],
  ['the pick-up points of a country', (state: string) => `/v1/geo/pickups?country=DZ&state=${state}`, '/query/state'],
  ['the pick-up points of all countries', (state: string) => `/v1/geo/pickups?state=${state}`, '/query/state'],
  ['the search of cities of a country', (state: string) => `/v1/cities/search?q=hydra&country=dz&state=${state}`, '/query/state'],
  ['the search of cities', (state: string) => `/v1/cities/search?q=hydra&state=${state}`, '/query/state'],
] as const

test.each(readers)('a state that does not exist is refused in %s', async (_, address, path) => {
  const refused = await call('GET', address('99'), { as: key })
  expect([refused.status, refused.body.error?.details?.[0]]).toEqual([
    400,
    { path, message: expect.stringMatching(/^"99" is the code of no state\. /) },
  ])
  expect((await call('GET', address('16'), { as: key })).status).toBe(200)
})

const writers = [
  [
    'a promotion',
    'POST',
    '/v1/promos',
    (state: string) => ({ storeId, code: `P${state}`, kind: 'percent', value: 1, stateCodes: [state] }),
  ],
  [
    'the check of a promotion',
    'POST',
    '/v1/promos/validate',
    (state: string) => ({ storeId, code: 'TEN', subtotal: 100, stateCode: state }),
  ],
  [
    'the delivery prices of a store',
    'PATCH',
    `/v1/stores/${storeId}`,
    (state: string) => ({ settings: { deliveryPrices: { byState: { [state]: { home: 1 } } } } }),
  ],
  [
    'the delivery prices of a product',
    'PATCH',
    `/v1/products/${product.id}`,
    (state: string) => ({ shipping: { byState: { [state]: { home: 1 } } } }),
  ],
  [
    'the rules of the dispatcher',
    'PUT',
    `/v1/stores/${storeId}/integrations/dispatcher/rules`,
    (state: string) => ({ rules: [{ name: 'Near', when: { states: [state] }, choose: 'order', carriers: [{ carrier: 'sandbox' }] }] }),
  ],
] as const

test.each(writers)('a state that does not exist is refused in %s', async (_, method, path, body) => {
  const refused = await call(method, path, { as: owner.token, body: body('99') })
  expect([refused.status, refused.body.error?.details?.[0]?.message]).toEqual([
    400,
    expect.stringContaining('"99" is the code of no state.'),
  ])
  expect((await call(method, path, { as: owner.token, body: body('16') })).status).toBeLessThan(300)
})

test('an order keeps a state that nobody knows, says so, and is found by it', async () => {
  const { data } = await ok('POST', '/v1/orders', { as: key, body: orderIn('98') })
  expect(data).toMatchObject({ destination: { stateCode: '98', stateName: null }, warnings: [{ code: 'place_unknown' }] })
  const found = await ok('GET', `/v1/orders?storeId=${storeId}&filter[stateCode]=98`, { as: key })
  expect(found.data.map(({ id }: { id: string }) => id)).toEqual([data.id])
  const priced = await ok('POST', '/v1/orders/calculate', {
    as: key,
    body: { storeId, destination: destination('98'), items: [{ productId: product.id, quantity: 1 }] },
  })
  expect(priced.data.warnings).toMatchObject([{ code: 'place_unknown' }, { code: 'delivery_price_missing' }])
})

test('an imported order with a state that nobody knows has the warning of POST /v1/orders beside its row', async () => {
  const imported = async (query: string, phone: string) => {
    const form = new FormData()
    const sheet = `Name;Phone;State;City;SKU\nLina;${phone};97;Nowhere;B\nNour;${Number(phone) + 1};16;Hydra;B\n`
    form.set('file', new File([sheet], 'orders.csv'))
    const url = `http://localhost/v1/orders/import?storeId=${storeId}${query}`
    const answer = await handle(new Request(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form }))
    const { data } = (await answer.json()) as { data: { id: string } }
    return (await ok('GET', `/v1/orders/imports/${data.id}/rows`, { as: key })).data.toReversed()
  }
  const warning = { code: 'place_unknown', message: 'No place of DZ is called "97, Nowhere". Correct the address before it is sent.' }
  for (const query of ['&dryRun=true', ''])
    expect(await imported(query, '550123470')).toMatchObject([
      { status: 'created', error: null, warnings: [warning] },
      { status: 'created', error: null, warnings: null },
    ])
})
