import type { Platform } from '../support/platforms.ts'
import { type Catch, caught, type Mutation, type Mutations, planted } from './plant.ts'
import { reading } from './reading.ts'
import { sending } from './sending.ts'
import { wire } from './wire.ts'

/** Every sort of fault that the suite must catch, each planted into several of our own adapters. */
export const mutations: Mutations = { ...sending, ...reading, ...wire }

export interface Planted {
  readonly sort: string
  readonly mutation: Mutation
  /** The case that caught it; undefined where none did. */
  readonly by: Catch | undefined
}

/** Plants one after the other and runs the suite against each. */
export async function allCaught(
  platforms: readonly Platform[],
  wanted: Mutations,
  isWanted: (sort: string, adapter: string) => boolean = () => true,
  told: (one: Planted) => void = () => {},
): Promise<Planted[]> {
  const found: Planted[] = []
  for (const [sort, own] of Object.entries(wanted)) {
    for (const mutation of own.filter(([adapter]) => isWanted(sort, adapter))) {
      const platform = platforms.find(({ folder }) => folder === mutation[0])
      const [first] = await planted(mutation)
      const one = { sort, mutation, by: await caught(first!, platform!.rigOf, !(sort in sending)) }
      told(one)
      found.push(one)
    }
  }
  return found
}
