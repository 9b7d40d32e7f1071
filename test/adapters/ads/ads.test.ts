import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { accept, type CaseResult, listCases, type SuiteResult } from '../../../plugins/acceptance/accept.ts'
import { acceptance, event, type Rig } from '../../../plugins/ads/acceptance.ts'
import type { AdsAdapter } from '../../../plugins/ads/index.ts'
import { ads as kind } from '../../../plugins/ads/kind.ts'
import {
  hashedAs,
  normalCity,
  normalCountry,
  normalEmail,
  normalName,
  normalZip,
  phoneDigits,
  phoneWithPlus,
} from '../../../plugins/ads/person.ts'
import template from '../../../plugins/ads/template/index.ts'
import { rig as templateRig } from '../../../plugins/ads/template/rig.ts'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { definitionProblems } from '../../../plugins/host/check.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../../plugins/kind.ts'
import { scratchFolder } from '../../support/scratch.ts'

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
  const [adapter] = sandbox.adapters(bundle, await sandbox.inspect(bundle)).filter((one) => isAdapterOfKind(kind, one))
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
  const cases = await listCases(acceptance, adapter, rig)
  test(`${folder} is what its kind wants`, () => expect(definitionProblems(adapter)).toEqual([]))
  for (const [way, load] of Object.entries(ways))
    describe(`${folder} ${way}`, () => {
      let results: readonly CaseResult[] = []
      beforeAll(async () => {
        const accepted: SuiteResult = await accept(acceptance, await load(folder), rig)
        results = accepted.results
      }, 120_000)
      for (const [at, { name }] of cases.entries()) test(name, () => expect(results[at]).toEqual({ name, outcome: 'passed' }))
    })
}

test('template: the adapter that `adapter new` writes passes the acceptance suite', async () => {
  const { results } = await accept(acceptance, template, templateRig)
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
      'insights are exact for each day, and count a purchase once',
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
      'a phone number without its country code is left out',
    ))

  test('one bad event that takes all others with it', () =>
    caught(
      {
        sendEvents: async (context, sending) => {
          const parts = await adapter.sendEvents(context, sending)
          return parts.refused.length > 0 ? { accepted: [], refused: sending.events.map(({ id }) => ({ id, why: 'refused' })) } : parts
        },
      },
      'a rejected event does not affect the others',
    ))
})

/** As the platforms' own libraries hash them. */
test.each([
  [normalEmail, ' John.Doe@Example.com ', '836f82db99121b3481011f16b49dfa5fbc714a0d1b1b9f784a1ebbbf5b39577f'],
  [
    phoneDigits,
    '57BC2227C5CF190BA5390A9A06771E92B4863D7054546C3856E44EC12E56A5E3',
    '57bc2227c5cf190ba5390a9a06771e92b4863d7054546c3856e44ec12e56a5e3',
  ],
  [phoneDigits, '+213 555 12-34-56', '57bc2227c5cf190ba5390a9a06771e92b4863d7054546c3856e44ec12e56a5e3'],
  [phoneWithPlus, '+213 555 12-34-56', 'e5cb565881c669f95be9c2626a9b6948a692f58e6770790e9a024b78213421f0'],
  [normalName, 'Élise', 'd0f9b0b26aff2fccd28c49f60a008fa99ab98fee5942815757bef94357f01a41'],
  [normalName, 'بن علي', 'e0664940d880c92899a8c64631b7920b58b39b8492435064cdbba39b0f880fab'],
  [normalCity, 'El Oued 39', '557e07715bb1adfba7805c78cae3419ed9c4af3c7c213bce020e240906266a58'],
  [normalCountry, 'DZ', '2a92270185a50d8020949f2cfb2125d1af1c2bd3dd92eada9210fcdb5c4310bf'],
  [normalZip, '16000', '2570901c76653e578fecf066b5fc3fa1619f1a051e928e39797bab1b1342bf40'],
] as const)('what is typed is hashed as platforms hash it: %p of "%s"', async (normal, typed, digest) => {
  expect(await hashedAs((text) => normal(text), typed)).toBe(digest)
})

test('telephone numbers are written with their country, or not at all', () => {
  const typed = ['+213 555 12-34-56', '00213555123456', '0555123456', '555123456', '', '+']
  expect(typed.map(phoneDigits)).toEqual(['213555123456', '213555123456', undefined, undefined, undefined, undefined])
})
