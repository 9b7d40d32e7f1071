import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { carrier as carrierKind } from '../../plugins/carrier/kind.ts'
import { openRegistry } from '../../plugins/host/registry.ts'
import { operationsOf } from '../../plugins/kind.ts'
import { scratchFolder } from '../support/scratch.ts'

const guide = await Bun.file(join(import.meta.dir, '../../docs/write-an-adapter/carrier.md')).text()

test('the carrier of docs/write-an-adapter/carrier.md can be mounted as it is written', async () => {
  const [, example] = /```ts\n(import \{ carrier[\s\S]*?)```/.exec(guide)!
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
