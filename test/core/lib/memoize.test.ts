import { expect, test } from 'bun:test'
import { memoize } from '../../../core/lib/async/memoize.ts'

test('memoize: who calls at the same time gets one result, and who calls later another', async () => {
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const read = memoize(
    async () => {
      runs += 1
      await gate.promise
      return runs
    },
    { lifeMs: 0 },
  )
  const all = [read(), read(), read()]
  gate.resolve()
  expect(await Promise.all(all)).toEqual([1, 1, 1])
  expect(await read()).toBe(2)
})

test('memoize: a result is kept for its life', async () => {
  let runs = 0
  const read = memoize(async () => ++runs, { lifeMs: 60_000 })
  expect([await read(), await read()]).toEqual([1, 1])
})

test('memoize: a failure reaches all who waited, and is tried again', async () => {
  let runs = 0
  const read = memoize(
    async () => {
      runs += 1
      if (runs === 1) throw new Error('away')
      return runs
    },
    { lifeMs: 60_000 },
  )
  const answers = await Promise.allSettled([read(), read()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read()).toBe(2)
})
