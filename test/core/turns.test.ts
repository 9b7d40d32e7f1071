import { afterAll, describe, expect, test } from 'bun:test'
import { pino } from 'pino'
import { sharedInMemory, sharedInRedis } from '../../core/data/shared.ts'
import { turnsInMemory, type Window } from '../../core/data/turns.ts'
import { redisOfItsOwn } from '../support/database.ts'

/** The most calls that lie in any stretch of a window's length, among ordered times. */
function mostWithin(times: readonly number[], ms: number): number {
  let most = 0
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while (times[to]! - times[from]! >= ms) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

const windows: readonly Window[] = [
  { calls: 5, seconds: 1 },
  { calls: 50, seconds: 60 },
  { calls: 1_000, seconds: 3_600 },
]

test('5,000 calls by 40 impatient callers break none of three windows, and waste little', async () => {
  let clock = 0
  const turns = turnsInMemory(() => clock)
  const times: number[] = []
  // Whoever is told to wait comes again at that time; all happens on one clock.
  const callers = Array.from({ length: 40 }, (_, at) => ({ at, due: 0 }))
  while (times.length < 5_000) {
    callers.sort((a, b) => a.due - b.due)
    const next = callers[0]!
    clock = Math.max(clock, next.due)
    const waitMs = await turns.take('account', windows)
    if (waitMs === 0) times.push(clock)
    next.due = clock + waitMs + (waitMs === 0 ? 1 : 0)
  }
  for (const { calls, seconds } of windows) expect(mostWithin(times, seconds * 1000)).toBeLessThanOrEqual(calls)
  // Four full hours, and the last thousand at fifty a minute: nobody could be faster by more than a percent.
  const least = 4 * 3_600_000 + 19 * 60_000
  expect(times.at(-1)! / least).toBeGreaterThan(1)
  expect(times.at(-1)! / least).toBeLessThan(1.015)
})

test('who waits in line is given a time of his own, at the pace of the window that is full', async () => {
  const turns = turnsInMemory(() => 0)
  const window = [{ calls: 60, seconds: 60 }]
  for (let at = 0; at < 60; at += 1) expect(await turns.take('a', window)).toBe(0)
  const waits = await Promise.all(Array.from({ length: 30 }, () => turns.take('a', window, { peek: true, line: true })))
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
    const taken = await Promise.all(Array.from({ length: 50 }, (_, at) => processes[at % 2]!.turns.take(key, window)))
    const isRedis = REDIS_URL !== undefined && make !== makers[0][1]
    expect(taken.filter((waitMs) => waitMs === 0).length).toBe(isRedis || !other ? 10 : 20)
    expect(Math.max(...taken)).toBeGreaterThan(25_000)
    expect(await shared.turns.take(`${key} 2`, window, { share: 0.5 })).toBe(0)
    for (let at = 0; at < 4; at += 1) await shared.turns.take(`${key} 2`, window)
    expect(await shared.turns.take(`${key} 2`, window, { share: 0.5, peek: true })).toBeGreaterThan(0)
    expect(await shared.turns.take(`${key} 2`, window, { peek: true })).toBe(0)
  })

  test('wait while the account is paused, and no shorter pause ends a longer one', async () => {
    const shared = await make()
    afterAll(() => shared.close())
    const key = crypto.randomUUID()
    await shared.turns.pause(key, 400)
    await shared.turns.pause(key, 50)
    const waitMs = await shared.turns.take(key, [])
    expect(waitMs).toBeGreaterThan(300)
    await Bun.sleep(waitMs + 20)
    expect(await shared.turns.take(key, [])).toBe(0)
  })
})
