import { join } from 'node:path'
import type { Planted } from './all.ts'
import { adaptersOf, type Mutations } from './plant.ts'

const HEAD = '## What the acceptance suite catches'
const fileOf = (kind: string) => Bun.file(join(adaptersOf(kind), 'README.md'))

const intro = `${HEAD}

Faults that were planted into our own adapters, one at a time, and how many of each sort the suite caught. Written by
\`UPDATE_DOCS=1 bun test/mutations/main.ts\`.
`

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** The part of a kind's `README.md` that tells of mutations, in the order of their sorts, and of those that are known not to be caught. */
export function mutationsTable(found: readonly Planted[], gaps: Mutations = {}): string {
  const rows = [...Map.groupBy(found, ({ sort }) => sort)].map(([sort, own]) => [sort, own.length, caughtOf(own)])
  const all = ['all', found.length, caughtOf(found)]
  return [intro, row(['sort', 'planted', 'caught']), row(['---', '---', '---']), ...rows.map(row), row(all), ...gapsTable(gaps), ''].join(
    '\n',
  )
}

const gapsTable = (gaps: Mutations) =>
  Object.keys(gaps).length === 0
    ? []
    : ['', 'Known, and not caught yet:', '', row(['sort', 'planted']), row(['---', '---']), ...sortsPlanted(gaps).map(row)]

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

/** The same of what is known not to be caught. */
export const toldOfGaps = (tail: string): [string, number][] =>
  [...tail.matchAll(/^\| ([^|]+) \| (\d+) \|$/gm)].map(([, sort, planted]) => [sort!, Number(planted)])
