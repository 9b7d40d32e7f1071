import { describe, expect, test } from 'bun:test'
import { acceptance, type Rig } from '../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../plugins/carrier/contract.ts'
import { sandboxRig } from './rigs/sandbox.ts'
import { yalidineRig } from './rigs/yalidine.ts'

const adapters = `${import.meta.dir}/../../adapters/carrier`

// The other side of each adapter in the folder.
const rigs: Readonly<Record<string, (carrier: Carrier) => Rig>> = { sandbox: sandboxRig, yalidine: yalidineRig }

const folders = [...new Bun.Glob('*/index.ts').scanSync({ cwd: adapters })].map((file) => file.split('/')[0]!).sort()

test('every carrier in the folder has another side to be tested against', () => {
  expect(folders).toEqual(Object.keys(rigs).sort())
})

const slugs = new Set<string>()
for (const folder of folders) {
  const module = (await import(`${adapters}/${folder}/index.ts`)) as { default: Carrier | Carrier[] }
  for (const carrier of [module.default].flat()) {
    describe(carrier.slug, () => {
      test('its slug is its own', () => expect(slugs.size).toBe(slugs.add(carrier.slug).size - 1))
      for (const { name, skip, run } of acceptance(carrier, rigs[folder]!(carrier))) {
        test.skipIf(skip !== undefined)(skip === undefined ? name : `${name} (${skip})`, run)
      }
    })
  }
}
