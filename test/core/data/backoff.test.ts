import { afterAll, expect, test } from 'bun:test'
import { pino } from 'pino'
import { backoffInMemory } from '../../../core/data/backoff.ts'
import { sharedInRedis } from '../../../core/data/shared/shared-in-redis.ts'
import { redisOfItsOwn } from '../../support/database.ts'

const { REDIS_URL, REDIS_PREFIX } = redisOfItsOwn() as { REDIS_URL?: string; REDIS_PREFIX?: string }
const makers = [
  ['in memory', async () => backoffInMemory()],
  ...(REDIS_URL
    ? [
        [
          'in Redis',
          async () => {
            const shared = await sharedInRedis(REDIS_URL, REDIS_PREFIX!, pino({ level: 'silent' }))
            afterAll(() => shared.close())
            return shared.backoff
          },
        ] as const,
      ]
    : []),
] as const

test.each(makers)('backoff: tries stored %s double their pause up to the maximum, and are forgotten', async (_, make) => {
  const backoff = await make()
  const [key, spacing] = [crypto.randomUUID(), { freeAttempts: 2, firstMs: 100, maxMs: 300, resetAfterMs: 700 }]
  const take = () => backoff.acquire(key, spacing)
  const waits = []
  expect([await take(), await take()]).toEqual([0, 0])
  for (let at = 0; at < 4; at += 1) {
    const waitMs = await take()
    waits.push(waitMs)
    await Bun.sleep(waitMs + 5)
    expect(await take()).toBe(0)
  }
  for (const [at, longest] of [100, 200, 300, 300].entries()) {
    expect(waits[at]).toBeGreaterThan(longest - 40)
    expect(waits[at]).toBeLessThanOrEqual(longest)
  }
  await backoff.release(key)
  expect(await take()).toBe(0)
  expect(await take()).toBeGreaterThan(0)
  await backoff.clear(key)
  expect(await take()).toBe(0)
  await Bun.sleep(750)
  expect([await take(), await take()]).toEqual([0, 0])
})
