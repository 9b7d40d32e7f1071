import { projectIdOf } from '../../../data/project-ids.ts'
import { expectOne, type Queryable, type Tx } from '../../../data/sql.ts'
import { lowestIdAt } from '../../../lib/ids.ts'
import type { LimitedResource } from '../../../shop/stores/limited-resources.model.ts'
import type { Period } from '../periods/periods.ts'

/** Acquires an advisory lock until the transaction ends, so that changes of this kind to a store run one at a time. */
export const lockGrowth = async (sql: Tx, storeId: string, what: LimitedResource) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${what} of ${storeId}`}, 0))`
}

type Count = (sql: Queryable, storeId: string) => Promise<readonly { readonly count: number }[]>

const counts: Readonly<Record<LimitedResource, Count>> = {
  products: (sql, storeId) =>
    sql`select count(*)::int as count from products where project_id = ${projectIdOf(storeId)} and deleted_at is null`,
  members: (sql, storeId) => sql`select count(*)::int as count from store_members where store_id = ${storeId}`,
  domains: (sql, storeId) => sql`select count(*)::int as count from store_domains where store_id = ${storeId}`,
}

/** Counts a store's products, members or domains. */
export const countLimitedResource = async (sql: Queryable, storeId: string, what: LimitedResource) =>
  expectOne(await counts[what](sql, storeId)).count

/** Counts orders that were created in a period, whatever their status. */
export const countOrders = async (sql: Queryable, storeId: string, { start, end }: Period) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from orders
      where project_id = ${projectIdOf(storeId)} and id >= ${lowestIdAt('ord', start)} and id < ${lowestIdAt('ord', end)}`,
  ).count
