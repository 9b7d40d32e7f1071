import { beforeAll, describe, expect, test } from 'bun:test'
import { accept, type CaseResult, casesOf } from '../../../plugins/carrier/accept.ts'
import { folders, platforms, rigged } from '../../support/platforms.ts'

test('every carrier in the folder has another side to be tested against', () => {
  expect(folders).toEqual(rigged)
})

/** A platform with many companies is one code: beyond the first few rows only what a row can change is tested again. */
const WHOLE_ROWS = 6
const OF_EACH_ROW =
  /^(the definition is sane|the fields can be asked|raw statuses mean|it has what its exactly-once|the connection test|a parcel is sent)/
const ROW_MS = 60_000

const slugs = new Set<string>()
for (const { carriers, rigOf } of await platforms()) {
  for (const [row, carrier] of carriers.entries()) {
    const isWanted = (name: string) => row < WHOLE_ROWS || OF_EACH_ROW.test(name)
    const cases = (await casesOf(carrier, rigOf)).filter(({ name }) => isWanted(name))

    describe(carrier.slug, () => {
      let results: readonly CaseResult[] = []
      // All at once: most of what a case takes is the waiting for an answer that does not come.
      beforeAll(async () => {
        results = (await accept(carrier, rigOf, isWanted)).results
      }, ROW_MS)

      test('its slug is its own', () => expect(slugs.size).toBe(slugs.add(carrier.slug).size - 1))
      for (const [at, { name, skip }] of cases.entries())
        test.skipIf(skip !== undefined)(skip === undefined ? name : `${name} (${skip})`, () => {
          expect(results[at]).toEqual({ name, outcome: 'passed' })
        })
    })
  }
}
