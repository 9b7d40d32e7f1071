import { containing, keysetPage, type Sorted, sortValue } from '../../../data/keyset-page.ts'
import { expectOne, type Queryable, row, type Tx } from '../../../data/sql.ts'
import type { ApiKey, AskedKeys } from '../projects.model.ts'

type Fragment = ReturnType<Queryable>

const steers = (sql: Queryable, userId: Fragment, projectId: Fragment) =>
  sql`exists (select 1 from projects_steered_by(${userId}) s where s.project_id = ${projectId})`

const state = (sql: Queryable) =>
  sql`case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end`

/** With who made it, and whether that person may still make some. */
const keyOf = (
  sql: Queryable,
) => sql`k.id, k.project_id, k.name, k.scopes, k.last4, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
  ${state(sql)} as state,
  case when u.id is not null then jsonb_build_object('userId', u.id, 'name', u.name, 'isHere', ${steers(sql, sql`u.id`, sql`k.project_id`)}) end as created_by`

const source = (sql: Queryable) => sql`from api_keys k left join users u on u.id = k.created_by`

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
  return expectOne(await sql<ApiKey[]>`select ${keyOf(sql)} ${source(sql)} where k.id = ${key.id}`)
}

/** Without those that were revoked, unless they are asked for. */
export const listApiKeys = (sql: Queryable, projectId: string, { filter, q, slice: part }: AskedKeys) =>
  sql<(ApiKey & Sorted)[]>`
    select ${keyOf(sql)} ${sortValue(sql, part)} ${source(sql)} where k.project_id = ${projectId}
    ${filter.state === undefined ? sql`and k.revoked_at is null` : sql`and ${state(sql)} = ${filter.state}`}
    ${q === undefined ? sql`` : sql`and ${containing(sql, sql`k.name`, q)}`}
    ${keysetPage(sql, part, 'k.id')}`

/** Those that work. Whoever makes another one of the project waits for the caller's transaction. */
export async function countWorkingKeys(sql: Tx, projectId: string): Promise<number> {
  await sql`select 1 from projects where id = ${projectId} for no key update`
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from api_keys where project_id = ${projectId} and revoked_at is null and (expires_at is null or expires_at > now())`
  return expectOne(rows).count
}

/**
 * How somebody comes by the right to steer a project, which nobody takes away until the transaction ends: `tenant` as the owner or an
 * admin of its tenant, `store` as the owner or an admin of the store that it stands behind, who was left all that his role may; null where he
 * has none.
 */
export async function holdRight(sql: Tx, projectId: string, userId: string): Promise<'tenant' | 'store' | null> {
  const owner = sql`select 1 from projects p join tenants t on t.id = p.tenant_id where p.id = ${projectId} and t.owner_id = ${userId} for share of t`
  const admin = sql`select 1 from projects p join tenant_members m on m.tenant_id = p.tenant_id
    where p.id = ${projectId} and m.user_id = ${userId} and m.role = 'admin' for share of m`
  const member = sql`select 1 from stores s join store_members m on m.store_id = s.id
    where s.project_id = ${projectId} and s.deleted_at is null and m.user_id = ${userId} and m.role in ('owner', 'admin')
      and m.permissions is null for share of m`
  const [owners, admins, members] = await Promise.all([owner, admin, member])
  if (owners.length + admins.length > 0) return 'tenant'
  return members.length > 0 ? 'store' : null
}

const hashes = (rows: readonly { keyHash: string }[]) => rows.map(({ keyHash }) => keyHash)

/** Of the working keys in the tenant that reach beyond one project; the hashes of those that no longer work. */
export const revokeAllSpanningKeys = async (sql: Queryable, tenantId: number, spanning: readonly string[]) =>
  hashes(
    await sql<{ keyHash: string }[]>`update api_keys k set revoked_at = now() from projects p
      where p.tenant_id = ${tenantId} and k.project_id = p.id and k.scopes && ${spanning as string[]} and k.revoked_at is null returning k.key_hash`,
  )

/** Who makes a key with one of these that reach beyond one project is done; whoever begins waits until the transaction ends. */
export const lockSpanningKeys = (sql: Tx, tenantId: number, spanning: readonly string[]) =>
  sql`select 1 from api_keys k join projects p on p.id = k.project_id
    where p.tenant_id = ${tenantId} and k.scopes && ${spanning as string[]} and k.revoked_at is null order by k.id for no key update of k`

/** Whether it works still, until the transaction ends. */
export const holdKey = async (sql: Tx, id: string) =>
  (await sql`select 1 from api_keys where id = ${id} and revoked_at is null for share`).length > 0

/** Keys in the tenant that reach beyond one project, whose makers neither own nor administer it, nor the platform; all of them, or one maker's. */
export const revokeSpanningKeys = async (sql: Queryable, tenantId: number, spanning: readonly string[], userId: string | null = null) =>
  hashes(
    await sql<{ keyHash: string }[]>`update api_keys k set revoked_at = now() from projects p, tenants t
      where t.id = ${tenantId} and p.tenant_id = t.id and k.project_id = p.id and k.scopes && ${spanning as string[]} and k.revoked_at is null
        and k.created_by is not null and (${userId}::text is null or k.created_by = ${userId}) and k.created_by is distinct from t.owner_id
        and not exists (select 1 from tenant_members m where m.tenant_id = t.id and m.user_id = k.created_by and m.role = 'admin')
        and not exists (select 1 from users u where u.id = k.created_by and u.is_admin)
      returning k.key_hash`,
  )

/** Of all keys of a project; the hashes of those that no longer work. */
export const revokeApiKeys = async (sql: Queryable, projectId: string) =>
  hashes(
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and revoked_at is null returning key_hash`,
  )

/** The hash of the key that no longer works. */
export const revokeApiKey = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and id = ${id} and revoked_at is null returning key_hash`
  )[0]?.keyHash

/** When each was last used, where that is so much later than is known. Whoever writes one of them at this moment writes as late a time. */
export const touchApiKeys = (sql: Queryable, ids: string[], times: string[], leastSeconds: number) => sql`
  with due as (
    select k.id, u.at from api_keys k join unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as u (id, at) on u.id = k.id
    where k.last_used_at is null or k.last_used_at < u.at - ${leastSeconds} * interval '1 second'
    order by k.id for no key update of k skip locked)
  update api_keys set last_used_at = due.at from due where api_keys.id = due.id`
