import { containsCondition, keysetPage, type SortedRow, sortValueColumn } from '../../../data/keyset-page.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { ApiKey, KeyListQuery } from '../projects.model.ts'

type Fragment = ReturnType<Queryable>

/** SQL condition for a user who may manage a project. */
const canManage = (sql: Queryable, userId: Fragment, projectId: Fragment) =>
  sql`exists (select 1 from projects_steered_by(${userId}) s where s.project_id = ${projectId})`

const state = (sql: Queryable) =>
  sql`case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end`

/** SQL list of the columns of an API key, with its creator and if they may still create keys. */
const keyColumns = (
  sql: Queryable,
) => sql`k.id, k.project_id, k.name, k.scopes, k.last4, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
  ${state(sql)} as state,
  case when u.id is not null then jsonb_build_object('userId', u.id, 'name', u.name, 'isHere', ${canManage(sql, sql`u.id`, sql`k.project_id`)}) end as created_by`

const source = (sql: Queryable) => sql`from api_keys k left join users u on u.id = k.created_by`

/** Inserts an API key and returns its API view. Only the hash of its text is stored. */
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
  await sql`insert into api_keys ${rowValues(sql, key)}`
  return expectOne(await sql<ApiKey[]>`select ${keyColumns(sql)} ${source(sql)} where k.id = ${key.id}`)
}

/** Lists a page of the API keys of a project. Revoked keys are included only when the filter asks for them. */
export const listApiKeys = (sql: Queryable, projectId: string, { filter, q, page: part }: KeyListQuery) =>
  sql<(ApiKey & SortedRow)[]>`
    select ${keyColumns(sql)} ${sortValueColumn(sql, part)} ${source(sql)} where k.project_id = ${projectId}
    ${filter.state === undefined ? sql`and k.revoked_at is null` : sql`and ${state(sql)} = ${filter.state}`}
    ${q === undefined ? sql`` : sql`and ${containsCondition(sql, sql`k.name`, q)}`}
    ${keysetPage(sql, part, 'k.id')}`

/** Counts the valid keys of a project. Locks the project, so that concurrent requests wait until the transaction ends. */
export async function lockAndCountKeys(sql: Tx, projectId: string): Promise<number> {
  await sql`select 1 from projects where id = ${projectId} for no key update`
  const rows = await sql<{ count: number }[]>`
    select count(*)::int as count from api_keys where project_id = ${projectId} and revoked_at is null and (expires_at is null or expires_at > now())`
  return expectOne(rows).count
}

/**
 * Locks the right of a user to manage a project until the transaction ends. `tenant`: owner or admin of the tenant. `store`: owner or
 * admin, without restricted permissions, of the store of the project. Returns null without a right.
 */
export async function lockManageRight(sql: Tx, projectId: string, userId: string): Promise<'tenant' | 'store' | null> {
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

/** Revokes all keys of a tenant with scopes that reach beyond one project. Returns the hashes of the revoked keys. */
export const revokeAllSpanningKeys = async (sql: Queryable, tenantId: number, spanning: readonly string[]) =>
  hashes(
    await sql<{ keyHash: string }[]>`update api_keys k set revoked_at = now() from projects p
      where p.tenant_id = ${tenantId} and k.project_id = p.id and k.scopes && ${spanning as string[]} and k.revoked_at is null returning k.key_hash`,
  )

/** Locks the keys of a tenant with scopes that reach beyond one project. Requests that create keys with them end first or wait. */
export const lockSpanningKeys = (sql: Tx, tenantId: number, spanning: readonly string[]) =>
  sql`select 1 from api_keys k join projects p on p.id = k.project_id
    where p.tenant_id = ${tenantId} and k.scopes && ${spanning as string[]} and k.revoked_at is null order by k.id for no key update of k`

/** Locks an API key against revocation until the transaction ends. Returns false when it is revoked. */
export const tryLockKey = async (sql: Tx, id: string) =>
  (await sql`select 1 from api_keys where id = ${id} and revoked_at is null for share`).length > 0

/**
 * Revokes spanning keys of a tenant whose creators are neither owner nor admin of it, nor platform administrators. With `userId` it revokes
 * only those of that creator. Returns the hashes of the revoked keys.
 */
export const revokeSpanningKeys = async (sql: Queryable, tenantId: number, spanning: readonly string[], userId: string | null = null) =>
  hashes(
    await sql<{ keyHash: string }[]>`update api_keys k set revoked_at = now() from projects p, tenants t
      where t.id = ${tenantId} and p.tenant_id = t.id and k.project_id = p.id and k.scopes && ${spanning as string[]} and k.revoked_at is null
        and k.created_by is not null and (${userId}::text is null or k.created_by = ${userId}) and k.created_by is distinct from t.owner_id
        and not exists (select 1 from tenant_members m where m.tenant_id = t.id and m.user_id = k.created_by and m.role = 'admin')
        and not exists (select 1 from users u where u.id = k.created_by and u.is_admin)
      returning k.key_hash`,
  )

/** Revokes all keys of a project. Returns the hashes of the revoked keys. */
export const revokeApiKeys = async (sql: Queryable, projectId: string) =>
  hashes(
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and revoked_at is null returning key_hash`,
  )

/** Revokes a key of a project. Returns its hash; undefined when there is no valid key with this id. */
export const revokeApiKey = async (sql: Queryable, projectId: string, id: string) =>
  (
    await sql<
      { keyHash: string }[]
    >`update api_keys set revoked_at = now() where project_id = ${projectId} and id = ${id} and revoked_at is null returning key_hash`
  )[0]?.keyHash

/**
 * Records the last use of keys, if it is at least `leastSeconds` later than the recorded one. Rows that another transaction has locked are
 * skipped, because that one writes an equally recent time.
 */
export const touchApiKeys = (sql: Queryable, ids: string[], times: string[], leastSeconds: number) => sql`
  with due as (
    select k.id, u.at from api_keys k join unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as u (id, at) on u.id = k.id
    where k.last_used_at is null or k.last_used_at < u.at - ${leastSeconds} * interval '1 second'
    order by k.id for no key update of k skip locked)
  update api_keys set last_used_at = due.at from due where api_keys.id = due.id`
