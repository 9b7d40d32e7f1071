import { one, type Queryable, row } from '../../data/sql.ts'
import type { Product } from '../../http/scopes.ts'
import type { ApiKey, Project } from './projects.model.ts'

/** With who made it, and whether that person may still make some: as the owner of its tenant, or in the store that it stands behind. */
const keyOf = (sql: Queryable) => sql`k.id, k.project_id, k.name, k.scopes, k.last4, k.created_at, k.expires_at,
  case when u.id is not null then jsonb_build_object('userId', u.id, 'name', u.name, 'isHere', ${steers(sql, sql`u.id`, sql`k.project_id`)}) end as created_by
  from api_keys k left join users u on u.id = k.created_by`

const steers = (sql: Queryable, userId: Fragment, projectId: Fragment) => sql`(
  exists (select 1 from projects steered join tenants on tenants.id = steered.tenant_id where steered.id = ${projectId} and tenants.owner_id = ${userId})
  or exists (select 1 from stores s join store_members m on m.store_id = s.id
    where s.project_id = ${projectId} and s.deleted_at is null and m.user_id = ${userId} and m.role in ('owner', 'admin')))`

type Fragment = ReturnType<Queryable>

/** A person's tenant, made with the first project. */
export async function ensureTenant(sql: Queryable, ownerId: string, name: string): Promise<number> {
  await sql`select 1 from users where id = ${ownerId} for update`
  const [existing] = await sql<{ id: number }[]>`select id from tenants where owner_id = ${ownerId} order by id limit 1`
  if (existing) return existing.id
  return one(await sql<{ id: number }[]>`insert into tenants (name, owner_id) values (${name}, ${ownerId}) returning id`).id
}

export const insertProject = async (
  sql: Queryable,
  project: { id: string; tenantId: number; name: string; products: readonly Product[] },
) => one(await sql<Project[]>`insert into projects ${row(sql, project)} returning *`)

export const findProject = async (sql: Queryable, id: string) => (await sql<Project[]>`select * from projects where id = ${id}`)[0]

/** A project that this person may steer: one of a tenant that is theirs, or that backs a store they own or administer. */
export const findProjectOfUser = async (sql: Queryable, id: string, userId: string) =>
  (
    await sql<Project[]>`
    select p.* from projects p where p.id = ${id} and ${steers(sql, sql`${userId}`, sql`p.id`)}`
  )[0]

/** Whether this person may steer the project, and goes on to until the transaction ends: nobody takes the right away meanwhile. */
export async function holdRight(sql: Queryable, projectId: string, userId: string): Promise<boolean> {
  const tenant = sql`select 1 from projects p join tenants t on t.id = p.tenant_id where p.id = ${projectId} and t.owner_id = ${userId} for key share of t`
  const member = sql`select 1 from stores s join store_members m on m.store_id = s.id
    where s.project_id = ${projectId} and s.deleted_at is null and m.user_id = ${userId} and m.role in ('owner', 'admin') for share of m`
  const [owners, members] = await Promise.all([tenant, member])
  return owners.length + members.length > 0
}

/** Whether all of the project's tenant is this person's. */
export const ownsTenant = async (sql: Queryable, tenantId: number, userId: string) =>
  (await sql`select 1 from tenants where id = ${tenantId} and owner_id = ${userId}`).length > 0

export const listProjectsOfUser = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Project[]>`select p.* from projects p join tenants t on t.id = p.tenant_id
    where t.owner_id = ${userId} and (${before}::text is null or p.id < ${before}) order by p.id desc limit ${take}`

export const listProjectsOfTenant = (sql: Queryable, tenantId: number, before: string | null, take: number) =>
  sql<
    Project[]
  >`select * from projects where tenant_id = ${tenantId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

export const updateProject = async (sql: Queryable, id: string, change: { name?: string; products?: readonly Product[] }) =>
  one(await sql<Project[]>`update projects set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)

export async function insertApiKey(
  sql: Queryable,
  key: {
    id: string
    projectId: string
    name: string
    keyHash: string
    last4: string
    scopes: readonly string[]
    createdBy: string | null
    expiresAt: string | null
  },
): Promise<ApiKey> {
  await sql`insert into api_keys ${row(sql, key)}`
  return one(await sql<ApiKey[]>`select ${keyOf(sql)} where k.id = ${key.id}`)
}

export const listApiKeys = (sql: Queryable, projectId: string, before: string | null, take: number) =>
  sql<ApiKey[]>`select ${keyOf(sql)} where k.project_id = ${projectId} and k.revoked_at is null
    and (${before}::text is null or k.id < ${before}) order by k.id desc limit ${take}`

/** Keys that this person made in the project's tenant, which is not his, and that reach beyond one project; the hashes of those that no longer work. */
export const revokeSpanningKeys = async (sql: Queryable, projectId: string, userId: string, spanning: readonly string[]) =>
  (
    await sql<{ keyHash: string }[]>`update api_keys k set revoked_at = now() from projects of, projects mine, tenants t
      where mine.id = ${projectId} and t.id = mine.tenant_id and of.tenant_id = t.id and t.owner_id is distinct from ${userId}
        and k.project_id = of.id and k.created_by = ${userId} and k.scopes && ${spanning as string[]} and k.revoked_at is null
      returning k.key_hash`
  ).map(({ keyHash }) => keyHash)

/** Of all keys of a project; the hashes of those that no longer work. */
export const revokeApiKeys = async (sql: Queryable, projectId: string) =>
  (
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and revoked_at is null returning key_hash`
  ).map(({ keyHash }) => keyHash)

/** The hash of the key that no longer works. */
export const revokeApiKey = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and id = ${id} and revoked_at is null returning key_hash`
  )[0]?.keyHash
