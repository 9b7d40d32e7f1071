import { afterAll, expect, test } from 'bun:test'
import { openChasm } from '../support/chasm.ts'
import { external, redisOfItsOwn } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { untilValue } from '../support/until.ts'

/** What one request waits at most when Redis has just gone, and once that is known. */
const CAUGHT_MS = 1_500
const KNOWN_MS = 300
const WHOLE_WITHIN_MS = 2_000

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function throughChasm() {
  const address = new URL(external.redisUrl!)
  const way = await openChasm(Number(address.port || 6379))
  closers.push(() => way.close())
  const [url, itself] = [new URL(address), way]
  url.host = `127.0.0.1:${way.port}`
  return { way: itself, environment: { ...redisOfItsOwn(), REDIS_URL: url.href } }
}

async function timed(url: string, key: string) {
  const began = performance.now()
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(30_000) })
  const remaining = Number(answer.headers.get('ratelimit-remaining'))
  await answer.bytes()
  return { status: answer.status, remaining, ms: performance.now() - began }
}

async function health(url: string) {
  const answer = await fetch(`${url}/health/check`)
  const { status, checks } = (await answer.json()) as { status: string; checks: Record<string, string> }
  return { code: answer.status, status, shared: checks.shared }
}

/** Milliseconds until health says so of what is shared. */
async function timeUntil(said: string, url: string): Promise<number> {
  const began = performance.now()
  await untilValue(
    () => health(url),
    ({ shared }) => shared === said,
  )
  return performance.now() - began
}

test.skipIf(!external.redisUrl)(
  'a frozen Redis holds up a request once, is said to be away, and is taken up again when it answers',
  async () => {
    const { way, environment } = await throughChasm()
    const server = await spawnServer(environment)
    closers.push(() => server.stop())
    const { key } = await storefront(server.url).open()
    const url = `${server.url}/v1/parcels`
    expect((await timed(url, key)).status).toBe(200)

    way.swallow()
    const caught = await Promise.all(Array.from({ length: 50 }, () => timed(url, key)))
    expect(caught.filter(({ status }) => status !== 200)).toEqual([])
    expect(Math.max(...caught.map(({ ms }) => ms))).toBeLessThan(CAUGHT_MS)
    expect(await health(server.url)).toEqual({ code: 200, status: 'degraded', shared: 'unreachable' })

    const known = []
    for (let at = 0; at < 50; at += 1) known.push(await timed(url, key))
    expect(known.filter(({ status }) => status !== 200)).toEqual([])
    expect(Math.max(...known.map(({ ms }) => ms))).toBeLessThan(KNOWN_MS)
    // Each process counts for itself meanwhile.
    expect(known[0]!.remaining - known.at(-1)!.remaining).toBe(49)

    way.restore()
    expect(await timeUntil('ok', server.url)).toBeLessThan(WHOLE_WITHIN_MS)
    const counted = [await timed(url, key), await timed(url, key)]
    expect(counted[0]!.remaining - counted[1]!.remaining).toBe(1)
  },
  120_000,
)

test.skipIf(!external.redisUrl)(
  'a server starts without its Redis, and takes it up when it comes',
  async () => {
    const { way, environment } = await throughChasm()
    way.swallow()
    const server = await spawnServer(environment)
    closers.push(() => server.stop())
    expect(await health(server.url)).toEqual({ code: 200, status: 'degraded', shared: 'unreachable' })
    way.restore()
    expect(await timeUntil('ok', server.url)).toBeLessThan(WHOLE_WITHIN_MS)
  },
  120_000,
)
