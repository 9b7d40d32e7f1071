import type { Queryable } from '../../data/sql.ts'
import { asData } from './call.ts'
import { listProposals, type ProposalRow } from './proposals.queries.ts'

export interface Outcome {
  readonly text: string
  readonly failed: boolean
}

/** What became of these proposals, as models are told of it; without those that still wait. */
export async function outcomesOf(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
  if (ids.length === 0) return new Map()
  const rows = new Map((await listProposals(sql, ids)).map((row) => [row.id, row]))
  return new Map(
    ids.flatMap((id) => {
      const row = rows.get(id)
      return row?.state === 'open' ? [] : [[id, row ? outcomeOf(row) : forgotten(id)]]
    }),
  )
}

const outcomeOf = ({ id, state, before, after, result, failed }: ProposalRow): Outcome => ({
  text: asData({ proposalId: id, state, before, after, ...(result !== null && { result }) }),
  failed: failed ?? false,
})

const forgotten = (id: string): Outcome => ({
  text: asData({ proposalId: id, state: 'long ago, and waits no more; whether it was confirmed is not known. Look how it is now.' }),
  failed: false,
})
