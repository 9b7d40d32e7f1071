import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { languages } from '../../support/console.ts'
import { consoleWords } from '../../support/console-words.ts'

const words = await consoleWords('en')
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

/** Rows of the list of terms: the term in each language, and the key of a text that says it. */
async function readTerms(): Promise<readonly (readonly [terms: readonly string[], key: string])[]> {
  const lines = (await Bun.file(join(WEB, 'words/terms.md')).text()).split('\n')
  return lines.flatMap((line) => {
    const [, ...cells] = line.split('|').map((cell) => cell.trim())
    const key = /^`([\w.]+)`$/.exec(cells[3] ?? '')?.[1]
    return key === undefined ? [] : [[cells.slice(0, 3), key] as const]
  })
}

test('the words of the console: each term of the list is said by the text that it names, in every language', async () => {
  const terms = await readTerms()
  expect(terms.length).toBeGreaterThan(40)
  const texts = await Promise.all(languages.map(consoleWords))
  const missing = terms.flatMap(([names, key]) =>
    languages.flatMap((language, at) => {
      const text = JSON.stringify(texts[at]?.[key] ?? '').toLowerCase()
      return text.includes((names[at] ?? '?').toLowerCase()) ? [] : [`${language} ${key}: ${names[at]}`]
    }),
  )
  expect(missing).toEqual([])
})
