import { beforeAll, describe, expect, test } from 'bun:test'
import { accept, type CaseResult, listCases, type SuiteResult } from '../../../plugins/acceptance/accept.ts'
import { acceptance } from '../../../plugins/payment/acceptance.ts'
import { readmeParts, writeReadme } from '../../mutations/table.ts'
import { acceptanceTable } from './acceptance-table.ts'
import { folders, inProcess, rigged, sandboxed, tested } from './payments.ts'

test('every gateway in the folder has another side to be tested against', () => {
  expect(folders).toEqual(rigged)
})

const WHOLE_MS = 120_000
const IN_PROCESS = 'in process'
const ways = { [IN_PROCESS]: inProcess, 'in a process of its own': sandboxed }
type Way = keyof typeof ways

const runs = new Map<string, Promise<SuiteResult>>()
/** Runs the acceptance suite of a gateway once for each way, however many tests read its result. */
function accepted(folder: string, way: Way): Promise<SuiteResult> {
  const name = `${folder} ${way}`
  const run =
    runs.get(name) ?? Promise.all([ways[way](folder), tested(folder)]).then(([gateway, { rigOf }]) => accept(acceptance, gateway, rigOf))
  runs.set(name, run)
  return run
}

for (const { folder, rigOf } of await Promise.all(folders.map(tested))) {
  // What there is to run does not depend on where it runs.
  const cases = await listCases(acceptance, await inProcess(folder), rigOf)
  for (const way of Object.keys(ways) as Way[]) {
    describe(`${folder} ${way}`, () => {
      let results: readonly CaseResult[] = []
      // All at once: most of what a case takes is the waiting for an answer that does not come.
      beforeAll(async () => {
        results = (await accepted(folder, way)).results
      }, WHOLE_MS)

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
  'the table of gateways says what they do and how the acceptance suite found them',
  async () => {
    const told = await acceptanceTable((folder) => accepted(folder, IN_PROCESS))
    if (process.env.UPDATE_DOCS === '1') await writeReadme('payment', told, (await readmeParts('payment')).tail)
    expect((await readmeParts('payment')).head.trimEnd()).toBe(told.trimEnd())
    expect(told).not.toMatch(/\/[1-9]\d* \|$/m)
  },
  WHOLE_MS,
)
