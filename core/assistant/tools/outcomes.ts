import type { Queryable } from '../../data/sql.ts'
import { wrapData } from './call-tool.ts'
import { listProposals, type ProposalRow } from './proposals.queries.ts'

/** State of a proposal as text for a model. */
export interface ProposalOutcome {
  readonly text: string
  readonly failed: boolean
}

/** Returns the outcome of each decided proposal by id; open proposals are left out. A deleted proposal has an outcome that says so. */
export async function outcomesOf(sql: Queryable, projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ProposalOutcome>> {
  if (ids.length === 0) return new Map()
  const rows = new Map((await listProposals(sql, projectId, ids)).map((row) => [row.id, row]))
  return new Map(
    ids.flatMap((id) => {
      const row = rows.get(id)
      return row?.state === 'open' ? [] : [[id, row ? outcomeOf(row) : deletedOutcome(id)]]
    }),
  )
}

const outcomeOf = ({ id, state, before, after, result, failed }: ProposalRow): ProposalOutcome => ({
  text: wrapData({ proposalId: id, state, before, after, ...(result !== null && { result }) }),
  failed: failed ?? false,
})

const deletedOutcome = (id: string): ProposalOutcome => ({
  text: wrapData({ proposalId: id, state: 'expired: whether it was confirmed is no longer known. Read the current state.' }),
  failed: false,
})
