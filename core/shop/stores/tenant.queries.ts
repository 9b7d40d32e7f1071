import type { Queryable } from '../../data/sql.ts'

/** Returns true where the public may see the store. */
export const isVisibleStore = async (sql: Queryable, storeId: string) =>
  (await sql`select 1 from shown_stores where id = ${storeId}`).length > 0

/** Lists the ids of a tenant's stores in one order, so that locks on them do not deadlock. */
export const listStoresOfTenant = (sql: Queryable, tenantId: number) =>
  sql<{ id: string }[]>`select s.id from stores s join projects p on p.id = s.project_id
    where p.tenant_id = ${tenantId} and s.deleted_at is null order by s.id`
