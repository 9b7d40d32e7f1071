import { ads } from './ads.ts'
import { carrier } from './carrier/all.ts'
import { type Catch, findFailingCase, trialOf } from './catch.ts'
import { connector } from './connector/all.ts'
import { model } from './model.ts'
import { caughtByOwnTests } from './own-tests.ts'
import { payment } from './payment/all.ts'
import { type Mutation, type Mutations, type Planting, planted } from './plant.ts'
import { social } from './social.ts'
import { spreadsheet } from './spreadsheet.ts'

/** Kinds of built-in adapters, each with the faults that its suite must catch. */
export const plantings: readonly Planting[] = [carrier, payment, connector, spreadsheet, ads, social, model]

export interface Planted {
  readonly sort: string
  readonly mutation: Mutation
  /** Case or test that caught it; undefined if none did. */
  readonly by: Catch | undefined
}

/** Plants faults one after the other. Runs the suite of the kind against each, and the adapter's own tests if the suite passes. */
export async function allCaught(
  { kind, isLate = () => false }: Planting,
  wanted: Mutations,
  report: (one: Planted) => void = () => {},
): Promise<Planted[]> {
  const found: Planted[] = []
  for (const [sort, own] of Object.entries(wanted))
    for (const mutation of own) {
      const [first] = await planted(kind, mutation)
      const bySuite = await findFailingCase(await trialOf(kind, mutation[0]), first!, { late: isLate(sort) })
      const one = { sort, mutation, by: bySuite ?? (await caughtByOwnTests(kind, mutation)) }
      report(one)
      found.push(one)
    }
  return found
}

/** Selects mutations by words: a kind, an adapter, or a part of the name of a kind of fault. Returns all if there is no word. */
export const mutationsOf = ({ kind, mutations }: Planting, words: readonly string[]): Mutations => {
  const isWanted = (sort: string, adapter: string) =>
    words.length === 0 || words.some((word) => word === kind || word === adapter || sort.includes(word))
  const some = Object.entries(mutations).map(([sort, own]) => [sort, own.filter(([adapter]) => isWanted(sort, adapter))] as const)
  return Object.fromEntries(some.filter(([, own]) => own.length > 0))
}

/** Returns one fault of each of `sampleSize` kinds of fault, so that a run takes seconds. */
export function sampleOf({ mutations, sampleSize }: Planting): Mutations {
  const sorts = Object.entries(mutations)
  const step = Math.floor(sorts.length / sampleSize)
  return Object.fromEntries(
    sorts
      .filter((_, at) => at % step === 0)
      .slice(0, sampleSize)
      .map(([sort, [first]]) => [sort, [first!]]),
  )
}
