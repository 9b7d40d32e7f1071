import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { authContextOf, callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { type Principal, personIdOf } from '../../http/auth/principal.ts'
import type { StoreRight } from '../../http/auth/scopes.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { type ConversationRow, findConversationById } from './chat.queries.ts'
import { findGenerationById, type GenerationRow } from './generation/generations.queries.ts'
import { findRule, type RuleRow } from './rules/rules.queries.ts'

/** Right to use conversations of a store. */
const USES: StoreRight = ['viewer', 'stores:read']
/** Right to change what a whole store shares. */
const CHANGES: StoreRight = ['admin', 'stores:write']
const declared = { 'x-role': 'viewer', 'x-permission': 'stores:read' } as OperationAccess

type Reads = Pick<Context, 'sql'>

/** Elysia macro that resolves the `id` of the path to a conversation of the caller. Throws `not_found` for one of another user. */
export const conversationAccess =
  ({ sql }: Reads) =>
  (_: true) => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ conversation: ConversationRow }> => {
      const caller = callerOf(asked)
      const conversation = await findConversationById(sql, pathIdOf(asked))
      if (!conversation || conversation.userId !== personIdOf(caller)) throw notFound('The conversation')
      await accessStore({ sql }, caller, storeIdOf(conversation.projectId), USES)
      return { conversation }
    },
    detail: declared,
  })

/**
 * Elysia macro that resolves `generationId` or `jobId` of the path to a generation of the caller. Throws `not_found` for one of another
 * user.
 */
export const generationAccess =
  ({ sql }: Reads) =>
  (_: true) => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ generation: GenerationRow }> => {
      const caller = callerOf(asked)
      const { generationId, jobId } = authContextOf(asked).params ?? {}
      const generation = await findGenerationById(sql, generationId ?? jobId ?? '')
      if (!generation || generation.userId !== personIdOf(caller)) throw notFound('The generation')
      await accessStore({ sql }, caller, storeIdOf(generation.projectId), USES)
      return { generation }
    },
    detail: declared,
  })

/**
 * Elysia macro that resolves the `id` of the path to a rule: the caller's own, or, for an admin, a shared one of the store. Throws
 * `not_found`.
 */
export const ruleAccess =
  ({ sql }: Reads) =>
  (_: true) => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ rule: RuleRow }> => {
      const caller = callerOf(asked)
      const rule = await findRule(sql, pathIdOf(asked))
      if (!rule || (rule.userId !== null && rule.userId !== personIdOf(caller))) throw notFound('The rule')
      await accessStore({ sql }, caller, storeIdOf(rule.projectId), rule.userId === null ? CHANGES : USES)
      return { rule }
    },
    detail: declared,
  })

/** Checks that the caller may manage the shared rules of a store. Throws `forbidden`. */
export const assertCanShareRules = (context: Reads, caller: Principal, storeId: string) => accessStore(context, caller, storeId, CHANGES)
