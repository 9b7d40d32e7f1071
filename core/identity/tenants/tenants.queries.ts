import { containing, keysetPage, type Sorted, sortValue } from '../../data/keyset-page.ts'
import { expectOne, json, type Queryable, type Tx } from '../../data/sql.ts'
import type { AskedTenants, LimitsChange, TenantPerson, TenantRole } from './tenants.model.ts'

export interface TenantRow {
  readonly id: number
  readonly name: string
  readonly ownerId: string | null
  readonly limits: LimitsChange
  readonly deletesAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly projects: number
  /** Of the person who asks. */
  readonly role: TenantRole | null
}

/** Whose tenants: all, one, or those that a person belongs to. */
export interface Seen {
  readonly tenantId?: number | undefined
  readonly userId?: string | undefined
}

const columns = (sql: Queryable, asking: string | null) => sql`
  t.id, t.name, t.owner_id, t.limits, t.deletes_at, t.created_at, t.updated_at,
  (select count(*)::int from projects p where p.tenant_id = t.id) as projects,
  case when t.owner_id = ${asking} then 'owner'
    else (select m.role from tenant_members m where m.tenant_id = t.id and m.user_id = ${asking}) end as role`

/** One whose removal has begun is there no more. */
export const findTenant = async (sql: Queryable, id: number, asking: string | null) =>
  (await sql<TenantRow[]>`select ${columns(sql, asking)} from tenants t where t.id = ${id} and not t.removing`)[0]

/** Holds the tenant's row until the transaction ends: who adds to it, counts what it has or deletes it comes one after another. */
export const lockTenant = async (sql: Tx, id: number) =>
  (
    await sql<
      Pick<TenantRow, 'id' | 'ownerId' | 'limits' | 'deletesAt'>[]
    >`select id, owner_id, limits, deletes_at from tenants where id = ${id} and not removing for no key update`
  )[0]

export const listTenants = (sql: Queryable, asking: string | null, seen: Seen, { filter: { state }, q, slice: part }: AskedTenants) =>
  sql<(TenantRow & Sorted)[]>`
    select ${columns(sql, asking)} ${sortValue(sql, part)} from tenants t where not t.removing
    ${seen.tenantId === undefined ? sql`` : sql`and t.id = ${seen.tenantId}`}
    ${
      seen.userId === undefined
        ? sql``
        : sql`and t.id in (select id from tenants where owner_id = ${seen.userId} union select tenant_id from tenant_members where user_id = ${seen.userId})`
    }
    ${state === undefined ? sql`` : state === 'active' ? sql`and t.deletes_at is null` : sql`and t.deletes_at is not null`}
    ${q === undefined ? sql`` : sql`and ${containing(sql, sql`t.name`, q)}`}
    ${keysetPage(sql, part, 't.id')}`

export const insertTenant = async (sql: Queryable, ownerId: string, name: string) =>
  expectOne(await sql<{ id: number }[]>`insert into tenants (name, owner_id) values (${name}, ${ownerId}) returning id`).id

/** Whether the person is there, whose row is held until the transaction ends. */
export const lockOwner = async (sql: Tx, ownerId: string) =>
  (await sql`select 1 from users where id = ${ownerId} and deleted_at is null for update`).length > 0

export const countTenants = async (sql: Queryable, ownerId: string) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from tenants where owner_id = ${ownerId}`).count

/** The oldest of those that are a person's own. */
export const findOwnTenant = async (sql: Queryable, ownerId: string) =>
  (await sql<{ id: number }[]>`select id from tenants where owner_id = ${ownerId} and deletes_at is null order by id limit 1`)[0]?.id

export const countProjects = async (sql: Queryable, tenantId: number) =>
  expectOne(await sql<{ count: number }[]>`select count(*)::int as count from projects where tenant_id = ${tenantId}`).count

export const renameTenant = (sql: Queryable, id: number, name: string) =>
  sql`update tenants set name = ${name}, updated_at = now() where id = ${id}`

/** What is null is the platform's to say again. */
export const limitTenant = (sql: Queryable, id: number, limits: LimitsChange) =>
  sql`update tenants set limits = jsonb_strip_nulls(limits || ${json(sql, limits)}), updated_at = now() where id = ${id}`

export const markDeleting = (sql: Queryable, id: number, days: number) =>
  sql`update tenants set deletes_at = now() + ${days} * interval '1 day', updated_at = now() where id = ${id}`

export const takeBack = (sql: Queryable, id: number) => sql`update tenants set deletes_at = null, updated_at = now() where id = ${id}`

/** The owner first, then in the order they came. */
export const listPeople = (sql: Queryable, tenantId: number) =>
  sql<TenantPerson[]>`
    select u.id as user_id, u.name, u.email, p.role, p.since from (
      select owner_id as user_id, 'owner' as role, created_at as since from tenants where id = ${tenantId}
      union all select user_id, role, created_at from tenant_members where tenant_id = ${tenantId}
    ) p join users u on u.id = p.user_id order by p.role <> 'owner', p.since, u.id`

export interface HeldPerson {
  readonly id: string
  /** In small letters. */
  readonly email: string
  readonly emailVerified: boolean
}

/** Those who are there of these, by their addresses or ids: nobody of them is deleted until the transaction ends. */
export const holdPeople = (sql: Tx, emails: readonly string[], ids: readonly string[]) =>
  sql<HeldPerson[]>`select id, lower(email) as email, email_verified from users
    where (lower(email) = any(${emails as string[]}) or id = any(${ids as string[]})) and deleted_at is null order by id for key share`

/** These and no others, beside the owner. */
export async function replacePeople(
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
