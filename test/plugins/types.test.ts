import { expect, test } from 'bun:test'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder } from '../support/scratch.ts'

const root = join(import.meta.dir, '../..')
const env = { ...process.env, DATA_DIR: await scratchFolder(), ADAPTER_DIRS: '' }

async function serai(...given: string[]) {
  const child = Bun.spawn([process.execPath, 'core/main.ts', ...given], { cwd: root, env, stderr: 'pipe' })
  const [said, complained] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, said: said + complained }
}

/** A new adapter whose folder was moved to another depth since. */
async function moved(kind: string) {
  const shelf = await scratchFolder()
  await serai('adapter', 'new', 'atlas', shelf, '--kind', kind)
  await mkdir(join(shelf, 'deep/down'), { recursive: true })
  const folder = join(shelf, 'deep/down/atlas')
  await rename(join(shelf, 'atlas'), folder)
  return folder
}

test('an adapter whose folder was moved passes its suite and its types hold', async () => {
  const folder = await moved('payment')
  const { code, said } = await serai('adapter', 'accept', folder)
  expect([code, said]).toEqual([0, expect.stringContaining('✓ types')])
}, 60_000)

test('accept fails an adapter whose types do not hold, and names the line', async () => {
  const folder = await moved('carrier')
  await Bun.write(join(folder, 'broken.ts'), 'export const wrong: number = "text"\nexport const bytes = Buffer.from("a")\n')
  const { code, said } = await serai('adapter', 'accept', folder)
  expect(code).toBe(1)
  expect(said).toContain('broken.ts(1,14)')
  expect(said).toContain('The type check failed.')
}, 60_000)

test('configurations that lead nowhere are written anew, and those of the author stay', async () => {
  const folder = await moved('payment')
  const file = join(folder, 'tsconfig.json')
  const written = await Bun.file(file).text()
  await Bun.write(file, written.replaceAll(root, '/nowhere/serai'))
  expect((await serai('adapter', 'accept', folder)).said).toContain('their paths did not exist')
  expect(await Bun.file(file).text()).toBe(written)
  await Bun.write(file, '{ "compilerOptions": { "strict": true } }')
  await serai('adapter', 'accept', folder)
  expect(await Bun.file(file).text()).toBe('{ "compilerOptions": { "strict": true } }')
}, 60_000)

test('serai alone says what there is to do', async () => {
  const { code, said } = await serai()
  expect(code).toBe(0)
  for (const command of ['serve', 'places import', 'adapter <command>']) expect(said).toContain(command)
})
