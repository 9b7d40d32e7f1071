import { containsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../data/keyset-page.ts'
import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import type { TenantLimitsChange, TenantListQuery, TenantMember, TenantRole } from './tenants.model.ts'

/** Tenant with its number of projects and the role of the caller. */
export interface TenantRow {
  readonly id: number
  readonly name: string
  readonly ownerId: string | null
  readonly limits: TenantLimitsChange
  readonly deletesAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly projects: number
  /** Role of the caller. */
  readonly role: TenantRole | null
}

/** Set of tenants that a caller may view: all, one, or those of a user. */
export interface TenantScope {
  readonly tenantId?: number | undefined
  readonly userId?: string | undefined
}

const columns = (sql: Queryable, callerId: string | null) => sql`
  t.id, t.name, t.owner_id, t.limits, t.deletes_at, t.created_at, t.updated_at,
  (select count(*)::int from projects p where p.tenant_id = t.id) as projects,
  case when t.owner_id = ${callerId} then 'owner'
    else (select m.role from tenant_members m where m.tenant_id = t.id and m.user_id = ${callerId}) end as role`

/** Finds a tenant by id. Returns undefined when its removal has started. */
export const findTenant = async (sql: Queryable, id: number, callerId: string | null) =>
  (await sql<TenantRow[]>`select ${columns(sql, callerId)} from tenants t where t.id = ${id} and not t.removing`)[0]

/** Locks a tenant until the transaction ends, so that requests that add to it or count what it has wait for each other. */
export const lockTenant = async (sql: Tx, id: number) =>
  (
    await sql<
      Pick<TenantRow, 'id' | 'ownerId' | 'limits' | 'deletesAt'>[]
    >`select id, owner_id, limits, deletes_at from tenants where id = ${id} and not removing for no key update`
  )[0]

/** Lists a page of the tenants in a scope. */
export const listTenants = (
  sql: Queryable,
  callerId: string | null,
  seen: TenantScope,
  { filter: { state }, q, page: part }: TenantListQuery,
) =>
  sql<(TenantRow & SortedRow)[]>`
    select ${columns(sql, callerId)} ${sortValueColumn(sql, part)} from tenants t where not t.removing
    ${seen.tenantId === undefined ? sql`` : sql`and t.id = ${seen.tenantId}`}
    ${
      seen.userId === undefined
        ? sql``
        : sql`and t.id in (select id from tenants where owner_id = ${seen.userId} union select tenant_id from tenant_members where user_id = ${seen.userId})`
    }
    ${state === undefined ? sql`` : state === 'active' ? sql`and t.deletes_at is null` : sql`and t.deletes_at is not null`}
    ${q === undefined ? sql`` : sql`and ${containsCondition(sql, sql`t.name`, q)}`}
    ${keysetPage(sql, part, 't.id')}`

/** Lists the tenants of a user with the user's role, newest first. */
export const listTenantsOfUser = (sql: Queryable, userId: string, take: number) =>
  sql<{ id: number; name: string; role: TenantRole; deletesAt: string | null }[]>`
    select t.id, t.name, t.deletes_at, case when t.owner_id = ${userId} then 'owner' else m.role end as role
    from tenants t left join tenant_members m on m.tenant_id = t.id and m.user_id = ${userId}
    where not t.removing and t.id in (select id from tenants where owner_id = ${userId} union select tenant_id from tenant_members where user_id = ${userId})
    order by t.id desc limit ${take}`

/** Inserts a tenant and returns its id. */
export const insertTenant = async (sql: Queryable, ownerId: string, name: string) =>
  expectOne(await sql<{ id: number }[]>`insert into tenants (name, owner_id) values (${name}, ${ownerId}) returning id`).id

/** Locks a user until the transaction ends. Returns false when the user is deleted or does not exist. */
export const tryLockOwner = async (sql: Tx, ownerId: string) =>
  (await sql`select 1 from users where id = ${ownerId} and deleted_at is null for update`).length > 0

/** Counts the tenants of an owner. */
export const countTenants = async (sql: Queryable, ownerId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from tenants where owner_id = ${ownerId}`).count

/** Finds the id of the oldest tenant of an owner that is not being deleted. */
export const findOldestOwnedTenant = async (sql: Queryable, ownerId: string) =>
  (await sql<{ id: number }[]>`select id from tenants where owner_id = ${ownerId} and deletes_at is null order by id limit 1`)[0]?.id

/** Counts the projects of a tenant. */
export const countProjects = async (sql: Queryable, tenantId: number) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from projects where tenant_id = ${tenantId}`).count

/** Changes the name of a tenant. */
export const renameTenant = (sql: Queryable, id: number, name: string) =>
  sql`update tenants set name = ${name}, updated_at = now() where id = ${id}`

/** Merges changed limits into those of a tenant. Null removes a limit, so that the default applies. */
export const updateTenantLimits = (sql: Queryable, id: number, limits: TenantLimitsChange) =>
  sql`update tenants set limits = jsonb_strip_nulls(limits || ${json(sql, limits)}), updated_at = now() where id = ${id}`

/** Schedules the deletion of a tenant in `days` days. */
export const markTenantDeleting = (sql: Queryable, id: number, days: number) =>
  sql`update tenants set deletes_at = now() + ${days} * interval '1 day', updated_at = now() where id = ${id}`

/** Cancels the deletion of a tenant. */
export const cancelTenantDeletion = (sql: Queryable, id: number) =>
  sql`update tenants set deletes_at = null, updated_at = now() where id = ${id}`

/** Lists the members of a tenant: the owner first, then in the order in which they joined. */
export const listTenantMembers = (sql: Queryable, tenantId: number) =>
  sql<TenantMember[]>`
    select u.id as user_id, u.name, u.email, p.role, p.since from (
      select owner_id as user_id, 'owner' as role, created_at as since from tenants where id = ${tenantId}
      union all select user_id, role, created_at from tenant_members where tenant_id = ${tenantId}
    ) p join users u on u.id = p.user_id order by p.role <> 'owner', p.since, u.id`

/** User that is locked against deletion. */
export interface LockedUser {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly emailVerified: boolean
}

/** Locks users, found by e-mail address or id, against deletion until the transaction ends. Unknown users are left out. */
export const lockUsers = (sql: Tx, emails: readonly string[], ids: readonly string[]) =>
  sql<LockedUser[]>`select id, lower(email) as email, email_verified from users
    where (lower(email) = any(${emails as string[]}) or id = any(${ids as string[]})) and deleted_at is null order by id for key share`

/** Sets the owner and all other members of a tenant. */
export async function replaceMembers(
  sql: Tx,
  tenantId: number,
  ownerId: string,
  others: readonly { readonly userId: string; readonly role: TenantRole }[],
) {
  const [ids, roles] = [others.map(({ userId }) => userId), others.map(({ role }) => role)]
  await sql`update tenants set owner_id = ${ownerId}, updated_at = now() where id = ${tenantId}`
  await sql`delete from tenant_members where tenant_id = ${tenantId} and user_id <> all (${ids})`
  await sql`insert into tenant_members (tenant_id, user_id, role)
    select ${tenantId}, * from unnest(${ids}::text[], ${roles}::text[])
    on conflict (tenant_id, user_id) do update set role = excluded.role where tenant_members.role <> excluded.role`
}
