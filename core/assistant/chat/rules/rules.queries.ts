import { expectOne, type Queryable, row, type Tx } from '../../../data/sql.ts'
import type { Rule } from '../chat.model.ts'

export interface RuleRow extends Omit<Rule, 'shared'> {
  readonly userId: string | null
}

export const holdRulesOf = (sql: Tx, storeId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chat rules of ${storeId}`}, 0))`

export const countRules = async (sql: Queryable, storeId: string, userId: string | null) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_rules
      where store_id = ${storeId} and user_id is not distinct from ${userId}`,
  ).count

export const insertRule = async (sql: Queryable, of: Pick<RuleRow, 'storeId' | 'id' | 'userId' | 'name' | 'text' | 'paths' | 'enabled'>) =>
  expectOne(await sql<RuleRow[]>`insert into chat_rules ${row(sql, of)} returning *`)

export const findRule = async (sql: Queryable, id: string) => (await sql<RuleRow[]>`select * from chat_rules where id = ${id}`)[0]

/** A person's own and the whole store's, oldest first. */
export const listRules = (sql: Queryable, storeId: string, userId: string, after: string | null, take: number) =>
  sql<RuleRow[]>`select * from chat_rules where store_id = ${storeId} and (user_id is null or user_id = ${userId})
    ${after === null ? sql`` : sql`and id > ${after}`} order by id limit ${take}`

/** Undefined where it is gone by now. */
export const updateRule = async (sql: Queryable, id: string, change: Partial<Pick<RuleRow, 'name' | 'text' | 'paths' | 'enabled'>>) =>
  (await sql<RuleRow[]>`update chat_rules set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)[0]

export const deleteRule = (sql: Queryable, id: string) => sql`delete from chat_rules where id = ${id}`
