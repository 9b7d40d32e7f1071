import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { markStoreDeleted } from '../../../core/shop/stores/stores.queries.ts'
import { lockExistingStore, replaceStore } from '../../../core/shop/stores/stores.ts'
import { startApp } from '../../support/app.ts'
import { untilWaiting } from '../../support/waiting.ts'

const { call, ok, shop, context } = await startApp()
type Shop = Awaited<ReturnType<typeof shop>>

const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.error?.code, body.error?.details?.[0]?.path]
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body.error?.code ?? ''}`.trim()
const badAt = (path: string) => [400, 'invalid_request', path]

const productOf = async ({ key, storeId }: Shop, more: object) =>
  (await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', ...more } })).data
const orderOf = async ({ key, storeId }: Shop, items: readonly object[], more: object = {}) => {
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' }
  const body = { storeId, customer: { name: 'Lina', phone: '0550123456' }, destination, items, ...more }
  return (await ok('POST', '/v1/orders', { as: key, body })).data
}
const connect = async ({ owner, storeId }: Shop, key = 'sandbox') => {
  const body = { enabled: true, credentials: { webhookSecret: 'rehearsal' } }
  return (await ok('PUT', `/v1/stores/${storeId}/integrations/${key}`, { as: owner.token, body })).data
}

describe('a store that sells in dinars of a thousand millimes', async () => {
  const on = await shop({ currencyCode: 'TND' })

  test('keeps and reckons with three decimals', async () => {
    const settings = { deliveryPrices: { home: 7.125 } }
    await ok('PATCH', `/v1/stores/${on.storeId}`, { as: on.owner.token, body: { settings } })
    const hat = await productOf(on, { price: 12.505 })
    const bundles = [{ name: 'Three', price: 10, items: [{ productId: hat.id, quantity: 2 }] }]
    const product = await productOf(on, { price: 12.505, compareAtPrice: 15.001, cost: 3.333, bundles })
    expect(product).toMatchObject({ price: 12.505, compareAtPrice: 15.001, cost: 3.333 })
    await ok('POST', '/v1/promos', { as: on.key, body: { storeId: on.storeId, code: 'PART', kind: 'percent', value: 15 } })
    const whole = await orderOf(on, [{ productId: product.id, quantity: 1 }], { promoCode: 'PART' })
    // 15 % of 12.505 is 1.87575.
    expect(whole.totals).toEqual({ subtotal: 12.505, delivery: 7.125, discount: 1.876, total: 17.754 })
    const bundled = await orderOf(on, [{ productId: product.id, offerId: product.bundles[0].id, quantity: 1 }])
    expect(bundled.items.map(({ unitPrice, quantity }: { unitPrice: number; quantity: number }) => [unitPrice, quantity])).toEqual([
      [3.333, 1],
      [3.333, 1],
      [3.334, 1],
    ])
    expect(bundled.totals.subtotal).toBe(10)
    const { data } = await ok('PATCH', `/v1/orders/${whole.id}`, {
      as: on.key,
      body: { deliveryPrice: 5.005, discount: { amount: 0.125, reason: 'Late' } },
    })
    expect(data.totals).toEqual({ subtotal: 12.505, delivery: 5.005, discount: 2.001, total: 15.509 })
  })

  test('has no ten-thousandths', async () => {
    const body = { storeId: on.storeId, name: 'Fine', price: 1.0005 }
    expect(refusal(await call('POST', '/v1/products', { as: on.key, body }))).toEqual(badAt('/body/price'))
  })

  test('sends nothing with who collects another money', async () => {
    await connect(on)
    const product = await productOf(on, { price: 20 })
    const order = await orderOf(on, [{ productId: product.id, quantity: 1 }])
    const integrations = `/v1/stores/${on.storeId}/integrations`
    const sent = await call('POST', `${integrations}/sandbox/send`, { as: on.owner.token, body: { orderId: order.id } })
    expect([outcome(sent), sent.body.error.message]).toEqual([
      '422 currency_not_supported',
      expect.stringMatching(/DZD; the store sells in TND/),
    ])
    const given = await ok('POST', `${integrations}/dispatcher/dispatch`, { as: on.owner.token, body: { orderId: order.id } })
    expect(given.data[0]).toMatchObject({
      carrier: null,
      leftOut: [{ carrier: 'sandbox', reason: expect.stringContaining('DZD') }],
    })
  })
})

test('what was priced in finer money is sold for what the money of its store has', async () => {
  const on = await shop({ currencyCode: 'TND' })
  const hat = await productOf(on, { price: 12.505 })
  const bundles = [{ name: 'Two', price: 20.009, items: [{ productId: hat.id, quantity: 1 }] }]
  const product = await productOf(on, { price: 12.505, tiers: [{ from: 2, price: 11.111 }], bundles })
  await ok('POST', '/v1/promos', { as: on.key, body: { storeId: on.storeId, code: 'OFF', kind: 'fixed', value: 1.125 } })
  await ok('PUT', `/v1/stores/${on.storeId}`, { as: on.owner.token, body: { name: 'Boutique', currencyCode: 'DZD' } })
  const [one, two] = [
    await orderOf(on, [{ productId: product.id, quantity: 1 }], { promoCode: 'OFF' }),
    await orderOf(on, [{ productId: product.id, quantity: 2 }]),
  ]
  expect(one.totals).toEqual({ subtotal: 12.51, delivery: 0, discount: 1.13, total: 11.38 })
  expect(two.totals.subtotal).toBe(22.22)
  expect((await orderOf(on, [{ productId: product.id, offerId: product.bundles[0].id, quantity: 1 }])).totals.subtotal).toBe(20.01)
})

describe('a store that sells in yen', async () => {
  const on = await shop({ currencyCode: 'JPY' })
  const half = 10.5

  test('has no parts of one anywhere', async () => {
    const body = { storeId: on.storeId, name: 'Basket', price: 1000 }
    const bad: readonly [string, object][] = [
      ['/body/price', { price: half }],
      ['/body/compareAtPrice', { compareAtPrice: half }],
      ['/body/cost', { cost: half }],
      ['/body/tiers/0/price', { tiers: [{ from: 2, price: half }] }],
      ['/body/variants/0/price', { variants: [{ name: 'L', price: half }] }],
      ['/body/variants/0/cost', { variants: [{ name: 'L', cost: half }] }],
      ['/body/bundles/0/price', { bundles: [{ name: 'Two', price: half, items: [{ productId: 'prd_1', quantity: 1 }] }] }],
      ['/body/shipping/home', { shipping: { home: half } }],
      ['/body/shipping/byState/16/pickup', { shipping: { byState: { '16': { pickup: half } } } }],
    ]
    for (const [path, more] of bad)
      expect(refusal(await call('POST', '/v1/products', { as: on.key, body: { ...body, ...more } }))).toEqual(badAt(path))
    const prices = '/body/settings/deliveryPrices'
    for (const [path, deliveryPrices] of [
      [`${prices}/home`, { home: half }],
      [`${prices}/byState/16/home`, { byState: { '16': { home: half } } }],
    ] as const)
      expect(
        refusal(await call('PATCH', `/v1/stores/${on.storeId}`, { as: on.owner.token, body: { settings: { deliveryPrices } } })),
      ).toEqual(badAt(path))
    const promo = { storeId: on.storeId, code: 'P', kind: 'fixed', value: 5 }
    for (const [path, more] of [
      ['/body/value', { value: half }],
      ['/body/minimumSubtotal', { minimumSubtotal: half }],
      ['/body/maximumDiscount', { maximumDiscount: half }],
    ] as const)
      expect(refusal(await call('POST', '/v1/promos', { as: on.key, body: { ...promo, ...more } }))).toEqual(badAt(path))
    const asked = { storeId: on.storeId, code: 'P', subtotal: half }
    expect(refusal(await call('POST', '/v1/promos/validate', { as: on.key, body: asked }))).toEqual(badAt('/body/subtotal'))
  })

  test('what is taken off, shared out or said by hand is whole', async () => {
    const hat = await productOf(on, { price: 333 })
    const bundles = [{ name: 'Three', price: 1000, items: [{ productId: hat.id, quantity: 2 }] }]
    const product = await productOf(on, { price: 333, bundles })
    await ok('POST', '/v1/promos', { as: on.key, body: { storeId: on.storeId, code: 'PART', kind: 'percent', value: 12.5 } })
    // 12.5 % of 333 is 41.625.
    const order = await orderOf(on, [{ productId: product.id, quantity: 1 }], { promoCode: 'PART' })
    expect(order.totals).toEqual({ subtotal: 333, delivery: 0, discount: 42, total: 291 })
    const bundled = await orderOf(on, [{ productId: product.id, offerId: product.bundles[0].id, quantity: 1 }])
    expect(bundled.items.map(({ unitPrice, quantity }: { unitPrice: number; quantity: number }) => [unitPrice, quantity])).toEqual([
      [333, 1],
      [333, 1],
      [334, 1],
    ])
    const change = (body: object) => call('PATCH', `/v1/orders/${order.id}`, { as: on.key, body })
    expect(refusal(await change({ deliveryPrice: half }))).toEqual(badAt('/body/deliveryPrice'))
    expect(refusal(await change({ discount: { amount: half, reason: 'Late' } }))).toEqual(badAt('/body/discount/amount'))
  })
})

describe('a parcel collects', async () => {
  const on = await shop()
  const account = await connect(on)
  const parcel = (more: object) => ({
    recipient: { name: 'Amina', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'Rue 1' },
    ...more,
  })

  test('what its carrier can count', async () => {
    const body = parcel({ codAmount: 10.505, carrierAccountId: account.id })
    expect(refusal(await call('POST', '/v1/parcels', { as: on.key, body }))).toEqual(badAt('/body/codAmount'))
    expect(refusal(await call('POST', '/v1/parcels', { as: on.key, body: parcel({ codAmount: 10.505 }) }))).toEqual(
      badAt('/body/codAmount'),
    )
    const tunis = {
      destination: { country: 'TN', stateCode: '11', cityName: 'Tunis', address: 'Rue 1' },
      recipient: { name: 'Amina', phone: '+21620123456' },
    }
    const { data: unsent } = await ok('POST', '/v1/parcels', { as: on.key, body: parcel({ ...tunis, codAmount: 10.505 }) })
    expect(unsent.codAmount).toBe(10.505)
    await ok('PATCH', `/v1/parcels/${unsent.id}`, { as: on.key, body: { carrierAccountId: account.id } })
    const sent = await call('POST', `/v1/parcels/${unsent.id}/submit`, { as: on.key, body: {} })
    expect([sent.status >= 400, JSON.stringify(sent.body)]).toEqual([true, expect.stringContaining('cannot represent 10.505')])
    const edit = (codAmount: number) => call('PATCH', `/v1/parcels/${unsent.id}`, { as: on.key, body: { codAmount } })
    expect(refusal(await edit(10.001))).toEqual(badAt('/body/codAmount'))
    expect(outcome(await edit(10.5))).toBe('200')
  })
})

describe('an order that comes while its store', () => {
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' }
  type Change = (tx: Parameters<typeof lockExistingStore>[0], id: string) => Promise<unknown>
  const meeting = async (change: Change) => {
    const on = await shop()
    const product = await productOf(on, { price: 2500 })
    const items = [{ productId: product.id, quantity: 1 }]
    const body = { storeId: on.storeId, customer: { name: 'Lina', phone: '0550123456' }, destination, items }
    const { asked } = await transaction(context.sql, async (tx) => {
      await change(tx, on.storeId)
      const asked = call('POST', '/v1/orders', { body })
      await Promise.race([asked, untilWaiting(context.sql, 1)])
      return { asked }
    })
    const taken = await context.sql`select 1 from orders where project_id = ${projectIdOf(on.storeId)}`
    return [outcome(await asked), taken.length]
  }

  test('takes another currency is not taken in the money of before', async () => {
    const change = { name: 'Boutique', currencyCode: 'EUR' }
    expect(await meeting((tx, id) => replaceStore(tx, id, change))).toEqual(['409 conflict', 0])
  })

  test('is deleted is taken by nobody', async () => {
    const leave: Change = async (tx, id) => {
      await lockExistingStore(tx, id)
      await markStoreDeleted(tx, id)
    }
    expect(await meeting(leave)).toEqual(['409 conflict', 0])
  })
})
