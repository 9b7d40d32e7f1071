import { expect, test } from 'bun:test'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleInProcess } from '../../plugins/host/bundle-in-process.ts'
import { listAdapterFolders } from '../../plugins/host/discover.ts'
import { scratchFolder } from '../support/scratch.ts'
import { atlas, put } from './atlas.ts'

const root = await scratchFolder()
const outside = join(await scratchFolder(), 'outside.json')
await Bun.write(outside, '{"secret":"of the server"}')

let made = 0
async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = join(root, `adapter${++made}`)
  await put(folder, files)
  return folder
}
/** Why it is refused, and how long that took. */
async function refusal(folder: string) {
  const began = performance.now()
  const why = await bundleInProcess(folder).then(
    ({ code }) => `taken, ${code.length} bytes`,
    (error: Error) => error.message,
  )
  return { why, ms: performance.now() - began }
}

const texts = (length: number, joined: (at: number) => string) =>
  `enum A { a0 = '${'x'.repeat(1000)}', ${Array.from({ length }, (_, at) => `a${at + 1} = ${joined(at)}`).join(', ')} }`
const bombs: Record<string, string> = {
  'an enumeration whose texts double': `${texts(40, (at) => `a${at} + a${at}`)}\nexport default A.a40`,
  'an enumeration of templates': `${texts(40, (at) => `\`\${a${at}}\${a${at}}\``)}\nexport default A.a40`,
  'a long text in thousands of places': `const enum A { a = '${'x'.repeat(3e6)}' }\nexport default [${'A.a,'.repeat(50_000)}]`,
}
for (const [what, source] of Object.entries(bombs))
  test(`${what} wears out a process of its own, and is refused`, async () => {
    const before = process.memoryUsage.rss()
    expect((await refusal(await folderWith({ 'index.ts': source }))).why).toMatch(/more than 5 seconds or too much memory/)
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
  })

test('what is nested without end is a mistake like any other', async () => {
  for (const sign of ['(', '[', '{', '`${', 'a=>', 'new '])
    expect((await refusal(await folderWith({ 'index.ts': `export default ${sign.repeat(500_000)}` }))).why).toMatch(/call stack|Expected/)
  const folder = await folderWith({ 'index.ts': "import x from './x.json'; export default x", 'x.json': '['.repeat(1e6) })
  expect((await refusal(folder)).why).toMatch(/nested/)
})

const IMPORTS_X = "import x from './x.json'\nexport default x"
test('no link leads out of its folder, not even that of its first file', async () => {
  const first = await folderWith({})
  await symlink(outside, join(first, 'index.ts'))
  const inner = await folderWith({ 'index.ts': IMPORTS_X })
  await symlink(outside, join(inner, 'x.json'))
  for (const folder of [first, inner]) expect((await refusal(folder)).why).toMatch(/stands outside of its folder/)
  const endless = await folderWith({})
  await symlink('/dev/zero', join(endless, 'index.ts'))
  expect((await refusal(endless)).why).toMatch(/is not there/)
})

test('what never ends or is too large is not begun to be read', async () => {
  const pipe = await folderWith({ 'index.ts': IMPORTS_X })
  await Bun.$`mkfifo ${join(pipe, 'x.json')}`
  expect((await refusal(pipe)).why).toBe('x.json is no file')
  const large = await folderWith({ 'index.ts': IMPORTS_X })
  await Bun.$`truncate -s 3G ${join(large, 'x.json')}`
  expect((await refusal(large)).why).toMatch(/more than 4194304 bytes/)
  await rm(large, { recursive: true })
})

test('no other way leads to code that is not its own', async () => {
  const settings = {
    'tsconfig.json': JSON.stringify({ compilerOptions: { baseUrl: '/', paths: { '@/*': ['/etc/*'] } } }),
    'package.json': JSON.stringify({ name: 'me', imports: { '#x': outside }, exports: { './x': outside }, browser: { './a.ts': outside } }),
    'bunfig.toml': `preload = ["${outside}"]`,
  }
  const ways = [
    '@/passwd',
    '#x',
    'me/x',
    `file://${outside}`,
    'data:application/json,1',
    'bun',
    'elysia',
    'serai/carrier/acceptance',
    'npm:x',
  ]
  for (const way of [...ways, 'serai/carrier/../../host/bundle.ts', 'jsr:@std/fs', 'https://example.com/x.ts', 'node:fs', 'fs'])
    for (const written of [
      `import x from '${way}'; export default x`,
      `export default () => import('${way}')`,
      `export default require('${way}')`,
    ])
      expect((await refusal(await folderWith({ ...settings, 'index.ts': written }))).why).toMatch(/an adapter reaches the world through/)
  for (const way of [outside, `../../../../../..${outside}`])
    for (const type of ['text', 'json', 'file', 'html'])
      expect(
        (await refusal(await folderWith({ 'index.ts': `import x from '${way}' with { type: '${type}' }; export default x` }))).why,
      ).toMatch(/outside of its folder/)
}, 120_000)

test('odd but honest files are taken', async () => {
  const folder = await folderWith({
    'index.ts': `\ufeffimport { value } from "./a b\u00e9 'c'.ts"\nimport data from './data.json'\nexport default async () => [value, data, (await import('./late.ts')).late]`,
    "a b\u00e9 'c'.ts": 'export const value = 1',
    'data.json': '{"a":1}',
    'late.ts': 'export const late = 1',
  })
  expect((await refusal(folder)).why).toMatch(/^taken/)
})

test('an adapter is found beside others, by a link, and as a root of its own, with whatever stands below it', async () => {
  const shelf = await scratchFolder()
  const elsewhere = await folderWith({ 'index.ts': atlas() })
  await put(join(shelf, 'one'), { 'index.ts': atlas() })
  await put(join(shelf, 'one/parts'), { 'index.ts': 'export {}' })
  await symlink(elsewhere, join(shelf, 'linked'))
  const found = async (root: string) => (await listAdapterFolders({ own: [], others: [root] })).map(({ folder }) => folder).sort()
  expect(await found(shelf)).toEqual([elsewhere, join(shelf, 'one')].sort())
  expect(await found(join(shelf, 'one'))).toEqual([join(shelf, 'one')])
})
