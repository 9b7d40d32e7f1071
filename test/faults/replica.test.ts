import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '../../core/config.ts'
import { connectPool, type Sql } from '../../core/data/sql.ts'
import { type RunningServer, serve } from '../../core/serve.ts'
import { scratchFolder } from '../support/scratch.ts'
import { canCopy, openPair, type Standby } from '../support/standby.ts'
import { storefront } from '../support/storefront.ts'
import { until } from '../support/until.ts'

if (!canCopy)
  console.error(
    '!! NOT RUN: there is no PostgreSQL server here with pg_basebackup. Install it (apt-get install postgresql) to test replicas.',
  )

let pair: Awaited<ReturnType<typeof openPair>>
let standby: Standby
let running: RunningServer
let shop: Awaited<ReturnType<ReturnType<typeof storefront>['open']>>
let client: ReturnType<typeof storefront>
let replica: Sql

beforeAll(async () => {
  if (!canCopy) return
  pair = await openPair()
  standby = pair.standby
  const config = readConfig({
    PORT: '0',
    DATA_DIR: await scratchFolder(),
    LOG_LEVEL: 'fatal',
    DATABASE_URL: pair.primary.url,
    DATABASE_REPLICA_URL: standby.url,
    RATE_LIMIT_PER_MINUTE: '1000000',
    PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000',
  })
  running = await serve(config, { socket: true })
  client = storefront(running.listening!.url.origin)
  shop = await client.open()
  replica = connectPool({ url: standby.url }, 1)
}, 120_000)
afterAll(async () => {
  await replica?.end({ timeout: 0 })
  await running?.stop()
  await standby?.stop().catch(() => {})
  await pair?.primary.stop()
})

const health = async () =>
  (await (await fetch(`${running.listening!.url.origin}/health/check`)).json()) as { status: string; checks: { replica: string } }
const listed = async () => (await client.ask('GET', '/v1/parcels?limit=100', shop.key)).body.data.length as number
const write = (reference: string) =>
  client.ok('POST', '/v1/parcels', shop.key, {
    reference,
    recipient: { name: 'Amina', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
    codAmount: 1200,
  })
/** How often the replica was asked for parcels, as it counts itself. */
const asked = async () => {
  await replica`select pg_stat_clear_snapshot()`
  const [found] = await replica<
    { scans: number }[]
  >`select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'parcels'`
  return found?.scans ?? 0
}

test.skipIf(!canCopy)(
  'lists are read from a replica that is up to date',
  async () => {
    await until(async () => (await health()).checks.replica === 'ok', 10_000)
    const before = await asked()
    // Those who wrote just now read the primary; then the replica.
    await until(async () => {
      await listed()
      return (await asked()) > before
    }, 10_000)
  },
  120_000,
)

test.skipIf(!canCopy)(
  'replica: a caller always reads their own writes, at once',
  async () => {
    for (let at = 0; at < 15; at += 1) {
      await write(`OWN-${at}`)
      expect(await listed()).toBe(at + 1)
      if (at % 5 === 4) await Bun.sleep(1_200)
      expect(await listed()).toBe(at + 1)
    }
  },
  120_000,
)

test.skipIf(!canCopy)(
  'a replica that falls behind is left alone before anybody could tell, and said to be',
  async () => {
    await standby.pause()
    await write('BEHIND')
    expect(await listed()).toBe(16)
    const deadline = Date.now() + 3_000
    while (Date.now() < deadline) {
      expect(await listed()).toBe(16)
      await Bun.sleep(50)
    }
    expect(await health()).toMatchObject({ status: 'ok', checks: { replica: 'behind' } })
    await standby.resume()
    await until(async () => (await health()).checks.replica === 'ok', 10_000)
    expect(await listed()).toBe(16)
  },
  120_000,
)

test.skipIf(!canCopy)(
  'a replica that is gone costs no answer',
  async () => {
    await Bun.sleep(1_100)
    let [answered, failed, going] = [0, 0, true]
    const readers = Array.from({ length: 4 }, async () => {
      while (going) {
        const { status } = await fetch(`${running.listening!.url.origin}/v1/parcels`, { headers: { authorization: `Bearer ${shop.key}` } })
        if (status === 200) answered += 1
        else failed += 1
        await Bun.sleep(10)
      }
    })
    await Bun.sleep(300)
    await replica.end({ timeout: 0 })
    await standby.stop()
    await until(async () => (await health()).checks.replica === 'unreachable', 10_000)
    going = false
    await Promise.all(readers)
    expect(answered).toBeGreaterThan(50)
    expect(failed).toBe(0)
    expect((await health()).status).toBe('ok')
  },
  120_000,
)
