import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { Data, Id } from '../../http/schema.ts'
import { ofAsker } from './authority.ts'
import { confirm } from './confirm.ts'
import { Proposal } from './proposals.model.ts'
import { present, reject } from './proposals.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Chat'], summary, operationId })
const ById = T.Object({ id: Id })

/** Routes to read, confirm and reject proposals of the assistant. */
export const proposals = (context: Context) =>
  new Elysia({ name: 'proposals', prefix: '/v1/chat/proposals' })
    .use(context.auth)
    .macro('proposal', ofAsker(context))
    .get('/:id', ({ proposal }) => ({ data: present(proposal) }), {
      proposal: true,
      params: ById,
      response: Data(Proposal),
      detail: describe('Read a proposal: the current state and the proposed one', 'getProposal'),
    })
    .post('/:id/confirm', async ({ proposal, caller }) => ({ data: await confirm(context, caller, proposal) }), {
      proposal: true,
      params: ById,
      response: Data(Proposal),
      detail: describe('Confirm a proposal; it is applied with your current rights', 'confirmProposal'),
    })
    .post('/:id/reject', async ({ proposal }) => ({ data: await reject(context, proposal) }), {
      proposal: true,
      params: ById,
      response: Data(Proposal),
      detail: describe('Reject a proposal', 'rejectProposal'),
    })
