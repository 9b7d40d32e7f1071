import { expect, test } from 'bun:test'
import { queueByOwner } from '../../../core/http/concurrency.ts'

test('queue by owner: work that waits too long is refused with when to try again, and the work before it goes on', async () => {
  const run = queueByOwner({ own: 1, all: 4, waiting: 10, waitMs: 1 }, 'Too much is waiting.')
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = run('store', () => promise)
  await expect(run('store', async () => 'second')).rejects.toMatchObject({ code: 'unavailable' })
  expect(await run('another store', async () => 'theirs')).toBe('theirs')
  resolve('first')
  expect(await first).toBe('first')
  expect(await run('store', async () => 'third')).toBe('third')
})
