import type { Queryable, Tx } from '../../../data/sql.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { type NewRule, RULES_MAX, type Rule, type RuleChange } from '../chat.model.ts'
import { countRules, holdRulesOf, insertRule, listRules, type RuleRow, updateRule } from './rules.queries.ts'

export const presentRule = ({ userId, ...row }: RuleRow): Rule => ({
  id: row.id,
  storeId: row.storeId,
  shared: userId === null,
  name: row.name,
  text: row.text,
  paths: row.paths,
  enabled: row.enabled,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Throws `limit_reached`. */
export async function addRule(tx: Tx, person: string, { storeId, shared = false, paths = [], enabled = true, name, text }: NewRule) {
  const userId = shared ? null : person
  await holdRulesOf(tx, storeId)
  if ((await countRules(tx, storeId, userId)) >= RULES_MAX)
    throw new ApiError('limit_reached', `There may be ${RULES_MAX} rules. Delete one that is not needed any more.`)
  return presentRule(await insertRule(tx, { storeId, id: newId('rul'), userId, name, text, paths, enabled }))
}

/** Throws `not_found` where somebody has deleted it meanwhile. */
export async function changeRule(sql: Queryable, id: string, change: RuleChange): Promise<Rule> {
  const changed = await updateRule(sql, id, change)
  if (!changed) throw notFound('The rule')
  return presentRule(changed)
}

/** What holds here: the store's rules first, then the person's own. */
export async function rulesFor(sql: Queryable, storeId: string, userId: string, path: string | null): Promise<readonly string[]> {
  const rows = await listRules(sql, storeId, userId, null, 2 * RULES_MAX)
  const holds = rows.filter(({ enabled, paths }) => enabled && (paths.length === 0 || paths.some((glob) => isOf(path, glob))))
  return holds.toSorted((a, b) => Number(a.userId !== null) - Number(b.userId !== null)).map(({ text }) => text)
}

/** A glob that no path can make slow: it is looked through by the platform's own matcher. */
const isOf = (path: string | null, glob: string) => path !== null && new Bun.Glob(glob).match(path)
