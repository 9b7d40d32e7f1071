import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { Rule } from '../chat.model.ts'

/** Row of `chat_rules`. `userId` is null for a rule that the whole store shares. */
export interface RuleRow extends Omit<Rule, 'shared' | 'storeId'> {
  readonly projectId: string
  readonly userId: string | null
}

/** Locks the rules of a project against inserts, until the transaction ends (advisory lock). */
export const lockRulesOfProject = (sql: Tx, projectId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chat rules of ${projectId}`}, 0))`

/** Counts the rules of a user in a project, or with null those that the store shares. */
export const countRules = async (sql: Queryable, projectId: string, userId: string | null) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_rules
      where project_id = ${projectId} and user_id is not distinct from ${userId}`,
  ).count

/** Inserts a rule. */
export const insertRule = async (
  sql: Queryable,
  of: Pick<RuleRow, 'projectId' | 'id' | 'userId' | 'name' | 'text' | 'paths' | 'enabled'>,
) => expectOne(await sql<RuleRow[]>`insert into chat_rules ${rowValues(sql, of)} returning *`)

/** Columns that identify a rule. */
export type RuleKey = Pick<RuleRow, 'projectId' | 'id'>

/** Finds a rule by its id alone, as requests name it. Uses a plain index. */
export const findRule = async (sql: Queryable, id: string) => (await sql<RuleRow[]>`select * from chat_rules where id = ${id}`)[0]

/** Lists the rules of a user and those that the store shares, oldest first, after a rule if one is given. */
export const listRules = (sql: Queryable, projectId: string, userId: string, after: string | null, take: number) =>
  sql<RuleRow[]>`select * from chat_rules where project_id = ${projectId} and (user_id is null or user_id = ${userId})
    ${after === null ? sql`` : sql`and id > ${after}`} order by id limit ${take}`

/** Updates a rule and its `updated_at`. Returns undefined when it was deleted. */
export const updateRule = async (
  sql: Queryable,
  { projectId, id }: RuleKey,
  change: Partial<Pick<RuleRow, 'name' | 'text' | 'paths' | 'enabled'>>,
) =>
  (
    await sql<RuleRow[]>`update chat_rules set ${rowValues(sql, { ...change, updatedAt: new Date() })}
      where project_id = ${projectId} and id = ${id} returning *`
  )[0]

/** Deletes a rule. */
export const deleteRule = (sql: Queryable, { projectId, id }: RuleKey) =>
  sql`delete from chat_rules where project_id = ${projectId} and id = ${id}`
