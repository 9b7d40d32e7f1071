import { expectOne, type Queryable, type Tx } from '../../data/sql.ts'

/** Locks the tenants of an owner until the transaction ends, and returns their ids. */
export const lockOwnedTenants = async (sql: Tx, ownerId: string) =>
  (await sql<{ id: number }[]>`select id from tenants where owner_id = ${ownerId} order by id for update`).map(({ id }) => id)

/** Lists the names of the tenants of an owner, oldest first, without those that are being deleted. */
export const listOwnedTenantNames = async (sql: Queryable, ownerId: string, most: number) =>
  (
    await sql<{ name: string }[]>`select name from tenants where owner_id = ${ownerId} and deletes_at is null order by id limit ${most}`
  ).map(({ name }) => name)

/** Transfers tenants to another user. The previous owner becomes an admin of them. */
export async function transferTenants(sql: Tx, tenantIds: readonly number[], fromId: string, toId: string) {
  const ids = tenantIds as number[]
  await sql`update tenants set owner_id = ${toId}, updated_at = now() where id = any(${ids})`
  await sql`delete from tenant_members where tenant_id = any(${ids}) and user_id = ${toId}`
  await sql`insert into tenant_members (tenant_id, user_id, role) select unnest(${ids}::integer[]), ${fromId}, 'admin'
    on conflict (tenant_id, user_id) do update set role = 'admin'`
}

/** Removes all members of tenants except the owner. */
export const deleteAllMembers = (sql: Tx, tenantIds: readonly number[]) =>
  sql`delete from tenant_members where tenant_id = any(${tenantIds as number[]})`

/** Counts the tenants of an owner, including those that are being deleted. */
export const countOwnedTenants = async (sql: Queryable, ownerId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from tenants where owner_id = ${ownerId}`).count

/** Removes a user from all tenants of which they are a member. Returns the ids of the tenants. */
export const deleteMembershipsOfUser = async (sql: Tx, userId: string) =>
  (await sql<{ tenantId: number }[]>`delete from tenant_members where user_id = ${userId} returning tenant_id`).map(
    ({ tenantId }) => tenantId,
  )
