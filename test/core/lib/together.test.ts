import { expect, test } from 'bun:test'
import { batcher } from '../../../core/lib/async/batcher.ts'

/** Answers when it is let, and notes who came together. */
function desk(answer: (question: string) => number, { most = 10 } = {}) {
  const groups: string[][] = []
  const doors: (() => void)[] = []
  const ask = batcher<string, number>(
    async (questions) => {
      groups.push([...questions])
      await new Promise<void>((resolve) => doors.push(resolve))
      return questions.map(answer)
    },
    { keyOf: (question) => question.charAt(0), most },
  )
  async function open() {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const waiting = doors.splice(0)
      if (waiting.length > 0) quiet = 0
      for (const door of waiting) door()
      await Bun.sleep(0)
    }
  }
  return { ask, groups, open }
}

test('batcher: the first call goes at once, calls that come meanwhile go together, and each gets its own answer', async () => {
  const { ask, groups, open } = desk((question) => Number(question.slice(1)), { most: 3 })
  const answers = Promise.all(['a1', 'a2', 'a3', 'a4', 'a5'].map(ask))
  expect(groups).toEqual([['a1']])
  await open()
  expect(await answers).toEqual([1, 2, 3, 4, 5])
  expect(groups).toEqual([['a1'], ['a2', 'a3', 'a4'], ['a5']])
  const later = ask('a6')
  expect(groups.at(-1)).toEqual(['a6'])
  await open()
  expect(await later).toBe(6)
})

test('only those of one key go together, and no key waits for another', async () => {
  const { ask, groups, open } = desk(() => 0)
  const answers = Promise.all(['a1', 'b1', 'a2', 'b2', 'a3'].map(ask))
  expect(groups).toEqual([['a1'], ['b1']])
  await open()
  await answers
  expect(groups.slice(2)).toEqual([['a2', 'a3'], ['b2']])
})

test('batcher: a failing item fails no other', async () => {
  const { ask, groups, open } = desk((question) => {
    if (question === 'a3') throw new Error('This one cannot be answered.')
    return 7
  })
  const answers = Promise.allSettled(['a1', 'a2', 'a3', 'a4'].map(ask))
  await open()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(groups).toEqual([['a1'], ['a2', 'a3', 'a4'], ['a2'], ['a3'], ['a4']])
})
