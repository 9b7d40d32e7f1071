import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Accepted, accept, type CaseResult, casesOf } from '../../../plugins/ads/accept.ts'
import { acceptance, event, type Rig } from '../../../plugins/ads/acceptance.ts'
import type { AdsAdapter } from '../../../plugins/ads/index.ts'
import { ads as kind } from '../../../plugins/ads/kind.ts'
import { phoneDigits } from '../../../plugins/ads/person.ts'
import template from '../../../plugins/ads/template/index.ts'
import { rig as templateRig } from '../../../plugins/ads/template/rig.ts'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { problemsOf } from '../../../plugins/host/check.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isOf } from '../../../plugins/kind.ts'
import { scratchFolder } from '../../support/database.ts'

const adaptersFolder = `${import.meta.dir}/../../../adapters/ads`
const named = (pattern: string, cwd: string) => [...new Bun.Glob(pattern).scanSync({ cwd })].map((file) => file.split('/')[0] ?? '').sort()
const folders = named('*/index.ts', adaptersFolder)

type RigOf = (adapter: AdsAdapter) => Rig
const rigOf = async (folder: string) => ((await import(`./${folder}/rig.ts`)) as { rig: RigOf }).rig
const inProcess = async (folder: string) => ((await import(`${adaptersFolder}/${folder}/index.ts`)) as { default: AdsAdapter }).default

let sandbox: Sandbox | undefined
afterAll(() => sandbox?.close())
async function sandboxed(folder: string): Promise<AdsAdapter> {
  sandbox ??= openSandbox({ folder: await scratchFolder(), processes: 100, memoryMb: 64, report: (_, words) => console.error(words) })
  const bundle = await bundleAdapter(`${adaptersFolder}/${folder}`, { within: true })
  const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((one) => isOf(kind, one))
  if (!adapter) throw new Error(`${folder} has no platform.`)
  return adapter
}

test('every platform has another side to be tested against', () => {
  expect(folders).toEqual(named('*/rig.ts', import.meta.dir))
})

const ways = { 'in process': inProcess, 'in a process of its own': sandboxed }
for (const folder of folders) {
  const rig = await rigOf(folder)
  const adapter = await inProcess(folder)
  const cases = await casesOf(adapter, rig)
  test(`${folder} is what its kind wants`, () => expect(problemsOf(adapter)).toEqual([]))
  for (const [way, load] of Object.entries(ways))
    describe(`${folder} ${way}`, () => {
      let results: readonly CaseResult[] = []
      beforeAll(async () => {
        const accepted: Accepted = await accept(await load(folder), rig)
        results = accepted.results
      }, 120_000)
      for (const [at, { name }] of cases.entries()) test(name, () => expect(results[at]).toEqual({ name, outcome: 'passed' }))
    })
}

test('what a new platform begins with passes the acceptance suite', async () => {
  const { results } = await accept(template, templateRig)
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

describe('the suite catches', async () => {
  const adapter = await inProcess('meta')
  const rig = await rigOf('meta')
  const caught = async (change: Partial<AdsAdapter>, name: string) => {
    const wrong = { ...adapter, ...change }
    const side = rig(wrong)
    try {
      await expect(
        acceptance(wrong, side)
          .find((one) => one.name === name)
          ?.run(),
      ).rejects.toThrow()
    } finally {
      await side.close?.()
    }
  }

  test('a purchase that counts twice', () =>
    caught(
      {
        insights: async (context, period) => {
          const page = await adapter.insights(context, period)
          return { ...page, rows: page.rows.map((row) => ({ ...row, purchases: (row.purchases ?? 0) * 2 })) }
        },
      },
      'insights are exact, of each day, and count a purchase once',
    ))

  test('an id that is made anew', () =>
    caught(
      {
        sendEvents: (context, { pixelId, events }) =>
          adapter.sendEvents(context, { pixelId, events: events.map((one) => ({ ...one, id: event(adapter).id })) }),
      },
      'a repeated event has the id of the first',
    ))

  test('a number without its country that is made up', () =>
    caught(
      {
        sendEvents: (context, { pixelId, events }) =>
          adapter.sendEvents(context, {
            pixelId,
            events: events.map((one) => ({
              ...one,
              person: { ...one.person, phone: one.person.phone?.replace(/^0/, '+213') },
            })) as typeof events,
          }),
      },
      'a telephone number without its country is left out',
    ))

  test('one bad event that takes all others with it', () =>
    caught(
      {
        sendEvents: async (context, sending) => {
          const parts = await adapter.sendEvents(context, sending)
          return parts.refused.length > 0 ? { accepted: [], refused: sending.events.map(({ id }) => ({ id, why: 'refused' })) } : parts
        },
      },
      'one that the platform refuses keeps none of the others back',
    ))
})

test('telephone numbers are written with their country, or not at all', () => {
  const typed = ['+213 555 12-34-56', '00213555123456', '0555123456', '555123456', '', '+']
  expect(typed.map(phoneDigits)).toEqual(['213555123456', '213555123456', undefined, undefined, undefined, undefined])
})
