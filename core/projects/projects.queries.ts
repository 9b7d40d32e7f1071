import type { Queryable } from '../data/sql.ts'
import type { Product } from '../http/scopes.ts'
import type { ApiKey, Project } from './projects.model.ts'

const keyColumns = ['id', 'projectId', 'name', 'scopes', 'last4', 'createdAt', 'expiresAt'] as const

/** A person's tenant, made with the first project. */
export async function ensureTenant(sql: Queryable, ownerId: string, name: string): Promise<number> {
  await sql`select 1 from users where id = ${ownerId} for update`
  const [existing] = await sql<{ id: number }[]>`select id from tenants where owner_id = ${ownerId} order by id limit 1`
  if (existing) return existing.id
  const [made] = await sql<{ id: number }[]>`insert into tenants (name, owner_id) values (${name}, ${ownerId}) returning id`
  return made!.id
}

export const insertProject = async (
  sql: Queryable,
  project: { id: string; tenantId: number; name: string; products: readonly Product[] },
) => (await sql<Project[]>`insert into projects ${sql(project as never)} returning *`)[0]!

export const findProject = async (sql: Queryable, id: string) => (await sql<Project[]>`select * from projects where id = ${id}`)[0]

/** A project that this person may steer: one of a tenant that is theirs, or that backs a store they own or administer. */
export const findProjectOfUser = async (sql: Queryable, id: string, userId: string) =>
  (
    await sql<Project[]>`
    select p.* from projects p where p.id = ${id} and (
      exists (select 1 from tenants t where t.id = p.tenant_id and t.owner_id = ${userId})
      or exists (select 1 from stores s join store_members m on m.store_id = s.id where s.project_id = p.id and s.deleted_at is null and m.user_id = ${userId} and m.role in ('owner', 'admin')))`
  )[0]

export const listProjectsOfUser = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<Project[]>`select p.* from projects p join tenants t on t.id = p.tenant_id
    where t.owner_id = ${userId} and (${before}::text is null or p.id < ${before}) order by p.id desc limit ${take}`

export const listProjectsOfTenant = (sql: Queryable, tenantId: number, before: string | null, take: number) =>
  sql<
    Project[]
  >`select * from projects where tenant_id = ${tenantId} and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

export const updateProject = async (sql: Queryable, id: string, change: { name?: string; products?: readonly Product[] }) =>
  (await sql<Project[]>`update projects set ${sql({ ...change, updatedAt: new Date() } as never)} where id = ${id} returning *`)[0]!

export const insertApiKey = async (
  sql: Queryable,
  key: { id: string; projectId: string; name: string; keyHash: string; last4: string; scopes: readonly string[]; expiresAt: string | null },
) => (await sql<ApiKey[]>`insert into api_keys ${sql(key as never)} returning ${sql(keyColumns)}`)[0]!

export const listApiKeys = (sql: Queryable, projectId: string, before: string | null, take: number) =>
  sql<ApiKey[]>`select ${sql(keyColumns)} from api_keys where project_id = ${projectId} and revoked_at is null
    and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** The hash of the key that no longer works. */
export const revokeApiKey = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and id = ${id} and revoked_at is null returning key_hash`
  )[0]?.keyHash
