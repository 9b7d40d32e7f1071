import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { personIdOf } from '../../http/auth/principal.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { findProposal, type ProposalRow } from './proposals.queries.ts'

/**
 * Elysia macro that resolves the `id` of the path to a proposal made to the caller, and checks their access to its store. Throws
 * `not_found` for a proposal made to another user.
 */
export const proposalAccess =
  ({ sql }: Pick<Context, 'sql'>) =>
  (_: true) => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ proposal: ProposalRow }> => {
      const caller = callerOf(asked)
      const proposal = await findProposal(sql, pathIdOf(asked))
      if (!proposal || proposal.userId !== personIdOf(caller)) throw notFound('The proposal')
      await accessStore({ sql }, caller, storeIdOf(proposal.projectId), ['viewer', 'stores:read'])
      return { proposal }
    },
    detail: { 'x-role': 'viewer', 'x-permission': 'stores:read' } as OperationAccess,
  })
