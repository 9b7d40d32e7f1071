import { expect, test } from 'bun:test'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adapterSettings } from '../../core/adapter-settings.ts'
import { readConfig } from '../../core/config.ts'
import { type AdapterRegistry, openRegistry } from '../../plugins/host/registry.ts'
import { describeDefinition } from '../../plugins/host/sandbox/describe-definition.ts'
import { scratchFolder } from '../support/scratch.ts'

const reports = { rejected: () => {}, pending: () => {}, process: () => {} }

async function registriesOf(own?: string) {
  const { shelf, options } = adapterSettings(readConfig({ DATA_DIR: await scratchFolder() }))
  const open = () => openRegistry({ ...shelf, own: own === undefined ? shelf.own : [own], others: [] }, options, reports)
  return { open, kept: shelf.kept }
}

/** Makes the kept code of all adapters throw, which no start notices that only reads what the adapters declare. */
async function breakCode(kept: string) {
  const bundles = (await Bun.file(kept).json()) as Record<string, { bundle: { code: string } }>
  for (const { bundle } of Object.values(bundles)) bundle.code = "throw new Error('The code of an adapter ran.')"
  await writeFile(kept, JSON.stringify(bundles))
}

const shapesOf = (registry: AdapterRegistry) =>
  registry.all().map(({ kind, adapter }) => {
    const { data, functions } = describeDefinition(adapter)
    return [kind.name, data, functions.toSorted()]
  })

test('each of our own adapters is the same from what was kept of it as from its code', async () => {
  const { open, kept } = await registriesOf()
  const first = await open()
  expect(first.all().length).toBeGreaterThan(30)
  await breakCode(kept)
  const second = await open()
  expect(second.rejected()).toEqual([])
  expect(shapesOf(second)).toEqual(shapesOf(first))
  await Promise.all([first.close(), second.close()])
})

test('the code of an adapter that no store uses does not run again at the next start', async () => {
  let runs = 0
  const noteAdapterRun = () => {
    runs += 1
  }
  Object.assign(globalThis, { noteAdapterRun })
  const own = await scratchFolder()
  const entry = join(own, 'sandbox/index.ts')
  await cp(join(import.meta.dir, '../../adapters/carrier/sandbox'), join(own, 'sandbox'), { recursive: true })
  const code = await readFile(entry, 'utf8')
  const write = (label: string) => writeFile(entry, `${code.replace(/label: '[^']*'/, `label: '${label}'`)}\nglobalThis.noteAdapterRun()\n`)
  const { open } = await registriesOf(own)
  const started = async () => {
    const registry = await open()
    const { carrier } = registry.find('carrier', 'sandbox') ?? {}
    await registry.close()
    return carrier
  }

  await write('First')
  await started()
  expect(runs).toBe(1)
  const kept = await started()
  expect([kept?.label, kept?.statuses.lost, runs]).toEqual(['First', 'lost', 1])
  expect(await kept?.testConnection({} as never)).toEqual({ account: 'sandbox' })
  await kept?.testConnection({} as never)
  expect(typeof kept?.webhook?.receive).toBe('function')
  expect(runs).toBe(2)
  await write('Second')
  expect([(await started())?.label, runs]).toEqual(['Second', 3])
})
