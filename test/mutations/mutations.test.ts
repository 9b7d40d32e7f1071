import { expect, test } from 'bun:test'
import { platforms } from '../support/platforms.ts'
import { allCaught, mutations } from './all.ts'
import { faultyText, type Mutations } from './plant.ts'
import { readmeParts, sortsPlanted, told } from './table.ts'

const all = process.env.MUTATIONS === 'all'
const SORTS = 20
const RUN_MS = 900_000

/** One of each of the first sorts, so that a look costs seconds; `MUTATIONS=all` takes all of them. */
const some: Mutations = Object.fromEntries(
  Object.entries(mutations)
    .filter(([, own], at) => at % 2 === 0 && own.length > 0)
    .slice(0, SORTS)
    .map(([sort, [first]]) => [sort, [first!]]),
)

test(
  'the acceptance suite catches faults that are planted into our own adapters',
  async () => {
    const found = await allCaught(await platforms(), all ? mutations : some)
    const missed = found.filter(({ by }) => !by).map(({ sort, mutation: [adapter, file] }) => `${sort}: ${adapter}/${file}`)
    if (!all) expect(missed).toEqual([])
    expect(missed.length / found.length).toBeLessThanOrEqual(0.05)
  },
  RUN_MS,
)

test('every fault can still be planted', async () => {
  const all = Object.values(mutations).flat()
  const outcomes = await Promise.allSettled(all.map(faultyText))
  expect(
    outcomes.filter(({ status }) => status === 'rejected').map((outcome) => String((outcome as PromiseRejectedResult).reason)),
  ).toEqual([])
})

test('the table of what is caught tells of every sort, and of as many as are planted', async () => {
  const rows = told((await readmeParts()).tail)
  const [sum] = rows.splice(-1)
  expect(rows.map(([sort, planted]) => [sort, planted])).toEqual(sortsPlanted())
  expect(sum).toEqual(['all', rows.reduce((count, [, planted]) => count + planted, 0), rows.reduce((count, row) => count + row[2], 0)])
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(sum![1]).toBeGreaterThanOrEqual(60)
  expect(sum![2] / sum![1]).toBeGreaterThanOrEqual(0.95)
})
