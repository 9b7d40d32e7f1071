import { expectOne, type Queryable, type Tx } from '../../data/sql.ts'

/** Holds them. */
export const lockOwned = async (sql: Tx, ownerId: string) =>
  (await sql<{ id: number }[]>`select id from tenants where owner_id = ${ownerId} order by id for update`).map(({ id }) => id)

export const nameOwned = async (sql: Queryable, ownerId: string, most: number) =>
  (
    await sql<{ name: string }[]>`select name from tenants where owner_id = ${ownerId} and deletes_at is null order by id limit ${most}`
  ).map(({ name }) => name)

export async function giveOwned(sql: Tx, tenantIds: readonly number[], fromId: string, toId: string) {
  const ids = tenantIds as number[]
  await sql`update tenants set owner_id = ${toId}, updated_at = now() where id = any(${ids})`
  await sql`delete from tenant_members where tenant_id = any(${ids}) and user_id = ${toId}`
  await sql`insert into tenant_members (tenant_id, user_id, role) select unnest(${ids}::integer[]), ${fromId}, 'admin'
    on conflict (tenant_id, user_id) do update set role = 'admin'`
}

/** All but their owner leave. */
export const leaveToOwner = (sql: Tx, tenantIds: readonly number[]) =>
  sql`delete from tenant_members where tenant_id = any(${tenantIds as number[]})`

export const countOwned = async (sql: Queryable, ownerId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from tenants where owner_id = ${ownerId}`).count

/** The projects whose people he is one of no longer. */
export const leaveTenants = async (sql: Tx, userId: string) =>
  (await sql<{ tenantId: number }[]>`delete from tenant_members where user_id = ${userId} returning tenant_id`).map(
    ({ tenantId }) => tenantId,
  )
