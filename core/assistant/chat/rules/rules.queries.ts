import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { Rule } from '../chat.model.ts'

/** Row of `chat_rules`. `userId` is null for a rule that the whole store shares. */
export interface RuleRow extends Omit<Rule, 'shared'> {
  readonly userId: string | null
}

/** Locks the rules of a store against inserts, until the transaction ends (advisory lock). */
export const lockRulesOfStore = (sql: Tx, storeId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chat rules of ${storeId}`}, 0))`

/** Counts the rules of a user in a store, or with null those that the store shares. */
export const countRules = async (sql: Queryable, storeId: string, userId: string | null) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_rules
      where store_id = ${storeId} and user_id is not distinct from ${userId}`,
  ).count

/** Inserts a rule. */
export const insertRule = async (sql: Queryable, of: Pick<RuleRow, 'storeId' | 'id' | 'userId' | 'name' | 'text' | 'paths' | 'enabled'>) =>
  expectOne(await sql<RuleRow[]>`insert into chat_rules ${rowValues(sql, of)} returning *`)

/** Finds a rule by id. */
export const findRule = async (sql: Queryable, id: string) => (await sql<RuleRow[]>`select * from chat_rules where id = ${id}`)[0]

/** Lists the rules of a user and those that the store shares, oldest first, after a rule if one is given. */
export const listRules = (sql: Queryable, storeId: string, userId: string, after: string | null, take: number) =>
  sql<RuleRow[]>`select * from chat_rules where store_id = ${storeId} and (user_id is null or user_id = ${userId})
    ${after === null ? sql`` : sql`and id > ${after}`} order by id limit ${take}`

/** Updates a rule and its `updated_at`. Returns undefined when it was deleted. */
export const updateRule = async (sql: Queryable, id: string, change: Partial<Pick<RuleRow, 'name' | 'text' | 'paths' | 'enabled'>>) =>
  (await sql<RuleRow[]>`update chat_rules set ${rowValues(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)[0]

/** Deletes a rule. */
export const deleteRule = (sql: Queryable, id: string) => sql`delete from chat_rules where id = ${id}`
