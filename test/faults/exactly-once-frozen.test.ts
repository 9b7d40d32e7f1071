import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { external } from '../support/database.ts'
import { receiver } from '../support/receiver.ts'
import { severalOn } from '../support/several.ts'
import { withSpawned } from '../support/spawned-simulator.ts'
import { inParallel, storefront } from '../support/storefront.ts'
import { until, untilValue } from '../support/until.ts'

const ORDERS = 120
/** Three times as long as others wait before they take a process for dead. */
const FROZEN_MS = 10_000

if (!external.databaseUrl) console.log('Not run: two processes need a database that both can reach (TEST_DATABASE_URL).')

test.skipIf(!external.databaseUrl)(
  `a process stands still for ${FROZEN_MS / 1000} s while it hands over, and goes on: others did its work meanwhile, and nothing is sent twice`,
  () =>
    withSpawned('yalidine', async (simulator) => {
      const server = await severalOn({
        SIMULATORS: `api.yalidine.app=${simulator.url}`,
        ADAPTER_DIRS: join(import.meta.dir, '../support/adapters'),
        ADAPTER_ISOLATION: 'none',
        ADAPTER_APPROVAL: 'auto',
      })
      afterAll(() => server.end())
      const { sql } = server
      const frozen = await server.start()
      const hook = receiver()
      const { ok, open } = storefront(server.url)
      const { as, key, storeId } = await open()
      await ok('POST', '/v1/webhook-endpoints', key, { url: hook.url, events: ['parcel.status_changed'] })
      const { credentials } = (await simulator.control('account')) as { credentials: object }
      const settings = { fromStateCode: '16' }
      await ok('PUT', `/v1/stores/${storeId}/integrations/rehearsal`, as, { enabled: true, credentials, settings })
      const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 4500, initialStock: 1000 })
      const orders = (await inParallel(Array.from({ length: ORDERS }), 12, () =>
        ok('POST', '/v1/orders', key, {
          storeId,
          customer: { name: 'Client', phone: '0550123456' },
          items: [{ productId: product.id, quantity: 1 }],
          destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' },
        }),
      )) as { id: string; reference: string }[]
      // Slow enough that calls are under way, and some on their way to leave, when it is stopped.
      await simulator.control('faults', { delayMs: 300 })
      const send = () =>
        ok('POST', `/v1/stores/${storeId}/integrations/rehearsal/parcels/sendMany`, as, {
          orders: orders.map(({ id }) => ({ orderId: id })),
        }).catch(() => null)
      const bulk = send()
      const held = async () =>
        (await sql`select 1 from parcels where submitting_by = ${frozen.number} and status = 'submitting' and submit_at > now()`).length
      await until(async () => (await held()) >= 5)
      frozen.signal('SIGSTOP')
      const stoppedAt = performance.now()
      const heir = await server.start()
      const startedAt = performance.now()
      await untilValue(held, (count) => count === 0, FROZEN_MS - (performance.now() - startedAt))
      await Bun.sleep(Math.max(0, FROZEN_MS - (performance.now() - stoppedAt)))
      frozen.signal('SIGCONT')
      await simulator.control('faults', { delayMs: 0 })
      // What stood still may have been in the midst of the call: who gets no whole answer asks again.
      await bulk
      const made = async () => (await sql`select 1 from parcels`).length
      for (const end = Date.now() + 40_000; (await made()) < ORDERS && Date.now() < end; ) await send()
      const left = async () => (await sql`select 1 from parcels where status in ('created', 'submitting')`).length
      await untilValue(left, (count) => count === 0, 40_000)
      const atCarrier = (await simulator.control('parcels')) as { fields: { order_id: string } }[]
      expect(atCarrier.map(({ fields }) => fields.order_id).sort()).toEqual(orders.map(({ reference }) => reference).sort())
      // What came back goes by another number, and works beside the other.
      const numbers = (await sql<{ number: number }[]>`select number from processes order by number`).map(({ number }) => number)
      expect([numbers.length, numbers.includes(frozen.number), numbers.includes(heir.number)]).toEqual([2, false, true])
      const told = () => new Set(hook.all.map(({ event }) => event.data.parcel.reference)).size
      await untilValue(told, (count) => count === ORDERS)
    }),
  120_000,
)
