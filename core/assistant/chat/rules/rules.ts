import { projectIdOf, storeIdOf } from '../../../data/project-ids.ts'
import type { Queryable, Tx } from '../../../data/sql.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { chatErrors } from '../chat.errors.ts'
import { type NewRule, RULES_MAX, type Rule, type RuleChange } from '../chat.model.ts'
import { countRules, insertRule, listRules, lockRulesOfProject, type RuleKey, type RuleRow, updateRule } from './rules.queries.ts'

/** API view of a rule. */
export const presentRule = ({ userId, ...row }: RuleRow): Rule => ({
  id: row.id,
  storeId: storeIdOf(row.projectId),
  shared: userId === null,
  name: row.name,
  text: row.text,
  paths: row.paths,
  enabled: row.enabled,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Adds a rule of the user, or a shared one. Throws `limit_reached`. */
export async function addRule(tx: Tx, creatorId: string, { storeId, shared = false, paths = [], enabled = true, name, text }: NewRule) {
  const userId = shared ? null : creatorId
  const projectId = projectIdOf(storeId)
  await lockRulesOfProject(tx, projectId)
  if ((await countRules(tx, projectId, userId)) >= RULES_MAX) throw chatErrors.tooManyRules({ rulesMax: RULES_MAX })
  return presentRule(await insertRule(tx, { projectId, id: newId('rul'), userId, name, text, paths, enabled }))
}

/** Changes a rule. Throws `not_found` when it was deleted meanwhile. */
export async function changeRule(sql: Queryable, key: RuleKey, change: RuleChange): Promise<Rule> {
  const changed = await updateRule(sql, key, change)
  if (!changed) throw notFound('The rule')
  return presentRule(changed)
}

/** Returns the texts of the enabled rules that apply to a path: shared rules first, then those of the user. */
export async function listRuleTexts(sql: Queryable, projectId: string, userId: string, path: string | null): Promise<readonly string[]> {
  const rows = await listRules(sql, projectId, userId, null, 2 * RULES_MAX)
  const applicable = rows.filter(({ enabled, paths }) => enabled && (paths.length === 0 || paths.some((glob) => matchesGlob(path, glob))))
  return applicable.toSorted((a, b) => Number(a.userId !== null) - Number(b.userId !== null)).map(({ text }) => text)
}

/** Matches a path with Bun's own glob matcher, which no pattern can make slow. */
const matchesGlob = (path: string | null, glob: string) => path !== null && new Bun.Glob(glob).match(path)
