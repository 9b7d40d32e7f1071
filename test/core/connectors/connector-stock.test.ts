import { afterAll, expect, test } from 'bun:test'
import { pushStock, requestDueStockPushes } from '../../../core/connectors/shops/stock/push-stock.ts'
import { KEYS, startWoo } from '../../adapters/connector/woocommerce/simulator.ts'
import { startApp } from '../../support/app.ts'

const woo = startWoo()
afterAll(() => woo.stop())
const app = await startApp({ simulators: { [woo.host]: woo.url }, publicUrl: 'https://ours.example' })
const { ok, context } = app
const never = new AbortController().signal

async function connected(setting: 'on' | 'off') {
  woo.goods.clear()
  woo.goods.set(1, { id: 1, parent_id: 0, type: 'simple', sku: 'B', manage_stock: false, stock_quantity: null })
  woo.goods.set(2, { id: 2, parent_id: 1, type: 'variation', sku: 'R-L', manage_stock: true, stock_quantity: 7 })
  woo.goods.set(3, { id: 3, parent_id: 0, type: 'simple', sku: 'OTHER', manage_stock: true, stock_quantity: 5 })
  const { storeId, owner, key } = await app.shop()
  const sells = (product: object) => ok('POST', '/v1/products', { as: key, body: { storeId, ...product } })
  const { data: basket } = await sells({ name: 'Basket', sku: 'B', price: 9000, initialStock: 12 })
  await sells({ name: 'Ribbon', price: 100, sku: 'R-L', initialStock: 3 })
  await sells({ name: 'Unknown there', price: 100, sku: 'NOT-THERE', initialStock: 3 })
  const body = { platform: 'woocommerce', credentials: KEYS, settings: { shop: woo.host, pushStock: setting } }
  const { data: connector } = await ok('POST', `/v1/stores/${storeId}/integrations/connectors`, { as: owner.token, body })
  const tell = () => pushStock(context, connector.id, never)
  const writes = () => woo.requests.filter(({ method, path }) => method !== 'GET' && path.includes('/products')).length
  const orderOne = () =>
    ok('POST', '/v1/orders', {
      as: key,
      body: {
        storeId,
        customer: { name: 'Lina', phone: '0550123456' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
        items: [{ productId: basket.id, quantity: 2 }],
      },
    })
  /** So many goods more, each with a stock of its own. */
  const more = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const sku = `MORE-${String(at).padStart(3, '0')}`
      woo.goods.set(100 + at, { id: 100 + at, parent_id: 0, type: 'simple', sku, manage_stock: true, stock_quantity: 0 })
      await sells({ name: sku, price: 100, sku, initialStock: at + 1 })
    }
  }
  return { connector, tell, writes, orderOne, more }
}

test('stock push: a shop gets the available stock of its SKUs once, and again when it changes', async () => {
  const { tell, writes, orderOne } = await connected('on')
  const before = writes()
  await tell()
  expect([...woo.goods.values()].map(({ sku, stock_quantity: stock }) => [sku, stock])).toEqual([
    ['B', 12],
    ['R-L', 3],
    ['OTHER', 5],
  ])
  expect(woo.goods.get(1)?.manage_stock).toBe(true)
  expect(writes() - before).toBe(2)
  const asked = woo.requests.length
  await tell()
  expect(woo.requests.length).toBe(asked)
  await orderOne()
  await tell()
  expect(woo.goods.get(1)?.stock_quantity).toBe(10)
})

test('stock push: a refused quantity is reported, and the SKUs after it are pushed all the same', async () => {
  const { tell, more } = await connected('on')
  await more(60)
  woo.refusedGoods.add(1)
  await expect(tell()).rejects.toThrow('B: Invalid ID.')
  expect(woo.goods.get(1)?.stock_quantity).toBe(null)
  expect(woo.goods.get(159)?.stock_quantity).toBe(60)
  woo.refusedGoods.clear()
  await tell()
  expect(woo.goods.get(1)?.stock_quantity).toBe(12)
})

test('stock push: a shop that does not answer is retried later', async () => {
  const { tell } = await connected('on')
  woo.fail('error')
  await expect(tell()).rejects.toThrow()
  woo.calm()
  await tell()
  expect(woo.goods.get(1)?.stock_quantity).toBe(12)
})

test('stock push: a connection without the setting gets no stock', async () => {
  const { tell } = await connected('off')
  await tell()
  await requestDueStockPushes(context)
  expect(woo.goods.get(1)?.stock_quantity).toBe(null)
})
