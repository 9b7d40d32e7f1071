import { projectIdOf } from '../../data/project-ids.ts'
import type { Queryable } from '../../data/sql.ts'
import { ordersToSearch, PHONES } from './search-rows.queries.ts'

/** Orders of tags that a list reads one by one. More are found sooner by reading the list in its order. */
const FEW = 2_000

const idsOfTags = (sql: Queryable, storeId: string, tags: readonly string[]) =>
  sql`select order_id from order_tags where project_id = ${projectIdOf(storeId)} and tag = any (${tags as string[]})`

/** Returns true if few orders of a store have one of these tags. */
export const hasFewTagged = async (sql: Queryable, storeId: string, tags: readonly string[]): Promise<boolean> =>
  (await sql`${idsOfTags(sql, storeId, tags)} offset ${FEW} limit 1`).length === 0

/** Selects the orders with one of these tags, each once, with the columns of `order_search` and both phone numbers. */
export const taggedOrders = (sql: Queryable, storeId: string, tags: readonly string[]) => sql`(
  select distinct order_id from (${idsOfTags(sql, storeId, tags)} offset 0) tagged) p
  cross join lateral (
    ${ordersToSearch(sql, PHONES)} and o.project_id = ${projectIdOf(storeId)} and o.id = p.order_id offset 0) o`
