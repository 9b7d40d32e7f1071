import { one, type Queryable, row } from '../../data/sql.ts'
import type { Product, Scope } from '../../http/scopes.ts'
import type { User } from './auth.model.ts'

export type UserRow = User & { passwordHash: string }

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly isAdmin: boolean
  readonly expiresAt: string
}

export interface ApiKeyRow {
  readonly id: string
  readonly projectId: string
  readonly tenantId: number
  readonly scopes: Scope[]
  readonly products: Product[]
  readonly createdBy: string | null
  readonly expiresAt: string | null
}

/** An app's token, with the project that it acts for: null where its person may steer none. */
export interface AppTokenRow {
  readonly grantId: string
  readonly appId: string
  readonly userId: string
  readonly scopes: Scope[]
  readonly thumbprint: string | null
  readonly expiresAt: string
  readonly projectId: string | null
  readonly tenantId: number | null
  readonly products: Product[] | null
}

const FIRST_USER_LOCK = 7_233_002

/** The first user of a server is its administrator; the lock decides between two who come at once. */
export async function insertUser(
  sql: Queryable,
  user: { id: string; name: string; email: string; passwordHash: string },
): Promise<UserRow | undefined> {
  await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`
  const [row] = await sql<UserRow[]>`
    insert into users (id, name, email, password_hash, is_admin)
    values (${user.id}, ${user.name}, ${user.email}, ${user.passwordHash}, not exists (select 1 from users))
    on conflict (lower(email)) do nothing returning *`
  return row
}

export const findUserByEmail = async (sql: Queryable, email: string) =>
  (await sql<UserRow[]>`select * from users where lower(email) = lower(${email})`)[0]

export const findUser = async (sql: Queryable, id: string) => (await sql<UserRow[]>`select * from users where id = ${id}`)[0]

export const updateUser = async (
  sql: Queryable,
  id: string,
  change: { name?: string; email?: string; passwordHash?: string; emailVerified?: boolean },
) => one(await sql<UserRow[]>`update users set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)

export const insertSession = (
  sql: Queryable,
  session: { id: string; userId: string; tokenHash: string; userAgent: string; network: string; expiresAt: Date },
) => sql`insert into session_tokens ${row(sql, session)}`

/** Whether a session that still works was opened from there. */
export const usesAddress = async (sql: Queryable, userId: string, network: string) =>
  (await sql`select 1 from session_tokens where user_id = ${userId} and network = ${network} and expires_at > now() limit 1`).length > 0

export const listSessions = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<{ id: string; userAgent: string; createdAt: string; lastUsedAt: string; expiresAt: string }[]>`
    select id, user_agent, created_at, last_used_at, expires_at from session_tokens
    where user_id = ${userId} and expires_at > now() and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Gives back the hashes that no longer work. */
export const deleteSession = async (sql: Queryable, userId: string, id: string) =>
  (await sql<{ tokenHash: string }[]>`delete from session_tokens where user_id = ${userId} and id = ${id} returning token_hash`).map(
    (row) => row.tokenHash,
  )

export const deleteSessions = async (sql: Queryable, userId: string, except: string | null) =>
  (
    await sql<
      { tokenHash: string }[]
    >`delete from session_tokens where user_id = ${userId} and (${except}::text is null or id <> ${except}) returning token_hash`
  ).map((row) => row.tokenHash)

export const findSessionByHash = async (sql: Queryable, tokenHash: string) =>
  (
    await sql<SessionRow[]>`
    select t.id, t.user_id, u.is_admin, t.expires_at from session_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${tokenHash} and t.expires_at > now()`
  )[0]

export const findApiKeyByHash = async (sql: Queryable, keyHash: string) =>
  (
    await sql<ApiKeyRow[]>`
    select k.id, k.project_id, p.tenant_id, k.scopes, p.products, k.created_by, k.expires_at from api_keys k join projects p on p.id = k.project_id
    where k.key_hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`
  )[0]

export const findAppTokenByHash = async (sql: Queryable, week: number, tokenHash: string) =>
  (
    await sql<AppTokenRow[]>`
    select t.grant_id, g.app_id, g.user_id, t.scopes, t.thumbprint, t.expires_at, p.id as project_id, p.tenant_id, p.products
    from oauth_access_tokens t join oauth_grants g on g.id = t.grant_id
    left join lateral (
      select p.id, p.tenant_id, p.products from projects p
      where p.id = g.project_id and (
        exists (select 1 from tenants where tenants.id = p.tenant_id and tenants.owner_id = g.user_id)
        or exists (select 1 from stores s join store_members m on m.store_id = s.id
          where s.project_id = p.id and s.deleted_at is null and m.user_id = g.user_id and m.role in ('owner', 'admin')))
      union all
      (select p.id, p.tenant_id, p.products from tenants join projects p on p.tenant_id = tenants.id
       where g.project_id is null and tenants.owner_id = g.user_id order by p.id limit 1)
    ) p on true
    where t.week = ${week} and t.digest = decode(${tokenHash}, 'hex') and t.expires_at > now() and g.revoked_at is null`
  )[0]

export const touchSessions = (sql: Queryable, ids: string[]) => sql`update session_tokens set last_used_at = now() where id in ${sql(ids)}`

export const forgetSessions = (sql: Queryable) => sql`delete from session_tokens where expires_at < now()`
