import { join } from 'node:path'
import type { Planted } from './all.ts'
import { adaptersOf, type Mutations } from './plant.ts'

const HEAD = '## What the acceptance suite catches'
const fileOf = (kind: string) => Bun.file(join(adaptersOf(kind), 'README.md'))

const intro = `${HEAD}

Faults that were planted into our own adapters, one at a time, and how many of each sort were caught: by the suite, or, in what one brand
alone does, by the tests of its adapter. Written by
\`UPDATE_DOCS=1 bun test/mutations/main.ts\`.
`

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** The part of a kind's `README.md` that tells of mutations, in the order of their sorts. */
export function mutationsTable(found: readonly Planted[]): string {
  const rows = [...Map.groupBy(found, ({ sort }) => sort)].map(([sort, own]) => [sort, own.length, caughtOf(own)])
  const all = ['all', found.length, caughtOf(found)]
  return [intro, row(['sort', 'planted', 'caught']), row(['---', '---', '---']), ...rows.map(row), row(all), ''].join('\n')
}

const caughtOf = (found: readonly Planted[]) => found.filter(({ by }) => by !== undefined).length

/** The file of a kind in two: what is said of its adapters, and what its suite catches. */
export async function readmeParts(kind: string): Promise<{ head: string; tail: string }> {
  const text = await fileOf(kind).text()
  const at = text.indexOf(HEAD)
  return at < 0 ? { head: text, tail: '' } : { head: text.slice(0, at), tail: text.slice(at) }
}

export const writeReadme = (kind: string, head: string, tail: string) => Bun.write(fileOf(kind), `${head.trimEnd()}\n\n${tail}`)

/** What the table says: sorts with the counts of what was planted and caught. */
export const told = (tail: string): [string, number, number][] =>
  [...tail.matchAll(/^\| (.+) \| (\d+) \| (\d+) \|$/gm)].map(([, sort, planted, caught]) => [sort!, Number(planted), Number(caught)])

export const sortsPlanted = (mutations: Mutations): [string, number][] => Object.entries(mutations).map(([sort, own]) => [sort, own.length])
