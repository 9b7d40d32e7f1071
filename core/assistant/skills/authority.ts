import type { Context } from '../../context.ts'
import { callerOf, idOf } from '../../http/auth/auth.ts'
import { personIdOf } from '../../http/auth/principal.ts'
import { notFound } from '../../http/errors/errors.ts'
import type { Authority } from '../../http/openapi/openapi.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { findSkill, type SkillRow } from './skills.queries.ts'

/** A macro for a skill that the path names: its author's, in a store that he is in; what is published anybody may read. */
export const ofAuthor =
  ({ sql }: Pick<Context, 'sql'>) =>
  (what: 'read' | 'change') => ({
    user: true as const,
    resolve: async (asked: object): Promise<{ skill: SkillRow }> => {
      const caller = callerOf(asked)
      const skill = await findSkill(sql, idOf(asked))
      const isOwn = skill?.userId === personIdOf(caller)
      if (!skill || !(isOwn || (what === 'read' && skill.publishedVersion !== null))) throw notFound('The skill')
      if (isOwn) await accessStore({ sql }, caller, skill.storeId, ['viewer', 'stores:read'])
      return { skill }
    },
    detail: { 'x-role': 'viewer', 'x-permission': 'stores:read' } as Authority,
  })
