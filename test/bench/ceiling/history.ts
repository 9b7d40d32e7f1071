import { join } from 'node:path'
import type { Row } from '../table.ts'

const PAGE = join(import.meta.dir, '../../../docs/performance.md')
/** Part of a share below which it fell. The same code reached two thirds of a share on a slower machine. */
const FELL_BELOW = 0.6

/** Shares of their ceilings that the operations had at one release, in percent, by name of the operation. */
export interface Release {
  readonly name: string
  readonly shares: Readonly<Record<string, number>>
}

const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Reads the table of a page: a row for each operation, a column for each release, the newest last. */
export function readHistory(page: string): Release[] {
  const [headings = '', , ...lines] = page.split('\n').filter((line) => line.startsWith('|'))
  const rows = lines.map(cellsOf)
  return cellsOf(headings)
    .slice(1)
    .map((name, at) => ({
      name,
      shares: Object.fromEntries(
        rows.flatMap(([operation = '', ...shares]) => {
          const share = Number.parseFloat(shares[at] ?? '')
          return Number.isNaN(share) ? [] : [[operation.replaceAll('`', ''), share]]
        }),
      ),
    }))
}

/** Says which operations fell against a release: one sentence each. */
export const findFallen = (rows: readonly Row[], { name, shares }: Release): string[] =>
  rows.flatMap(({ what, ratio }) => {
    const before = shares[what]
    if (before === undefined || ratio === undefined || ratio * 100 >= before * FELL_BELOW) return []
    return [`${what} fell from ${before} % of its ceiling (${name}) to ${(ratio * 100).toFixed(1)} %.`]
  })

/** Reads the shares of the newest release that `docs/performance.md` keeps. */
export async function readNewestRelease(): Promise<Release | undefined> {
  return readHistory(await Bun.file(PAGE).text()).at(-1)
}
