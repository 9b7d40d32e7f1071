import { beforeAll, describe, expect, test } from 'bun:test'
import { accept, type CaseResult, casesOf } from '../../../plugins/payment/accept.ts'
import { folders, inProcess, rigged, sandboxed, tested } from './payments.ts'

test('every gateway in the folder has another side to be tested against', () => {
  expect(folders).toEqual(rigged)
})

const WHOLE_MS = 60_000
const ways = { 'in process': inProcess, 'in a process of its own': sandboxed }

for (const { folder, rigOf } of await Promise.all(folders.map(tested))) {
  // What there is to run does not depend on where it runs.
  const cases = await casesOf(await inProcess(folder), rigOf)
  for (const [way, load] of Object.entries(ways)) {
    describe(`${folder} ${way}`, () => {
      let results: readonly CaseResult[] = []
      // All at once: most of what a case takes is the waiting for an answer that does not come.
      beforeAll(async () => {
        results = (await accept(await load(folder), rigOf)).results
      }, WHOLE_MS)

      for (const [at, { name, skip }] of cases.entries())
        test.skipIf(skip !== undefined)(skip === undefined ? name : `${name} (${skip})`, () => {
          expect(results[at]).toEqual({ name, outcome: 'passed' })
        })
    })
  }
}
