import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id } from '../../http/schema.ts'
import { proposalAccess } from './authority.ts'
import { confirmProposal } from './confirm.ts'
import { Proposal } from './proposals.model.ts'
import { presentProposal, rejectProposal } from './proposals.ts'

const describe = tagOperations('Chat')
const ById = T.Object({ id: Id })

/** Routes to read, confirm and reject proposals of the assistant. */
export const proposals = (context: Context) =>
  new Elysia({ name: 'proposals', prefix: '/v1/chat/proposals' })
    .use(context.auth)
    .macro('proposal', proposalAccess(context))
    .get('/:id', ({ proposal }) => ({ data: presentProposal(proposal) }), {
      proposal: true,
      params: ById,
      response: Data(Proposal),
      detail: describe('Read a proposal: the current state and the proposed one', 'getProposal'),
    })
    .post('/:id/confirm', async ({ proposal, caller }) => ({ data: await confirmProposal(context, caller, proposal) }), {
      proposal: true,
      params: ById,
      response: Data(Proposal),
      detail: describe('Confirm a proposal; it is applied with your current rights', 'confirmProposal'),
    })
    .post('/:id/reject', async ({ proposal }) => ({ data: await rejectProposal(context, proposal) }), {
      proposal: true,
      params: ById,
      response: Data(Proposal),
      detail: describe('Reject a proposal', 'rejectProposal'),
    })
