import { allCaught, mutationsOf, type Planted, plantings } from './all.ts'
import { mutationsTable, readmeParts, writeReadme } from './table.ts'

/**
 * `bun test/mutations/main.ts [word …]` plants all faults and prints the case or test that catches each. Words select kinds of adapters,
 * adapters, or kinds of fault whose name contains the word. `UPDATE_DOCS=1` writes the tables of kinds of adapters that were planted
 * completely.
 */
const words = process.argv.slice(2)
const isKind = (word: string) => plantings.some(({ kind }) => kind === word)
const isWhole = (kind: string) => words.every(isKind) && (words.length === 0 || words.includes(kind))

function print({ sort, mutation: [adapter, file, find], by }: Planted): void {
  console.log(by ? `✓ ${sort}: ${adapter}/${file}\n    ${by.name}: ${by.why.slice(0, 200)}` : `✗ ${sort}: ${adapter}/${file}\n    ${find}`)
}

let missed = 0
for (const planting of plantings) {
  const { kind } = planting
  const found = await allCaught(planting, mutationsOf(planting, words), print)
  if (found.length === 0) continue
  const table = mutationsTable(found)
  console.log(`\n${kind}\n\n${table}`)
  if (process.env.UPDATE_DOCS === '1' && isWhole(kind)) await writeReadme(kind, (await readmeParts(kind)).head, table)
  missed += found.filter(({ by }) => !by).length
}
process.exit(missed > 0 ? 1 : 0)
