import { expect, test } from 'bun:test'
import { memoize, shareRunning } from '../../../core/lib/async/memoize.ts'

test('shareRunning: callers at the same time get one result, and later callers another', async () => {
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const read = shareRunning(async () => {
    runs += 1
    await gate.promise
    return runs
  })
  const all = [read(), read(), read()]
  gate.resolve()
  expect(await Promise.all(all)).toEqual([1, 1, 1])
  expect(await read()).toBe(2)
})

test('memoize: the result is kept', async () => {
  let runs = 0
  const read = memoize(async () => ++runs)
  expect([await read(), await read()]).toEqual([1, 1])
})

test.each([
  ['memoize', memoize<number>],
  ['shareRunning', shareRunning<number>],
] as const)('%s: a failure reaches all who waited, and the next call tries again', async (_, wrap) => {
  let runs = 0
  const read = wrap(async () => {
    runs += 1
    if (runs === 1) throw new Error('away')
    return runs
  })
  const answers = await Promise.allSettled([read(), read()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read()).toBe(2)
})
