import { describe, expect, test } from 'bun:test'
import { allCaught, plantings, sampleOf } from './all.ts'
import { faultyText } from './plant.ts'
import { readmeParts, readTable, sortsPlanted } from './table.ts'

/** `MUTATIONS=usual` plants a sample, `MUTATIONS=all` every fault. Without it, only the list of faults is checked. */
const planted = process.env.MUTATIONS
const all = planted === 'all'
const RUN_MS = 900_000

describe.each(plantings.map((planting) => [planting.kind, planting] as const))('%s', (kind, planting) => {
  const { mutations, atLeast } = planting

  test.skipIf(!planted)(
    'the suites catch the faults that are planted into the built-in adapters',
    async () => {
      const found = await allCaught(planting, all ? mutations : sampleOf(planting))
      const missed = found.filter(({ by }) => !by).map(({ sort, mutation: [adapter, file] }) => `${sort}: ${adapter}/${file}`)
      if (all) console.log(`${kind}: ${found.length - missed.length} of ${found.length} caught`, ...missed)
      if (!all) expect(missed).toEqual([])
      expect(missed.length / found.length).toBeLessThanOrEqual(0.05)
    },
    RUN_MS,
  )

  test('every fault can still be planted', async () => {
    const every = Object.values(mutations).flat()
    const outcomes = await Promise.allSettled(every.map((mutation) => faultyText(kind, mutation)))
    expect(
      outcomes.filter(({ status }) => status === 'rejected').map((outcome) => String((outcome as PromiseRejectedResult).reason)),
    ).toEqual([])
  })

  test('the table in the README lists every kind of fault, with the number of planted faults', async () => {
    const { tail } = await readmeParts(kind)
    const rows = readTable(tail)
    const [sum] = rows.splice(-1)
    expect(rows.map(([sort, planted]) => [sort, planted])).toEqual(sortsPlanted(mutations))
    expect(sum).toEqual(['all', rows.reduce((count, [, planted]) => count + planted, 0), rows.reduce((count, row) => count + row[2], 0)])
    expect(rows.length).toBeGreaterThanOrEqual(atLeast.sorts)
    expect(sum![1]).toBeGreaterThanOrEqual(atLeast.faults)
    expect(sum![2] / sum![1]).toBeGreaterThanOrEqual(0.95)
  })
})
