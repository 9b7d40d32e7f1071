import { ads } from './ads.ts'
import { carrier } from './carrier/all.ts'
import { type Catch, caught, trialOf } from './catch.ts'
import { connector } from './connector/all.ts'
import { model } from './model.ts'
import { caughtByOwnTests } from './own-tests.ts'
import { payment } from './payment/all.ts'
import { type Mutation, type Mutations, type Planting, planted } from './plant.ts'
import { social } from './social.ts'
import { spreadsheet } from './spreadsheet.ts'

/** The kinds of our own adapters, each with the sorts of fault that its suite must catch. */
export const plantings: readonly Planting[] = [carrier, payment, connector, spreadsheet, ads, social, model]

export interface Planted {
  readonly sort: string
  readonly mutation: Mutation
  /** The case that caught it; undefined where none did. */
  readonly by: Catch | undefined
}

/** Plants one after the other and runs the suite of the kind against each, and the adapter's own tests where that passes. */
export async function allCaught(
  { kind, isLate = () => false }: Planting,
  wanted: Mutations,
  told: (one: Planted) => void = () => {},
): Promise<Planted[]> {
  const found: Planted[] = []
  for (const [sort, own] of Object.entries(wanted))
    for (const mutation of own) {
      const [first] = await planted(kind, mutation)
      const bySuite = await caught(await trialOf(kind, mutation[0]), first!, { late: isLate(sort) })
      const one = { sort, mutation, by: bySuite ?? (await caughtByOwnTests(kind, mutation)) }
      told(one)
      found.push(one)
    }
  return found
}

/** Those whose kind or adapter is one of these words, or whose sort holds one; all where there is no word. */
export const mutationsOf = ({ kind, mutations }: Planting, words: readonly string[]): Mutations => {
  const isWanted = (sort: string, adapter: string) =>
    words.length === 0 || words.some((word) => word === kind || word === adapter || sort.includes(word))
  const some = Object.entries(mutations).map(([sort, own]) => [sort, own.filter(([adapter]) => isWanted(sort, adapter))] as const)
  return Object.fromEntries(some.filter(([, own]) => own.length > 0))
}

/** One of each of some sorts, so that a look costs seconds. */
export function usualOf({ mutations, usually }: Planting): Mutations {
  const sorts = Object.entries(mutations)
  const step = Math.floor(sorts.length / usually)
  return Object.fromEntries(
    sorts
      .filter((_, at) => at % step === 0)
      .slice(0, usually)
      .map(([sort, [first]]) => [sort, [first!]]),
  )
}
