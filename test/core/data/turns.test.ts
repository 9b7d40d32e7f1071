import { afterAll, describe, expect, test } from 'bun:test'
import { pino } from 'pino'
import { type RateWindow, rateLimiterInMemory, type Slot } from '../../../core/data/shared/rate-limiter.ts'
import { sharedInMemory } from '../../../core/data/shared/shared.ts'
import { sharedInRedis } from '../../../core/data/shared/shared-in-redis.ts'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { byTheClock } from '../../support/clock.ts'
import { redisOfItsOwn } from '../../support/database.ts'
import { seeded } from '../../support/simulator/faults.ts'

/** The most calls that lie in any stretch of a window's length, among ordered times. */
function mostWithin(times: readonly number[], ms: number): number {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while (times[to]! - times[from]! >= ms) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

const windows: readonly RateWindow[] = [
  { calls: 5, seconds: 1 },
  { calls: 50, seconds: 60 },
  { calls: 1_000, seconds: 3_600 },
]

test('rate limit: 5,000 calls by 40 callers stay within three windows, however late each call arrives, and waste little', async () => {
  let clock = 0
  const turns = rateLimiterInMemory(() => clock)
  const arrivals: number[] = []
  const random = seeded(7)
  // A caller that is told to wait comes back at that time; a call arrives between its slot and its answer. All of it happens on one clock.
  const callers = Array.from({ length: 40 }, () => ({ due: 0, turn: undefined as Slot | undefined }))
  while (arrivals.length < 5_000) {
    const next = callers.reduce((first, other) => (other.due < first.due ? other : first))
    clock = next.due
    if (next.turn) {
      await next.turn.release()
      next.turn = undefined
      next.due = clock + 1
      continue
    }
    const turn = await turns.acquire('account', windows)
    const tookMs = random() < 0.02 ? 4_000 : random() * 300
    next.due = clock + (turn.waitMs || tookMs)
    if (turn.waitMs > 0) continue
    next.turn = turn
    arrivals.push(clock + random() * tookMs)
  }
  arrivals.sort((a, b) => a - b)
  for (const { calls, seconds } of windows) expect(mostWithin(arrivals, seconds * 1000)).toBeLessThanOrEqual(calls)
  // Four full hours, and the last thousand at fifty a minute: nobody could be faster by more than two percent.
  const least = 4 * HOUR_MS + 19 * 60_000
  expect(arrivals.at(-1)! / least).toBeGreaterThan(1)
  expect(arrivals.at(-1)! / least).toBeLessThan(1.02)
})

test('rate limit: a caller that waits is given a time of its own, at the pace of the window that is full', async () => {
  const turns = rateLimiterInMemory(() => 0)
  const window = [{ calls: 60, seconds: 60 }]
  for (let at = 0; at < 60; at += 1) expect((await turns.acquire('a', window)).waitMs).toBe(0)
  const waits = await Promise.all(Array.from({ length: 30 }, () => turns.peek('a', window, { canReserve: true })))
  expect(new Set(waits).size).toBe(30)
  expect(waits[29]! - waits[0]!).toBeGreaterThan(28_000)
  expect(waits[0]).toBeGreaterThan(60_000)
})

const { REDIS_URL, REDIS_PREFIX } = redisOfItsOwn() as { REDIS_URL?: string; REDIS_PREFIX?: string }
const log = pino({ level: 'silent' })
const makers = [
  ['in memory', async () => sharedInMemory()],
  ...(REDIS_URL ? [['in Redis', () => sharedInRedis(REDIS_URL, REDIS_PREFIX!, log)] as const] : []),
] as const

describe.each(makers)('turns kept %s', (_, make) => {
  test('hold under parallel takers, for each account apart, with a share left to others', async () => {
    const [shared, other] = [await make(), REDIS_URL ? await make() : undefined]
    afterAll(() => Promise.all([shared.close(), other?.close()]))
    const key = crypto.randomUUID()
    const window = [{ calls: 10, seconds: 30 }]
    const processes = [shared, other ?? shared]
    const turns = await Promise.all(Array.from({ length: 50 }, (_, at) => processes[at % 2]!.rateLimiter.acquire(key, window)))
    const taken = turns.map(({ waitMs }) => waitMs)
    const isRedis = REDIS_URL !== undefined && make !== makers[0][1]
    expect(taken.filter((waitMs) => waitMs === 0).length).toBe(isRedis || !other ? 10 : 20)
    expect(Math.max(...taken)).toBeGreaterThan(25_000)
    expect((await shared.rateLimiter.acquire(`${key} 2`, window, { share: 0.5 })).waitMs).toBe(0)
    for (let at = 0; at < 4; at += 1) await shared.rateLimiter.acquire(`${key} 2`, window)
    expect(await shared.rateLimiter.peek(`${key} 2`, window, { share: 0.5 })).toBeGreaterThan(0)
    expect(await shared.rateLimiter.peek(`${key} 2`, window)).toBe(0)
  })

  test('count from when the call was answered, not from when it left', byTheClock, async () => {
    const shared = await make()
    afterAll(() => shared.close())
    const key = crypto.randomUUID()
    const window = [{ calls: 2, seconds: 1 }]
    const [first, second] = [await shared.rateLimiter.acquire(key, window), await shared.rateLimiter.acquire(key, window)]
    expect([first.waitMs, second.waitMs]).toEqual([0, 0])
    await Bun.sleep(1_200)
    expect(await shared.rateLimiter.peek(key, window)).toBeGreaterThan(900)
    await first.release()
    await Bun.sleep(600)
    await second.release()
    await second.release()
    const waitMs = await shared.rateLimiter.peek(key, window)
    expect(waitMs).toBeLessThan(550)
    await Bun.sleep(waitMs + 20)
    expect((await shared.rateLimiter.acquire(key, window)).waitMs).toBe(0)
    expect(await shared.rateLimiter.peek(key, window)).toBeGreaterThan(400)
  })

  test('begin with what was noted before, where nothing is known of the account', async () => {
    const [shared, other] = [await make(), await make()]
    afterAll(() => Promise.all([shared.close(), other.close()]))
    const [key, window] = [crypto.randomUUID(), [{ calls: 5, seconds: 30 }]]
    let asked = 0
    // Two just now, one that counts from ten seconds ago, since it may have been answered so late, and one that no window counts.
    const remember = async () => {
      asked += 1
      return [0, 200, 40_000, 70_000]
    }
    const taken = await Promise.all(Array.from({ length: 20 }, () => shared.rateLimiter.acquire(key, window, { recallCalls: remember })))
    expect(taken.filter(({ waitMs }) => waitMs === 0).length).toBe(2)
    const before = asked
    expect(await shared.rateLimiter.peek(key, window, { recallCalls: remember })).toBeGreaterThan(15_000)
    expect(await shared.rateLimiter.peek(key, window, { recallCalls: remember })).toBeLessThan(20_500)
    expect(asked).toBe(before)
    const failing = () => Promise.reject(new Error('the database is away'))
    expect(other.rateLimiter.acquire(`${key} 2`, window, { recallCalls: failing })).rejects.toThrow('away')
    await Bun.sleep(20)
    expect((await other.rateLimiter.acquire(`${key} 2`, window, { recallCalls: async () => [1, 1, 1, 1, 1] })).waitMs).toBeGreaterThan(0)
  })

  test('wait while the account is paused, and no shorter pause ends a longer one', async () => {
    const shared = await make()
    afterAll(() => shared.close())
    const key = crypto.randomUUID()
    await shared.rateLimiter.pause(key, 400)
    await shared.rateLimiter.pause(key, 50)
    const { waitMs } = await shared.rateLimiter.acquire(key, [])
    expect(waitMs).toBeGreaterThan(300)
    await Bun.sleep(waitMs + 20)
    expect((await shared.rateLimiter.acquire(key, [])).waitMs).toBe(0)
  })
})
