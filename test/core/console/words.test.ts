import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { words } from '../../../core/console/web/words/en/index.ts'

const WEB = join(import.meta.dir, '../../../core/console/web')

/** Source of the browser code, without the words themselves. */
async function readSources(): Promise<string> {
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(WEB)].filter((file) => !/^words\/(?:en|fr|ar)\//.test(file))
  return (await Promise.all(files.map((file) => Bun.file(join(WEB, file)).text()))).join('\n')
}

/** Texts such as `status.${status}` of the sources, as patterns of the whole keys that they can make. A value holds no dot. */
const patternsIn = (sources: string): readonly RegExp[] =>
  [...sources.matchAll(/`((?:[\w-]+\.)+(?:[\w.-]|\$\{[^{}]*\})*)`/g)]
    .map(([, text = '']) => text.split(/\$\{[^{}]*\}/))
    .filter((parts) => parts.length > 1)
    .map((parts) => new RegExp(`^${parts.map(RegExp.escape).join('[^.]+')}$`))

test('the words of the console: each is shown by a page, by its key or by a text that makes its key', async () => {
  const sources = await readSources()
  const named = new Set([...sources.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, key]) => key))
  const patterns = patternsIn(sources)
  expect(patterns.some((pattern) => pattern.test('status.pending'))).toBe(true)
  expect(patterns.filter((pattern) => pattern.test('status.pending.late') || pattern.test('my.status.pending'))).toEqual([])
  expect(Object.keys(words).filter((key) => !named.has(key) && !patterns.some((pattern) => pattern.test(key)))).toEqual([])
})
