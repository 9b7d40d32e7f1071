import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionUrl } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { scratchFolder } from '../support/scratch.ts'
import { storefront } from '../support/storefront.ts'
import { until } from '../support/until.ts'

const WINDOW = { calls: 10, seconds: 15 }
const PARCELS = 60

const folder = await scratchFolder()
await mkdir(join(folder, 'slow'))
await writeFile(
  join(folder, 'slow/index.ts'),
  `import { carrier } from 'serai/carrier'
export default carrier({
  slug: 'slow', label: 'Slow', countries: ['DZ'], currency: 'DZD', net: ['api.slow.example'], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 10, rateWindows: [${JSON.stringify(WINDOW)}], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: () => ({}),
  async send(context, { reference }) {
    await context.fetch('https://api.slow.example/', { method: 'POST', body: reference })
    return { trackingId: reference }
  },
})`,
)

/** When each call arrived. */
const arrivals: number[] = []
const carrier = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch() {
    arrivals.push(performance.now())
    await Bun.sleep(2_000)
    return new Response('taken')
  },
})
const server = await spawnServer({
  ...(await connectionUrl()),
  ADAPTER_DIRS: folder,
  ADAPTER_APPROVAL: 'auto',
  SIMULATORS: `api.slow.example=http://127.0.0.1:${carrier.port}`,
})
afterAll(async () => {
  await server.stop()
  await carrier.stop(true)
})

const mostWithin = (ms: number) => Math.max(0, ...arrivals.map((from, at) => arrivals.slice(at).filter((time) => time - from < ms).length))

test('killed while calls are under way: what was asked counts in the windows of the process that follows', async () => {
  const { ok, open } = storefront(server.url)
  const { as, key, storeId } = await open()
  const { id: carrierAccountId } = await ok('PUT', `/v1/stores/${storeId}/integrations/slow`, as, { enabled: true, credentials: {} })
  const parcels = Array.from({ length: PARCELS }, (_, at) => ({
    reference: `slow-${at}`,
    recipient: { name: 'Lina B', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: '', deliveryType: 'home' },
    codAmount: 2500,
  }))
  await ok('POST', '/v1/parcels/batches', key, { carrierAccountId, submit: true, parcels })
  for (let kills = 0; kills < 2; kills += 1) {
    const before = arrivals.length
    await until(() => arrivals.length > before)
    // Calls are at the carrier, which has answered none of them.
    await Bun.sleep(300)
    await server.kill()
    await server.start()
  }
  const restarted = arrivals.length
  await until(() => arrivals.length > restarted)
  await Bun.sleep(3_000)
  expect(mostWithin(WINDOW.seconds * 1000)).toBeLessThanOrEqual(WINDOW.calls)
}, 300_000)
