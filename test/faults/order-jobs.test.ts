import { afterAll, expect, test } from 'bun:test'
import { connectionUrl } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'

const ORDERS = 200
const WITHIN_MS = 90_000

const server = await spawnServer(await connectionUrl())
afterAll(() => server.stop())

test('a job on orders that is killed in the middle goes on after the restart, and changes each order once', async () => {
  const { ok, open } = storefront(server.url)
  const { key, storeId, as } = await open()
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Lamp', sku: 'L', price: 1200, initialStock: ORDERS })
  const place = (at: number) =>
    ok('POST', '/v1/orders', key, {
      storeId,
      customer: { name: 'Lina', phone: `0550${String(at).padStart(6, '0')}` },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
    })
  for (let at = 0; at < ORDERS; at += 10) await Promise.all(Array.from({ length: 10 }, (_, each) => place(at + each)))
  const { id } = await ok('POST', '/v1/orders/bulk', as, { storeId, filter: { status: 'pending' }, action: { type: 'confirm' } })
  const begun = performance.now()
  let isKilled = false
  for (;;) {
    expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
    const job = await ok('GET', `/v1/orders/bulk/${id}`, as)
    if (job.status === 'completed') {
      // Nothing is done twice: an order that was confirmed before the kill would be unchanged, or refused.
      expect(job).toMatchObject({ total: ORDERS, done: ORDERS, unchanged: 0, failed: 0 })
      break
    }
    if (!isKilled && job.done >= 10) {
      isKilled = true
      await server.kill()
      await server.start()
    }
    await Bun.sleep(10)
  }
  expect(isKilled).toBe(true)
  const counts = await ok('GET', `/v1/stores/${storeId}/orders/status-counts`, as)
  expect([counts.total, counts.byStatus.confirmed]).toEqual([ORDERS, ORDERS])
}, 120_000)
