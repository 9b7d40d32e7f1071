import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { Product, Scope } from '../../http/auth/scopes.ts'
import type { SessionMethod, User } from './auth.model.ts'

/** Row of the `users` table. The password hash is empty when the user has no password. */
export type UserRow = User & { passwordHash: string }

/** Valid session, as authentication needs it. */
export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly isAdmin: boolean
  /** Administrator who opened the session in the name of the user; null for the user themselves. */
  readonly adminId: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

/** Valid API key with its project, as authentication needs it. */
export interface ApiKeyRow {
  readonly id: string
  readonly projectId: string
  readonly tenantId: number
  readonly perMinute: number | null
  readonly scopes: Scope[]
  readonly products: Product[]
  readonly createdBy: string | null
  readonly expiresAt: string | null
}

/** Valid access token of an app. The project is null when the user of the grant may no longer manage one. */
export interface AppTokenRow {
  readonly grantId: string
  readonly appId: string
  readonly userId: string
  readonly scopes: Scope[]
  readonly thumbprint: string | null
  readonly dpopNonces: boolean
  readonly expiresAt: string
  readonly projectId: string | null
  readonly tenantId: number | null
  readonly products: Product[] | null
  readonly perMinute: number | null
}

/** Returns true once an account exists. */
export const hasUsers = async (sql: Queryable) => (await sql`select 1 from users limit 1`).length > 0

/** Advisory lock that makes concurrent first sign-ups wait for each other. */
const FIRST_USER_LOCK = 7_233_002

/** Tells if the server has no users yet. Takes the lock of the first sign-up until the transaction ends. */
export async function isFirstUser(sql: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`
  return (await sql`select 1 from users limit 1`).length === 0
}

/**
 * Inserts a user; the first user of a server becomes its administrator. Returns undefined when the e-mail address is in use. Takes the lock
 * of the first sign-up.
 */
export async function insertUser(
  sql: Queryable,
  user: { id: string; name: string; email: string; passwordHash: string; language: User['language'] },
): Promise<UserRow | undefined> {
  await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`
  const [row] = await sql<UserRow[]>`
    insert into users (id, name, email, password_hash, language, is_admin)
    values (${user.id}, ${user.name}, ${user.email}, ${user.passwordHash}, ${user.language}, not exists (select 1 from users))
    on conflict (lower(email)) do nothing returning *`
  return row
}

/** Finds a user by e-mail address, ignoring case. Returns undefined when there is none or the user is deleted. */
export const findUserByEmail = async (sql: Queryable, email: string) =>
  (await sql<UserRow[]>`select * from users where lower(email) = lower(${email}) and deleted_at is null`)[0]

/** Finds a user by id. Returns undefined when there is none or the user is deleted. */
export const findUser = async (sql: Queryable, id: string) =>
  (await sql<UserRow[]>`select * from users where id = ${id} and deleted_at is null`)[0]

/** Locks a user for update until the transaction ends. Returns undefined when there is none or the user is deleted. */
export const lockUser = async (sql: Tx, id: string) =>
  (await sql<UserRow[]>`select * from users where id = ${id} and deleted_at is null for update`)[0]

/** Updates a user and returns the new row. */
export const updateUser = async (
  sql: Queryable,
  id: string,
  change: { name?: string; email?: string; passwordHash?: string; emailVerified?: boolean; language?: User['language'] },
) => expectOne(await sql<UserRow[]>`update users set ${rowValues(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)

/** Inserts a session. Only the hash of its token is stored. */
export const insertSession = (
  sql: Queryable,
  session: {
    id: string
    userId: string
    tokenHash: string
    userAgent: string
    network: string
    expiresAt: Date
    means: SessionMethod
    adminId: string | null
  },
) => sql`insert into session_tokens ${rowValues(sql, session)}`

/** Lists the networks that opened the valid sessions of a user, without sessions of administrators. */
export const listSessionNetworks = async (sql: Queryable, userId: string) =>
  (
    await sql<{ network: string }[]>`select distinct network from session_tokens
      where user_id = ${userId} and network is not null and means <> 'admin' and expires_at > now() limit 500`
  ).map(({ network }) => network)

/** Session as the list of sessions reads it. */
export interface SessionListRow {
  readonly id: string
  readonly userAgent: string
  readonly network: string | null
  readonly means: SessionMethod
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
}

/** Lists the user agents and networks of the sessions of a user, expired ones included. Sessions of administrators do not count. */
export const listKnownDevices = (sql: Queryable, userId: string) =>
  sql<{ userAgent: string; network: string | null }[]>`
    select distinct user_agent, network from session_tokens where user_id = ${userId} and means <> 'admin' limit 200`

/** Lists the valid sessions of a user, newest first. `before` is the id that ended the previous page. */
export const listSessions = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<SessionListRow[]>`
    select id, user_agent, network, means, created_at, last_used_at, expires_at from session_tokens
    where user_id = ${userId} and expires_at > now() and (${before}::text is null or id < ${before}) order by id desc limit ${take}`

/** Deletes a session. Returns the token hashes of the deleted rows, at most one. */
export const deleteSession = async (sql: Queryable, userId: string, id: string) =>
  (await sql<{ tokenHash: string }[]>`delete from session_tokens where user_id = ${userId} and id = ${id} returning token_hash`).map(
    (row) => row.tokenHash,
  )

/** Deletes all sessions of a user, except the one with the id `except`. Returns their token hashes. */
export const deleteSessions = async (sql: Queryable, userId: string, except: string | null) =>
  (
    await sql<
      { tokenHash: string }[]
    >`delete from session_tokens where user_id = ${userId} and (${except}::text is null or id <> ${except}) returning token_hash`
  ).map((row) => row.tokenHash)

/** Locks a session against deletion until the transaction ends. Returns false when it has ended. */
export const tryLockSessionRow = async (sql: Tx, userId: string, id: string) =>
  (await sql`select 1 from session_tokens where user_id = ${userId} and id = ${id} and expires_at > now() for key share`).length > 0

/**
 * Finds a valid session by its token hash. Sessions of deleted users do not count. One that an administrator opened counts only while they
 * have that role, and while its user does not: it must never give the rights of the platform.
 */
export const findSessionByHash = async (sql: Queryable, tokenHash: string) =>
  (
    await sql<SessionRow[]>`
    select t.id, t.user_id, u.is_admin, t.admin_id, t.created_at, t.expires_at from session_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${tokenHash} and t.expires_at > now() and u.deleted_at is null
      and (t.means <> 'admin' or (not u.is_admin and exists (select 1 from users a where a.id = t.admin_id and a.is_admin)))`
  )[0]

/** SQL column with the request limit per minute of the tenant `t`. Null when the platform default applies. */
const perMinute = (sql: Queryable) => sql`(t.limits ->> 'requestsPerMinute')::int as per_minute`

/** Finds a valid API key by its hash. Keys of a tenant that is being deleted do not count; they work again if the deletion is cancelled. */
export const findApiKeyByHash = async (sql: Queryable, keyHash: string) =>
  (
    await sql<ApiKeyRow[]>`
    select k.id, k.project_id, p.tenant_id, ${perMinute(sql)}, k.scopes, p.products, k.created_by, k.expires_at
    from api_keys k join projects p on p.id = k.project_id join tenants t on t.id = p.tenant_id
    where k.key_hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and t.deletes_at is null`
  )[0]

/**
 * Finds a valid access token by its hash, with the project that its user may manage. Tokens of a tenant that is being deleted do not count.
 */
export const findAppTokenByHash = async (sql: Queryable, week: number, tokenHash: string) =>
  (
    await sql<AppTokenRow[]>`
    select a.grant_id, g.app_id, g.user_id, a.scopes, a.thumbprint, apps.dpop_nonces, a.expires_at, p.id as project_id, p.tenant_id, p.products, p.per_minute
    from oauth_access_tokens a join oauth_grants g on g.id = a.grant_id join apps on apps.id = g.app_id and apps.deleted_at is null
    left join lateral (
      select p.id, p.tenant_id, p.products, ${perMinute(sql)} from projects p join tenants t on t.id = p.tenant_id
      where p.id = g.project_id and exists (select 1 from projects_steered_by(g.user_id) s where s.project_id = p.id)
      union all
      (select p.id, p.tenant_id, p.products, ${perMinute(sql)} from tenants t join projects p on p.tenant_id = t.id
       where g.project_id is null and t.owner_id = g.user_id and t.deletes_at is null order by p.id limit 1)
    ) p on true
    where a.week = ${week} and a.digest = decode(${tokenHash}, 'hex') and a.expires_at > now() and g.revoked_at is null
      and not exists (select 1 from projects d join tenants t on t.id = d.tenant_id where d.id = g.project_id and t.deletes_at is not null)`
  )[0]

/**
 * Records the last use of sessions. Rows that another transaction has locked are skipped, because that one writes an equally recent time.
 */
export const touchSessions = (sql: Queryable, ids: string[], times: string[]) => sql`
  with due as (
    select s.id, u.at from session_tokens s join unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as u (id, at) on u.id = s.id
    where s.last_used_at < u.at order by s.id for no key update of s skip locked)
  update session_tokens set last_used_at = due.at from due where session_tokens.id = due.id`

/** Deletes expired sessions. */
export const deleteExpiredSessions = (sql: Queryable) => sql`delete from session_tokens where expires_at < now()`
