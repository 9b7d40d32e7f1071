import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { carrier as carrierKind } from '../../plugins/carrier/kind.ts'
import { openRegistry } from '../../plugins/host/registry.ts'
import { operationsOf } from '../../plugins/kind.ts'
import { scratchFolder } from '../support/scratch.ts'

const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text()

test('the carrier that the README writes can be mounted as it stands there', async () => {
  const [, example] = /```ts\n(import \{ carrier[\s\S]*?)```/.exec(readme)!
  const folder = await scratchFolder()
  await mkdir(join(folder, 'atlas'))
  await writeFile(join(folder, 'atlas/index.ts'), example!)
  const shelf = { own: [], others: [folder], enabled: [], isolation: 'third-party', approval: 'auto' } as const
  const silent = { rejected() {}, pending() {}, process() {} }
  const registry = await openRegistry(shelf, { folder: await scratchFolder(), processes: 2, memoryMb: 64 }, silent)
  afterAll(() => registry.close())
  expect(registry.rejected()).toEqual([])
  expect(registry.of('carrier').map(({ carrier }) => carrier.slug)).toEqual(['atlas'])
  const names = operationsOf(carrierKind, registry.find('carrier', 'atlas')!.carrier)
  expect(names).toContain('send')
  expect(names).toContain('labels')
  expect(names).not.toContain('track')
})

test('the README names every setting, and none that there is not', async () => {
  const source = await Bun.file(join(import.meta.dir, '../../core/config.ts')).text()
  const settings = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): T\./gm)].map((match) => match[1]!)
  const table = readme.slice(readme.indexOf('## Settings'), readme.indexOf('## Enable a carrier'))
  const named = [...table.matchAll(/`([A-Z][A-Z_]+)`/g)]
    .map((match) => match[1]!)
    .filter((name) => name !== 'DATA_DIR' || settings.includes(name))
  expect(new Set(named)).toEqual(new Set(settings))
})
