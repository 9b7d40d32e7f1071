import { beforeAll, describe, expect, test } from 'bun:test'
import { accept, type CaseResult, listCases, type SuiteResult } from '../../../plugins/acceptance/accept.ts'
import { acceptance } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { readmeParts, writeReadme } from '../../mutations/table.ts'
import { folders, type Platform, platforms, rigged } from '../../support/platforms.ts'
import { acceptanceTable } from './acceptance-table.ts'

test('every carrier in the folder has another side to be tested against', () => {
  expect(folders).toEqual(rigged)
})

/**
 * A platform with many companies is one code: whole rows are tested of each that has something else than those before it, and of the others
 * what the words of a row can change.
 */
const OF_EACH_ROW =
  /^(the definition is sane|the fields can be shown|raw statuses have|it has what its exactly-once|the connection test|a parcel is sent)/
const WORDS: ReadonlySet<string> = new Set(['slug', 'label', 'website', 'net', 'help', 'default'])
const ROW_MS = 120_000

/** All that a carrier has, without the words that are its own. */
const shapeOf = (carrier: Carrier) =>
  JSON.stringify(carrier, (name, value: unknown) => (WORDS.has(name) ? 'said' : typeof value === 'function' ? 'done' : value))

const found = await platforms()
const runs = new Map<string, Promise<SuiteResult>>()
/** Runs the acceptance suite of a carrier once, however many tests read its result. */
function accepted(carrier: Carrier, rigOf: Platform['rigOf'], isWanted?: (name: string) => boolean): Promise<SuiteResult> {
  const run = runs.get(carrier.slug) ?? accept(acceptance, carrier, rigOf, isWanted)
  runs.set(carrier.slug, run)
  return run
}

const slugs = new Set<string>()
for (const { carriers, rigOf } of found) {
  const shapes = new Set<string>()
  for (const carrier of carriers) {
    const isOther = shapes.size < shapes.add(shapeOf(carrier)).size
    const isWanted = (name: string) => isOther || OF_EACH_ROW.test(name)
    const cases = (await listCases(acceptance, carrier, rigOf)).filter(({ name }) => isWanted(name))

    describe(carrier.slug, () => {
      let results: readonly CaseResult[] = []
      // All at once: most of what a case takes is the waiting for an answer that does not come.
      beforeAll(async () => {
        results = (await accepted(carrier, rigOf, isWanted)).results
      }, ROW_MS)

      test('its slug is its own', () => expect(slugs.size).toBe(slugs.add(carrier.slug).size - 1))
      for (const [at, { name, skip }] of cases.entries())
        test.skipIf(skip !== undefined)(skip === undefined ? name : `${name} (${skip})`, () => {
          const { why, ...result } = results[at]!
          // What a case finds out as it runs may be that there is nothing to test.
          expect(result).toEqual({ name, outcome: why !== undefined && result.outcome === 'skipped' ? 'skipped' : 'passed' })
        })
    })
  }
}

test(
  'the table of carriers says what they do and how the acceptance suite found them',
  async () => {
    const told = await acceptanceTable(found, accepted)
    if (process.env.UPDATE_DOCS === '1') await writeReadme('carrier', told, (await readmeParts('carrier')).tail)
    expect((await readmeParts('carrier')).head.trimEnd()).toBe(told.trimEnd())
    expect(told).not.toMatch(/\/[1-9]\d* \|$/m)
  },
  ROW_MS,
)
