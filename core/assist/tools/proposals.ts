import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { ApiError } from '../../http/errors.ts'
import type { Principal } from '../../http/principal.ts'
import { newId } from '../../lib/ids.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { houseTools } from './house.ts'
import type { Proposal } from './proposals.model.ts'
import { decideProposal, insertProposal, lockProposal, type ProposalRow } from './proposals.queries.ts'
import type { Draft } from './tool.ts'

export const present = ({ id, storeId, tool, thing, before, after, state, createdAt, decidedAt }: ProposalRow): Proposal => ({
  id,
  storeId,
  tool,
  thing,
  before,
  after,
  state,
  createdAt,
  decidedAt,
})

interface Proposed {
  readonly storeId: string
  readonly userId: string
  readonly generationId: string
  readonly tool: string
  readonly args: unknown
}

/** Writes down what the assistant would change. */
export const propose = ({ sql }: Pick<Context, 'sql'>, { args, ...of }: Proposed, draft: Draft): Promise<ProposalRow> =>
  insertProposal(sql, { ...of, ...draft, id: newId('prp'), arguments: args })

/**
 * Does what was proposed, once, with the rights that its person has now. Throws `conflict` where it is decided already, or is not any more as
 * it was shown.
 */
export async function confirm(context: Context, caller: Principal, proposal: ProposalRow): Promise<Proposal> {
  const tool = houseTools[proposal.tool]
  if (!tool?.act || !tool.draft) throw new ApiError('conflict', 'This can no longer be done. Ask the assistant anew.')
  const store = await accessStore(context, caller, proposal.storeId, tool.right)
  const { act, draft, hold } = tool
  return transaction(context.sql, async (tx) => {
    const { arguments: args, before } = await held(tx, proposal.id)
    const now = hold ? await hold(tx, store.id) : store
    if (!isAsShown(before, (await draft(tx, now, args)).before)) throw changed()
    const decided = await decideProposal(tx, proposal.id, 'confirmed')
    await act(tx, now, args)
    return present(decided)
  })
}

const changed = () => new ApiError('conflict', 'Somebody has changed it since this was proposed. Nothing was done; ask the assistant anew.')

/** As JSON holds it. */
const isAsShown = (shown: object, now: object) => Bun.deepEquals(shown, JSON.parse(JSON.stringify(now)))

/** Throws `conflict` where it is decided already. */
export const reject = ({ sql }: Pick<Context, 'sql'>, proposal: ProposalRow): Promise<Proposal> =>
  transaction(sql, async (tx) => {
    await held(tx, proposal.id)
    return present(await decideProposal(tx, proposal.id, 'rejected'))
  })

async function held(tx: Tx, id: string): Promise<ProposalRow> {
  const proposal = await lockProposal(tx, id)
  if (proposal.state !== 'open') throw new ApiError('conflict', `This was ${proposal.state} already.`)
  return proposal
}
