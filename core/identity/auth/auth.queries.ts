import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { Product, Scope } from '../../http/auth/scopes.ts'
import type { Means, User } from './auth.model.ts'

export type UserRow = User & { passwordHash: string }

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly isAdmin: boolean
  /** The administrator who opened it in the person's name. */
  readonly adminId: string | null
  readonly expiresAt: string
}

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

/** An app's token, with the project that it acts for: null where its person may steer none. */
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

const FIRST_USER_LOCK = 7_233_002

/** Whether nobody has an account yet; whoever makes one waits until the caller's transaction ends. */
export async function isFirst(sql: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`
  return (await sql`select 1 from users limit 1`).length === 0
}

/** The first user of a server is its administrator; the lock decides between two who come at once. */
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

export const findUserByEmail = async (sql: Queryable, email: string) =>
  (await sql<UserRow[]>`select * from users where lower(email) = lower(${email}) and deleted_at is null`)[0]

export const findUser = async (sql: Queryable, id: string) =>
  (await sql<UserRow[]>`select * from users where id = ${id} and deleted_at is null`)[0]

/** Who else changes the person waits for the caller's transaction. */
export const lockUser = async (sql: Tx, id: string) =>
  (await sql<UserRow[]>`select * from users where id = ${id} and deleted_at is null for update`)[0]

export const updateUser = async (
  sql: Queryable,
  id: string,
  change: { name?: string; email?: string; passwordHash?: string; emailVerified?: boolean; language?: User['language'] },
) => expectOne(await sql<UserRow[]>`update users set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`)

export const insertSession = (
  sql: Queryable,
  session: {
    id: string
    userId: string
    tokenHash: string
    userAgent: string
    network: string
    expiresAt: Date
    means: Means
    adminId: string | null
  },
) => sql`insert into session_tokens ${row(sql, session)}`

/** Where the sessions were opened from that still work; an administrator in the person's name is nowhere at home. */
export const listNetworks = async (sql: Queryable, userId: string) =>
  (
    await sql<{ network: string }[]>`select distinct network from session_tokens
      where user_id = ${userId} and network is not null and means <> 'admin' and expires_at > now() limit 500`
  ).map(({ network }) => network)

export interface SessionListRow {
  readonly id: string
  readonly userAgent: string
  readonly network: string | null
  readonly means: Means
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly expiresAt: string
}

/** Where else the person is signed in, or was within the last ninety days. */
export const listKnownDevices = (sql: Queryable, userId: string) =>
  sql<{ userAgent: string; network: string | null }[]>`
    select distinct user_agent, network from session_tokens where user_id = ${userId} and means <> 'admin' limit 200`

export const listSessions = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<SessionListRow[]>`
    select id, user_agent, network, means, created_at, last_used_at, expires_at from session_tokens
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

/** Whether it works still; who ends it waits for the caller's transaction. */
export const holdSessionRow = async (sql: Tx, userId: string, id: string) =>
  (await sql`select 1 from session_tokens where user_id = ${userId} and id = ${id} and expires_at > now() for key share`).length > 0

/** None of who is deleted; one in a person's name ends where its administrator is none any more. */
export const findSessionByHash = async (sql: Queryable, tokenHash: string) =>
  (
    await sql<SessionRow[]>`
    select t.id, t.user_id, u.is_admin, t.admin_id, t.expires_at from session_tokens t join users u on u.id = t.user_id
    where t.token_hash = ${tokenHash} and t.expires_at > now() and u.deleted_at is null
      and (t.means <> 'admin' or exists (select 1 from users a where a.id = t.admin_id and a.is_admin))`
  )[0]

/** How many requests a minute a tenant may make, where it has a limit of its own. */
const perMinute = (sql: Queryable) => sql`(t.limits ->> 'requestsPerMinute')::int as per_minute`

/** None of a tenant that is being deleted: they work again when it is taken back. */
export const findApiKeyByHash = async (sql: Queryable, keyHash: string) =>
  (
    await sql<ApiKeyRow[]>`
    select k.id, k.project_id, p.tenant_id, ${perMinute(sql)}, k.scopes, p.products, k.created_by, k.expires_at
    from api_keys k join projects p on p.id = k.project_id join tenants t on t.id = p.tenant_id
    where k.key_hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) and t.deletes_at is null`
  )[0]

/** With the project that it acts for, as long as its person may steer that. None where that is of a tenant that is being deleted. */
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

/** When each was last used. Whoever writes one of them at this moment writes as late a time. */
export const touchSessions = (sql: Queryable, ids: string[], times: string[]) => sql`
  with due as (
    select s.id, u.at from session_tokens s join unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as u (id, at) on u.id = s.id
    where s.last_used_at < u.at order by s.id for no key update of s skip locked)
  update session_tokens set last_used_at = due.at from due where session_tokens.id = due.id`

export const forgetSessions = (sql: Queryable) => sql`delete from session_tokens where expires_at < now()`
