import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')

/** One Markdown page of the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** Pages for readers: the README, CONTRIBUTING, `docs/`, and what stands beside kinds and adapters. */
export const pages: readonly Page[] = ['*.md', 'docs/**/*.md', 'plugins/**/*.md', 'adapters/**/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)])
  .filter((path) => !path.includes('/template/'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

/** The text without blocks of code. */
export const withoutCode = (text: string) => text.replace(/^ *(`{3,})[\s\S]*?^ *\1\s*$/gm, '')

/** Anchors of a page's headings, as GitHub makes them: lower case, no punctuation, hyphens for spaces, a number behind a repeated one. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  return [...withoutCode(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, title = '']) => {
    const words = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

/** Targets of links and pictures, without code in which brackets mean something else. */
export const linksOf = (text: string) =>
  [
    ...withoutCode(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = '']) => target)

/** Says why a link leads nowhere; null if it leads somewhere, or out of the repository. */
export function problemOfLink({ path, text }: Page, target: string): string | null {
  if (/^(https?|mailto):/.test(target)) return null
  const [file = '', anchor] = target.split('#')
  if (file.startsWith('/')) return 'is not relative'
  const to = file === '' ? path : normalize(join(dirname(path), decodeURIComponent(file)))
  if (to !== path && (to.startsWith('..') || !existsSync(join(ROOT, to)))) return 'leads to no file'
  if (anchor === undefined) return null
  const there = to === path ? text : readFileSync(join(ROOT, to), 'utf8')
  return anchorsOf(there).includes(anchor) ? null : 'leads to no heading'
}
