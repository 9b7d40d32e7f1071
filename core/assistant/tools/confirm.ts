import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { houseTools } from './built-in.ts'
import { draftOfCall, findProposed } from './others.ts'
import type { Proposal } from './proposals.model.ts'
import { noteResult, type ProposalRow } from './proposals.queries.ts'
import { accept, present } from './proposals.ts'
import type { HouseTool } from './tool.ts'

/**
 * Does what was proposed, once, with the rights that its person has now. Throws `conflict` where it is decided already, or is not any more as
 * it was shown.
 */
export function confirm(context: Context, caller: Principal, proposal: ProposalRow): Promise<Proposal> {
  const tool = Object.hasOwn(houseTools, proposal.tool) ? houseTools[proposal.tool] : undefined
  return tool ? change(context, caller, proposal, tool) : callOut(context, proposal)
}

async function change(context: Context, caller: Principal, proposal: ProposalRow, tool: HouseTool): Promise<Proposal> {
  const { act, draft, hold } = tool
  if (!act || !draft || !hold) throw new ApiError('conflict', 'This can no longer be done. Ask the assistant anew.')
  const store = await accessStore(context, caller, proposal.storeId, tool.right)
  const { arguments: args, before } = proposal
  return transaction(context.sql, async (tx) => {
    const decided = await accept(tx, proposal.id)
    const now = await hold(tx, store, args)
    if (!isAsShown(before, (await draft(tx, now, args)).before)) throw changed()
    await act(tx, now, args)
    return present(decided)
  })
}

/** The yes is kept before the call, which is not made again whatever becomes of it. */
async function callOut(context: Context, proposal: ProposalRow): Promise<Proposal> {
  const { tool, args } = await findProposed(context, proposal)
  if (!isAsShown(proposal.after, draftOfCall(tool, args).after)) throw changed()
  await transaction(context.sql, (tx) => accept(tx, proposal.id))
  // Who goes away meanwhile has said yes all the same.
  const { text, failed } = await tool.call(args, new AbortController().signal)
  const noted = await noteResult(context.sql, proposal.id, { text: text.replaceAll('\0', ''), failed })
  if (!noted) throw notFound('The proposal')
  return present(noted)
}

const changed = () => new ApiError('conflict', 'Somebody has changed it since this was proposed. Nothing was done; ask the assistant anew.')

/** As JSON holds it. */
const isAsShown = (shown: object, now: object) => Bun.deepEquals(shown, JSON.parse(JSON.stringify(now)))
