import type { Queryable } from '../../data/sql.ts'

/** Whether the tenant that the store belongs to is being deleted. */
export const leavesWithTenant = async (sql: Queryable, storeId: string) =>
  (
    await sql`select 1 from stores s join projects p on p.id = s.project_id join tenants t on t.id = p.tenant_id
      where s.id = ${storeId} and t.deletes_at is not null`
  ).length > 0

export const isShownStore = async (sql: Queryable, storeId: string) =>
  (await sql`select 1 from shown_stores where id = ${storeId}`).length > 0

export const listStoresOfTenant = (sql: Queryable, tenantId: number) =>
  sql<{ id: string }[]>`select s.id from stores s join projects p on p.id = s.project_id
    where p.tenant_id = ${tenantId} and s.deleted_at is null order by s.id`
