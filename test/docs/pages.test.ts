import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { anchorsOf, linksOf, type Page, pages, problemOfLink, ROOT } from './pages.ts'

const KB = 1024
const README_MAX = 8 * KB
const PAGE_MAX = 10 * KB
const PICTURE_MAX = 150 * KB

const isOf =
  (folder: string) =>
  ({ path }: Page) =>
    path.startsWith(folder)
const sizeOf = ({ text }: Page) => Buffer.byteLength(text)

describe('links', () => {
  test('every relative link leads to a file, and every anchor to a heading', () => {
    const found = pages.flatMap((page) => linksOf(page.text).map((target) => ({ page, target, problem: problemOfLink(page, target) })))
    expect(found.length).toBeGreaterThan(100)
    expect(found.filter(({ problem }) => problem).map(({ page, target, problem }) => `${page.path}: ${target} ${problem}`)).toEqual([])
  })

  test('a link to a missing file, a missing heading or an absolute path is found', () => {
    const page = { path: 'docs/here.md', text: '# Here and `there`\n\n# A\n\n# A\n' }
    expect(anchorsOf(page.text)).toEqual(['here-and-there', 'a', 'a-1'])
    expect(problemOfLink(page, '#here-and-there')).toBeNull()
    expect(problemOfLink(page, '../README.md')).toBeNull()
    expect(problemOfLink(page, '#nowhere')).toBe('leads to no heading')
    expect(problemOfLink(page, 'missing.md')).toBe('leads to no file')
    expect(problemOfLink(page, '/README.md')).toBe('is not relative')
  })

  test('every page of docs/ is reached from the README', () => {
    const reached = new Set(['README.md'])
    for (const path of reached) {
      const page = pages.find((one) => one.path === path)
      for (const target of page ? linksOf(page.text) : []) {
        const file = join(path, '..', target.split('#')[0] || '.')
        if (file.endsWith('.md')) reached.add(file)
      }
    }
    expect(
      pages
        .filter(isOf('docs/'))
        .filter(({ path }) => !reached.has(path))
        .map(({ path }) => path),
    ).toEqual([])
  })
})

describe('sizes', () => {
  test('the README has at most 8 KB, and each page of docs/ at most 10 KB', () => {
    const tooLong = pages.filter((page) => sizeOf(page) > (page.path === 'README.md' ? README_MAX : PAGE_MAX))
    const held = tooLong.filter(({ path }) => path === 'README.md' || path.startsWith('docs/'))
    expect(held.map((page) => `${page.path} has ${sizeOf(page)} bytes`)).toEqual([])
  })

  test('a picture has at most 150 KB', () => {
    const pictures = [...new Bun.Glob('docs/images/*').scanSync(ROOT)]
    expect(pictures.length).toBeGreaterThan(0)
    expect(pictures.filter((path) => statSync(join(ROOT, path)).size > PICTURE_MAX)).toEqual([])
  })
})
