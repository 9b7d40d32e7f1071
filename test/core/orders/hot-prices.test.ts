import { afterAll, expect, test } from 'bun:test'
import { freshDatabase } from '../../support/database.ts'
import { openRelay } from '../../support/database-traffic.ts'
import { spawnServer } from '../../support/process.ts'
import { storefront } from '../../support/storefront.ts'

const PRICE_CHANGES = 25
const ORDERERS = 3

/** Two processes on one database, each of which remembers products and stores of its own. */
const relay = await openRelay(await freshDatabase())
const environment = { DATABASE_URL: relay.connection.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
const servers = [await spawnServer(environment), await spawnServer(environment)] as const
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  relay.close()
})
const [one, other] = [storefront(servers[0].url), storefront(servers[1].url)]
const { as, key, storeId } = await one.open()

const newProduct = (price: number) =>
  one.ok('POST', '/v1/products', key, { storeId, name: 'Basket', sku: `B-${crypto.randomUUID()}`, price, initialStock: 1_000_000 })

const order = (productId: string) => ({
  storeId,
  customer: { name: 'Lina', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
  items: [{ productId, quantity: 1 }],
})

/** Changes a price again and again in one process while both take orders. Each order must cost what was so between its request and its answer. */
async function changeWhileOrdered(productId: string, change: (price: number) => Promise<unknown>, paidOf: (order: Totals) => number) {
  let [asked, answered, isOver] = [1, 1, false]
  const prices = new Set<number>()
  const orderOn = async ({ ok }: typeof one) => {
    while (!isOver) {
      const least = answered
      const paid = paidOf(await ok('POST', '/v1/orders', key, order(productId)))
      expect(paid).toBeGreaterThanOrEqual(least)
      expect(paid).toBeLessThanOrEqual(asked)
      prices.add(paid)
    }
  }
  const changeAll = async () => {
    for (let price = 2; price <= PRICE_CHANGES; price += 1) {
      asked = price
      await change(price)
      answered = price
    }
    isOver = true
  }
  await Promise.all([changeAll(), ...Array.from({ length: ORDERERS }, () => [orderOn(one), orderOn(other)]).flat()])
  expect(prices.size).toBeGreaterThan(2)
}

interface Totals {
  readonly totals: { readonly subtotal: number; readonly delivery: number }
}

test('a price that changes while two processes sell the product: each order costs what was so when it was placed', async () => {
  const { id } = await newProduct(1)
  await changeWhileOrdered(
    id,
    (price) => one.ok('PATCH', `/v1/products/${id}`, key, { price }),
    ({ totals }) => totals.subtotal,
  )
}, 120_000)

test('a delivery price of the store that changes while two processes sell: each order costs what was so when it was placed', async () => {
  const { id } = await newProduct(100)
  const change = (home: number) => one.ok('PATCH', `/v1/stores/${storeId}`, as, { settings: { deliveryPrices: { home } } })
  await change(1)
  await changeWhileOrdered(id, change, ({ totals }) => totals.delivery)
}, 120_000)

test('a product that one process takes off sale is refused by the other at once, and sold again once it is back', async () => {
  const { id } = await newProduct(100)
  const place = () => other.ask('POST', '/v1/orders', key, order(id))
  expect((await place()).status).toBe(201)
  await one.ok('PATCH', `/v1/products/${id}`, key, { status: 'archived' })
  expect((await place()).body.error).toMatchObject({ code: 'product_unavailable' })
  await one.ok('PATCH', `/v1/products/${id}`, key, { status: 'active' })
  expect((await place()).status).toBe(201)
  await one.ask('DELETE', `/v1/products/${id}`, key)
  expect((await place()).body.error).toMatchObject({ code: 'product_unavailable' })
})

test('a store that one process deletes takes no order in the other', async () => {
  const { id } = await newProduct(100)
  expect((await other.ask('POST', '/v1/orders', key, order(id))).status).toBe(201)
  const { status } = await one.ask('DELETE', `/v1/stores/${storeId}`, as)
  expect(status).toBe(204)
  expect([401, 404]).toContain((await other.ask('POST', '/v1/orders', key, order(id))).status)
})
