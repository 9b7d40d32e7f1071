import { platforms } from '../support/platforms.ts'
import { allCaught, mutations, type Planted } from './all.ts'
import { mutationsTable, readmeParts, writeReadme } from './table.ts'

/**
 * `bun test/mutations/main.ts [word …]` plants all mutations, or those whose sort holds a word or whose adapter is one, and says which case
 * catches each. `UPDATE_DOCS=1` writes the table of all of them.
 */
const words = process.argv.slice(2)
const isWanted = (sort: string, adapter: string) => words.length === 0 || words.some((word) => sort.includes(word) || adapter === word)

function tell({ sort, mutation: [adapter, file, find], by }: Planted): void {
  console.log(by ? `✓ ${sort}: ${adapter}/${file}\n    ${by.name}: ${by.why.slice(0, 200)}` : `✗ ${sort}: ${adapter}/${file}\n    ${find}`)
}

const found = await allCaught(await platforms(), mutations, isWanted, tell)
console.log(mutationsTable(found))
if (process.env.UPDATE_DOCS === '1' && words.length === 0) await writeReadme((await readmeParts()).head, mutationsTable(found))
process.exit(found.some(({ by }) => !by) ? 1 : 0)
