import type { Queryable } from '../../data/sql.ts'
import { asData } from './call.ts'
import { listDecided } from './proposals.queries.ts'

export interface Outcome {
  readonly text: string
  readonly failed: boolean
}

/** What became of these proposals, as models are told of it; without those that still wait. */
export async function outcomesOf(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
  if (ids.length === 0) return new Map()
  const decided = await listDecided(sql, ids)
  return new Map(
    decided.map(({ id, state, before, after, result, failed }) => [
      id,
      { text: asData({ proposalId: id, state, before, after, ...(result !== null && { result }) }), failed: failed ?? false },
    ]),
  )
}
