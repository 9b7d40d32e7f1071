import { adaptersFolder } from '../support/platforms.ts'
import { mutations, type Planted } from './all.ts'

const HEAD = '## What the acceptance suite catches'
const file = Bun.file(`${adaptersFolder}/README.md`)

const intro = `${HEAD}

Faults that were planted into our own adapters, one at a time, and how many of each sort the suite caught. Written by
\`UPDATE_DOCS=1 bun test/mutations/main.ts\`.
`

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** The part of `adapters/carrier/README.md` that tells of mutations, in the order of their sorts. */
export function mutationsTable(found: readonly Planted[]): string {
  const rows = [...Map.groupBy(found, ({ sort }) => sort)].map(([sort, own]) => [sort, own.length, caughtOf(own)])
  const all = ['all', found.length, caughtOf(found)]
  return [intro, row(['sort', 'planted', 'caught']), row(['---', '---', '---']), ...rows.map(row), row(all), ''].join('\n')
}

const caughtOf = (found: readonly Planted[]) => found.filter(({ by }) => by !== undefined).length

/** The file in two: what the acceptance suite says of each platform, and what it catches. */
export async function readmeParts(): Promise<{ head: string; tail: string }> {
  const text = await file.text()
  const at = text.indexOf(HEAD)
  return at < 0 ? { head: text, tail: '' } : { head: text.slice(0, at), tail: text.slice(at) }
}

export const writeReadme = (head: string, tail: string) => Bun.write(file, `${head.trimEnd()}\n\n${tail}`)

/** What the table says: sorts with the counts of what was planted and caught. */
export const told = (tail: string): [string, number, number][] =>
  [...tail.matchAll(/^\| (.+) \| (\d+) \| (\d+) \|$/gm)].map(([, sort, planted, caught]) => [sort!, Number(planted), Number(caught)])

export const sortsPlanted = (): [string, number][] => Object.entries(mutations).map(([sort, own]) => [sort, own.length])
