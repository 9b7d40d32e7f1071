import { afterAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { connectionUrl } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'

/** More with the variable: a shop gives a hundred thousand at most. */
const ORDERS = Number(process.env.IMPORT_ORDERS ?? often({ quick: 200, thorough: 600 }))
const KILLS = 2
const WITHIN_MS = 60_000 + ORDERS * 30
/** What the reading of any number may take above what the server takes without it. */
const MEMORY_MIB = 400

const server = await spawnServer(await connectionUrl())
afterAll(() => server.stop())

/** The most that the process has held since it began, in MiB; 0 where the system does not say it so. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${server.pid()}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

test(
  `the first ${ORDERS} orders of a shop are read once each, go on where a killed process stopped, and say how far that is`,
  async () => {
    const { ok, open } = storefront(server.url)
    const { key, storeId, as } = await open()
    await ok('POST', '/v1/products', key, { storeId, name: 'Sample', sku: 'SANDBOX-1', price: 1500, initialStock: ORDERS * 4 })
    const base = `/v1/stores/${storeId}/integrations/connectors`
    const settings = { orders: ORDERS, shop: 'import.example', skus: 'SANDBOX-1' }
    const { id } = await ok('POST', base, as, { platform: 'sandbox-shop', name: 'first', credentials: {}, settings })
    const before = await peak()
    const begun = performance.now()
    await ok('POST', `${base}/${id}/pull`, as, { since: '2026-01-01T00:00:00Z' })
    const seen: number[] = []
    const peaks: number[] = []
    let kills = 0
    for (;;) {
      expect(performance.now() - begun).toBeLessThan(WITHIN_MS)
      const [{ pull, orders }] = await ok('GET', base, as)
      seen.push(pull.seen)
      peaks.push(await peak())
      if (pull.status === 'done') {
        expect([pull.seen, orders.taken, orders.waiting]).toEqual([ORDERS, ORDERS, 0])
        break
      }
      expect(pull.status).not.toBe('failed')
      if (kills < KILLS && pull.seen > (ORDERS * (kills + 1)) / (KILLS + 2)) {
        kills += 1
        await server.kill()
        await server.start()
      }
      await Bun.sleep(ORDERS > 10_000 ? 1_000 : 25)
    }
    const seconds = (performance.now() - begun) / 1000
    const most = Math.max(...peaks)
    console.log(
      `${ORDERS} orders in ${seconds.toFixed(1)} s (${(ORDERS / seconds).toFixed(0)} a second), ${kills} kills; ${before.toFixed(0)} MiB before, ${most.toFixed(0)} at most`,
    )
    expect(kills).toBe(KILLS)
    // The count never goes back, whichever process goes on.
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
    expect(most - before).toBeLessThan(MEMORY_MIB)
    const numbers = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await fetch(`${server.url}/v1/orders?storeId=${storeId}&limit=100${cursor && `&cursor=${cursor}`}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const page = (await answer.json()) as { data: { metadata: { channelOrder: string } }[]; nextCursor: string | null }
      for (const { metadata } of page.data) {
        expect(numbers.has(metadata.channelOrder)).toBe(false)
        numbers.add(metadata.channelOrder)
      }
      cursor = page.nextCursor
    }
    expect(numbers.size).toBe(ORDERS)
  },
  WITHIN_MS + 60_000,
)
