import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'

const folder = await scratchFolder()
await mkdir(join(folder, 'thrifty'))
await writeFile(
  join(folder, 'thrifty/index.ts'),
  `import { ask, carrier, CarrierError } from 'serai/carrier'
export default carrier({
  slug: 'thrifty', label: 'Thrifty', countries: ['DZ'], currency: 'DZD', net: ['api.thrifty.example'], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: [{ calls: 1, seconds: 600 }], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: () => ({}),
  send: () => { throw new CarrierError('refused', 'not asked here') },
  serviceFees: (context) => ask(context, 'Thrifty', 'https://api.thrifty.example/').then(() => []),
  async stockProducts(context) {
    await ask(context, 'Thrifty', 'https://api.thrifty.example/').catch(() => {})
    throw new CarrierError('refused', 'This account keeps no stock.')
  },
})`,
)
const carrier = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json([]) })
afterAll(() => carrier.stop(true))
const { call, ok, shop } = await startApp({
  adapterDirs: [folder],
  simulators: { 'api.thrifty.example': `http://127.0.0.1:${carrier.port}` },
})

test('rate limit of a carrier: a call that was held back says when to retry; a more exact answer of the adapter is given instead', async () => {
  const { storeId, owner } = await shop()
  const base = `/v1/stores/${storeId}/integrations/thrifty`
  await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: {} } })
  expect((await call('GET', `${base}/service-fees`, { as: owner.token })).status).toBe(200)
  const held = await call('GET', `${base}/service-fees`, { as: owner.token })
  expect([held.status, held.body.error.code]).toEqual([429, 'rate_limited'])
  expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(500)
  const told = await call('GET', `${base}/stock/products`, { as: owner.token })
  expect([told.status, told.body.error.message]).toEqual([422, 'This account keeps no stock.'])
})
