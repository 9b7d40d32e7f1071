import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { words } from '../../../core/console/web/words/en/index.ts'

const WEB = join(import.meta.dir, '../../../core/console/web')

/** Source of the browser code, without the words themselves. */
async function readSources(): Promise<string> {
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(WEB)].filter((file) => !/^words\/(?:en|fr|ar)\//.test(file))
  return (await Promise.all(files.map((file) => Bun.file(join(WEB, file)).text()))).join('\n')
}

test('the words of the console: each is shown by a page, by its key or by a key that begins as it does', async () => {
  const sources = await readSources()
  const named = new Set([...sources.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, key]) => key))
  const beginnings = [...sources.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map(([, beginning]) => beginning!)
  const isShown = (key: string) => named.has(key) || beginnings.some((beginning) => key.startsWith(beginning))
  expect(beginnings).toContain('status.')
  expect(Object.keys(words).filter((key) => !isShown(key))).toEqual([])
})
