import { afterAll, expect, test } from 'bun:test'
import { HOUR_MS } from '../../core/lib/durations.ts'
import { startYalidine } from '../adapters/carrier/yalidine/simulator.ts'
import { startApp } from '../support/app.ts'
import { external } from '../support/database.ts'
import { often } from '../support/thorough.ts'
import { until, untilValue } from '../support/until.ts'

const SENDS = often({ quick: 1_000, thorough: 5_000 })
const A_BATCH = 500
/** How long the burst is watched; a minute and more shows the slower windows too. */
const SECONDS = Number(process.env.BURST_SECONDS ?? often({ quick: 3, thorough: 7 }))
/** What the carrier allows, in any stretch of time. */
const WINDOWS = [
  { calls: 5, ms: 1_000 },
  { calls: 50, ms: 60_000 },
  { calls: 1_000, ms: HOUR_MS },
]

const simulator = startYalidine({})
afterAll(() => simulator.stop())
// With Redis two servers share the account.
const others = external.redisUrl ? 1 : 0
const { call, ok, shop, person, context } = await startApp(
  { simulators: { 'api.yalidine.app': simulator.url }, databasePool: 12, workerConcurrency: 40 },
  { others },
)
await person('The administrator')
const { storeId, owner, key } = await shop()

/** Rows of batches that are no parcels yet. */
async function unmade(): Promise<number> {
  const [{ rows }] = await context.sql<[{ rows: number }]>`select count(*)::int as rows from parcel_batch_rows where status = 'waiting'`
  return rows
}

/** The most requests that arrived within any stretch of `ms`. */
function mostWithin(ms: number): number {
  const times = simulator.requests.map(({ at }) => at)
  return Math.max(0, ...times.map((from, at) => times.slice(at).filter((time) => time - from < ms).length))
}

test(
  `a burst of ${SENDS} sends breaks none of the carrier's windows, loses nothing and holds up nobody`,
  async () => {
    const base = `/v1/stores/${storeId}/integrations/yalidine`
    const body = { enabled: true, credentials: { ...simulator.credentials }, settings: { fromStateCode: '16' } }
    const { data: account } = await ok('PUT', base, { as: owner.token, body })
    const destination = { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' }
    const batches: string[] = []
    for (let from = 0; from < SENDS; from += A_BATCH) {
      const parcels = Array.from({ length: A_BATCH }, (_, at) => ({
        reference: `burst-${from + at}`,
        recipient: { name: 'Lina B', phone: '0550123456' },
        destination,
        codAmount: 2500,
      }))
      const { data } = await ok('POST', '/v1/parcels/batches', { as: key, body: { carrierAccountId: account.id, submit: true, parcels } })
      batches.push(data.id)
    }
    // As a database does by itself in time: what it plans for empty tables reads the whole of full ones.
    await context.sql`analyze`
    await untilValue(unmade, (rows) => rows === 0, 300_000)
    for (const id of batches) expect((await ok('GET', `/v1/parcels/batches/${id}`, { as: key })).data.results.length).toBe(A_BATCH)
    await context.sql`analyze`
    // The quota is not left unused.
    await until(() => simulator.parcels().length > 100, 300_000)
    const waits: number[] = []
    for (const until = Date.now() + SECONDS * 1000; Date.now() < until; await Bun.sleep(100)) {
      const began = performance.now()
      expect((await call('GET', '/v1/parcels?limit=20', { as: key })).status).toBe(200)
      waits.push(performance.now() - began)
    }
    for (const { calls, ms } of WINDOWS) expect(mostWithin(ms)).toBeLessThanOrEqual(calls)
    const sent = simulator.parcels()
    expect(new Set(sent.map(({ fields }) => fields.order_id)).size).toBe(sent.length)
    const { data: waiting } = await ok('GET', '/v1/parcels?status=submitting&limit=100', { as: key })
    if (sent.length < SENDS) expect(waiting.length).toBeGreaterThan(0)
    for (const { lastError } of waiting) if (lastError) expect(lastError).toMatchObject({ code: 'rate_limited' })
    expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(500)
  },
  1_000 * (SECONDS + 300),
)
