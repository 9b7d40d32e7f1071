import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { transaction } from '../../data/sql.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { builtInTools } from './built-in.ts'
import { findProposedTool, previewCall } from './external-calls.ts'
import type { Proposal } from './proposals.model.ts'
import { type ProposalRow, recordProposalResult } from './proposals.queries.ts'
import { acceptProposal, presentProposal } from './proposals.ts'
import type { BuiltInTool } from './tool.ts'
import { toolErrors } from './tools.errors.ts'

/**
 * Applies a proposal once, with the current rights of the caller. Throws `conflict` when it is decided already, or when the subject has
 * changed since the proposal was shown.
 */
export function confirmProposal(context: Context, caller: Principal, proposal: ProposalRow): Promise<Proposal> {
  const tool = Object.hasOwn(builtInTools, proposal.tool) ? builtInTools[proposal.tool] : undefined
  return tool ? applyChange(context, caller, proposal, tool) : callExternalTool(context, proposal)
}

async function applyChange(context: Context, caller: Principal, proposal: ProposalRow, tool: BuiltInTool): Promise<Proposal> {
  const { apply, preview, lock } = tool
  if (!apply || !preview || !lock) throw toolErrors.toolReadOnly()
  const store = await accessStore(context, caller, storeIdOf(proposal.projectId), tool.right)
  const { arguments: args, before } = proposal
  return transaction(context.sql, async (tx) => {
    const decided = await acceptProposal(tx, proposal)
    const now = await lock(tx, store, args)
    if (!isAsShown(before, (await preview(tx, now, args)).before)) throw toolErrors.proposalOutdated()
    await apply(tx, now, args)
    return presentProposal(decided)
  })
}

/** Calls the tool of an MCP server. Commits the confirmation first, because the call is made at most once. */
async function callExternalTool(context: Context, proposal: ProposalRow): Promise<Proposal> {
  const { tool, args } = await findProposedTool(context, proposal)
  if (!isAsShown(proposal.after, previewCall(tool, args).after)) throw toolErrors.proposalOutdated()
  await transaction(context.sql, (tx) => acceptProposal(tx, proposal))
  // Does not depend on the request: a client that disconnects has confirmed all the same.
  const { text, failed } = await tool.call(args, new AbortController().signal)
  const recorded = await recordProposalResult(context.sql, proposal, { text: text.replaceAll('\0', ''), failed })
  if (!recorded) throw notFound('The proposal')
  return presentProposal(recorded)
}

/** Compares the state shown with the current one, both as JSON. */
const isAsShown = (shown: object, now: object) => Bun.deepEquals(shown, JSON.parse(JSON.stringify(now)))
