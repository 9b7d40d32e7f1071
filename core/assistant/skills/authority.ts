import type { Context } from '../../context.ts'
import { storeIdOf } from '../../data/project-ids.ts'
import { callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import { personIdOf } from '../../http/auth/principal.ts'
import type { OperationAccess } from '../../http/openapi/operation.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { findSkill, type SkillRow } from './skills.queries.ts'

/**
 * Elysia macro that resolves the `id` of the path to a skill. The author needs access to its store; `read` also allows published skills of
 * others. Throws `not_found`.
 */
export const skillAccess =
  ({ sql }: Pick<Context, 'sql'>) =>
  (purpose: 'read' | 'change') => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ skill: SkillRow }> => {
      const caller = callerOf(asked)
      const skill = await findSkill(sql, pathIdOf(asked))
      const isOwn = skill?.userId === personIdOf(caller)
      if (!skill || !(isOwn || (purpose === 'read' && skill.publishedVersion !== null))) throw notFound('The skill')
      if (isOwn) await accessStore({ sql }, caller, storeIdOf(skill.projectId), ['viewer', 'stores:read'])
      return { skill }
    },
    detail: { 'x-role': 'viewer', 'x-permission': 'stores:read' } as OperationAccess,
  })
