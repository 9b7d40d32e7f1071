import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Proposal } from './proposals.model.ts'
import { decideProposal, insertProposal, lockProposal, type ProposalKey, type ProposalRow } from './proposals.queries.ts'
import type { ChangePreview } from './tool.ts'
import { toolErrors } from './tools.errors.ts'

/** API view of a proposal; leaves out the user, the generation and the arguments. */
export const presentProposal = ({ userId: _, generationId: __, arguments: ___, ...row }: ProposalRow): Proposal => ({
  id: row.id,
  storeId: storeIdOf(row.projectId),
  tool: row.tool,
  thing: row.thing,
  before: row.before,
  after: row.after,
  state: row.state,
  createdAt: row.createdAt,
  decidedAt: row.decidedAt,
  result: row.result,
  failed: row.failed,
})

interface NewProposal {
  readonly projectId: string
  readonly userId: string
  readonly generationId: string
  readonly tool: string
  readonly args: unknown
}

/** Stores an open proposal with its draft. */
export const createProposal = ({ sql }: Pick<Context, 'sql'>, { args, ...of }: NewProposal, draft: ChangePreview): Promise<ProposalRow> =>
  insertProposal(sql, { ...of, ...draft, id: newId('prp'), arguments: args })

/**
 * Marks an open proposal confirmed. Throws `conflict` when it is decided already, `not_found` when it was deleted with its store or user.
 */
export async function acceptProposal(tx: Tx, key: ProposalKey): Promise<ProposalRow> {
  await assertOpen(tx, key)
  return decideProposal(tx, key, 'confirmed')
}

/** Marks an open proposal rejected. Throws as `acceptProposal` does. */
export const rejectProposal = ({ sql }: Pick<Context, 'sql'>, proposal: ProposalRow): Promise<Proposal> =>
  transaction(sql, async (tx) => {
    await assertOpen(tx, proposal)
    return presentProposal(await decideProposal(tx, proposal, 'rejected'))
  })

async function assertOpen(tx: Tx, key: ProposalKey): Promise<void> {
  const proposal = await lockProposal(tx, key)
  if (!proposal) throw notFound('The proposal')
  if (proposal.state !== 'open') throw toolErrors.proposalDecided({ state: proposal.state })
}
