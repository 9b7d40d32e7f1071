import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openOwnBundles } from '../../plugins/host/own-bundles.ts'
import { kinds } from '../../plugins/kinds.ts'
import { scratchFolder } from '../support/scratch.ts'

const folder = await scratchFolder()
const adapter = join(folder, 'courier')
const file = join(folder, 'kept', 'bundles.json')
const say = async (words: string) => {
  await mkdir(adapter, { recursive: true })
  await writeFile(join(adapter, 'words.ts'), `export const words: string = '${words}'`)
  await writeFile(join(adapter, 'index.ts'), "import { words } from './words.ts'\nexport default { words }")
}
const bundled = async (at: string | undefined = file) => {
  const bundles = await openOwnBundles(at)
  const bundle = await bundles.bundle(adapter, { within: true, kinds })
  await bundles.save()
  return bundle
}
const kept = () => Bun.file(file).text()

test('our own adapters are bundled anew when a file of theirs changes, and only then; the next start finds what was made', async () => {
  await say('one')
  const first = await bundled()
  expect(first.code).toContain('one')
  expect(await bundled()).toEqual(first)
  expect(await kept()).toContain(first.hash)
  await say('another')
  const second = await bundled()
  expect([second.code.includes('another'), second.hash === first.hash]).toEqual([true, false])
  expect(await kept()).toContain(second.hash)
  await writeFile(join(adapter, 'index.ts'), "import { words } from './nowhere.ts'\nexport default { words }")
  await expect(bundled()).rejects.toThrow('nowhere')
  await say('whole')
  expect((await bundled()).code).toContain('whole')
})

test('our own adapters are bundled anew when code changes that bundles share', async () => {
  const shared = join(folder, 'shared')
  await mkdir(shared)
  const madeAgain = async () => {
    const bundles = await openOwnBundles(file, [shared])
    const bundle = await bundles.bundle(adapter, { within: true, kinds })
    // Only a bundle from the file has what it declares.
    const isNew = bundles.declarationsOf(bundle) === undefined
    bundles.declare(bundle, [])
    await bundles.save()
    return isNew
  }
  await say('shared')
  const before = [await madeAgain(), await madeAgain()]
  await writeFile(join(shared, 'lib.ts'), 'export {}')
  expect([...before, await madeAgain()]).toEqual([true, false, true])
})

test('a process of its own takes what was kept, unless it cannot be read', async () => {
  await say('kept')
  await bundled()
  const program = `
    const { openOwnBundles } = await import(${JSON.stringify(join(import.meta.dir, '../../plugins/host/own-bundles.ts'))})
    const bundles = await openOwnBundles(${JSON.stringify(file)})
    console.log((await bundles.bundle(${JSON.stringify(adapter)}, { within: true, kinds: [] })).code)`
  const run = async () => (await Bun.$`${process.execPath} -e ${program}`.text()).trim()
  const stored = JSON.parse(await kept())
  const [key = ''] = Object.keys(stored).filter((name) => name.startsWith(adapter))
  stored[key].bundle.code = 'what was kept'
  await writeFile(file, JSON.stringify(stored))
  expect(await run()).toBe('what was kept')
  await writeFile(file, '{"broken')
  expect(await run()).toContain('kept')
})
