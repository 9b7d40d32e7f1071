import { type Queryable, rowValues } from '../../data/sql.ts'
import type { Scope } from '../../http/auth/scopes.ts'

/** Values of a grant to insert. It expires with its code unless tokens extend it. */
export interface NewGrant {
  readonly id: string
  readonly appId: string
  readonly userId: string
  readonly projectId: string | null
  readonly scopes: readonly Scope[]
  readonly expiresAt: Date
}

/** Inserts a grant. */
export const insertGrant = (sql: Queryable, grant: NewGrant) => sql`insert into oauth_grants ${rowValues(sql, grant)}`

/** Revokes a grant. Returns false when it was revoked before. */
export const revokeGrant = async (sql: Queryable, id: string) =>
  (await sql`update oauth_grants set revoked_at = now() where id = ${id} and revoked_at is null`).count > 0

/** Revokes all grants of a user for an app. Returns the ids of the grants that were valid until now. */
export const revokeGrantsOfApp = async (sql: Queryable, userId: string, appId: string) =>
  (
    await sql<{ id: string }[]>`update oauth_grants set revoked_at = now()
      where user_id = ${userId} and app_id = ${appId} and revoked_at is null and expires_at > now() returning id`
  ).map(({ id }) => id)

/** Deletes all grants of a user. */
export const deleteGrantsOfUser = (sql: Queryable, userId: string) => sql`delete from oauth_grants where user_id = ${userId}`

/** App that a user authorized, with the scopes of all valid grants. */
export interface ConnectedAppRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly website: string | null
  readonly scopes: Scope[]
  readonly connectedAt: string
  readonly expiresAt: string
}

/** Lists the apps that a user authorized, newest first. `before` is the id that ended the previous page. */
export const listConnectedApps = (sql: Queryable, userId: string, before: string | null, take: number) =>
  sql<ConnectedAppRow[]>`
    select a.id, a.name, a.description, a.website, min(g.created_at) as connected_at, max(g.expires_at) as expires_at,
      (select array_agg(distinct scope) from oauth_grants own, unnest(own.scopes) scope
        where own.user_id = ${userId} and own.app_id = a.id and own.revoked_at is null and own.expires_at > now()) as scopes
    from oauth_grants g join apps a on a.id = g.app_id and a.deleted_at is null
    where g.user_id = ${userId} and g.revoked_at is null and g.expires_at > now() and (${before}::text is null or a.id < ${before})
    group by a.id order by a.id desc limit ${take}`

const manageable = (sql: Queryable, userId: string) => sql`from projects p join tenants t on t.id = p.tenant_id
  where t.deletes_at is null and p.id in (select project_id from projects_steered_by(${userId}))`

interface ManageableProject {
  readonly id: string
  readonly name: string
}

/** Lists the projects that a user may manage, oldest first. */
export const listManageableProjects = (sql: Queryable, userId: string, most: number) =>
  sql<ManageableProject[]>`select p.id, p.name ${manageable(sql, userId)} order by p.id limit ${most}`

/** Finds the named project, or the oldest one, that a user may manage. Returns undefined when there is none. */
export const findManageableProject = async (sql: Queryable, userId: string, named: string | undefined) =>
  (
    await sql<
      ManageableProject[]
    >`select p.id, p.name ${manageable(sql, userId)} ${named === undefined ? sql`` : sql`and p.id = ${named}`} order by p.id limit 1`
  )[0]

/** Authorization code with its grant. */
export interface AuthorizationCodeRow {
  readonly grantId: string
  readonly appId: string
  readonly scopes: Scope[]
  readonly redirectUri: string | null
  readonly challenge: string | null
  readonly thumbprint: string | null
  readonly isOver: boolean
  readonly usedAt: string | null
}

/** Inserts an authorization code, of which only the digest is stored. */
export const insertAuthorizationCode = (
  sql: Queryable,
  code: {
    digest: string
    grantId: string
    redirectUri: string | null
    challenge: string | null
    thumbprint: string | null
    expiresAt: Date
  },
) => sql`insert into oauth_codes ${rowValues(sql, code)}`

/** Locks an authorization code until the transaction ends. Returns undefined when it is unknown. */
export const lockAuthorizationCode = async (sql: Queryable, digest: string) =>
  (
    await sql<AuthorizationCodeRow[]>`
    select c.grant_id, g.app_id, g.scopes, c.redirect_uri, c.challenge, c.thumbprint, c.used_at,
      c.expires_at <= now() or g.revoked_at is not null as is_over
    from oauth_codes c join oauth_grants g on g.id = c.grant_id where c.digest = ${digest} for update of c`
  )[0]

/** Marks an authorization code as used. */
export const markAuthorizationCodeUsed = (sql: Queryable, digest: string) =>
  sql`update oauth_codes set used_at = now() where digest = ${digest}`

/** Inserts a pushed request. Each insert also deletes two expired ones, which bounds the table without a job. */
export const insertPushedRequest = (
  sql: Queryable,
  request: { digest: string; appId: string; parameters: Record<string, string>; expiresAt: Date },
) => sql`
  with over as (delete from oauth_requests where digest in (
    select digest from oauth_requests where expires_at < now() order by expires_at limit 2 for update skip locked))
  insert into oauth_requests ${rowValues(sql, request, ['parameters'])}`

/** Finds a pushed request that has not expired. */
export const findPushedRequest = async (sql: Queryable, digest: string) =>
  (
    await sql<
      { appId: string; parameters: Record<string, string> }[]
    >`select app_id, parameters from oauth_requests where digest = ${digest} and expires_at > now()`
  )[0]

/** Deletes a pushed request, which can be decided only once. Returns false when it is gone or expired. */
export const consumePushedRequest = async (sql: Queryable, digest: string) =>
  (await sql`delete from oauth_requests where digest = ${digest} and expires_at > now()`).count > 0

/**
 * Deletes a batch of expired requests, codes and grants. Returns true when there may be more. Codes are kept for a day to detect their
 * reuse; grants longer, because deleting a grant deletes its codes.
 */
export async function deleteExpiredGrants(sql: Queryable, most: number): Promise<boolean> {
  const gone = [
    await sql`delete from oauth_requests where digest in (select digest from oauth_requests where expires_at < now() limit ${most})`,
    await sql`delete from oauth_codes where digest in (select digest from oauth_codes where expires_at < now() - interval '1 day' limit ${most})`,
    await sql`delete from oauth_grants where id in (select id from oauth_grants where expires_at < now() - interval '8 days' limit ${most})`,
  ]
  return gone.some(({ count }) => count === most)
}

/** Deletes a batch of the requests and grants of an app, with their tokens. Returns true when there may be more. */
export async function deleteGrantsOfApp(sql: Queryable, appId: string, most: number): Promise<boolean> {
  const gone = [
    await sql`delete from oauth_requests where digest in (select digest from oauth_requests where app_id = ${appId} limit ${most})`,
    await sql`delete from oauth_grants where id in (select id from oauth_grants where app_id = ${appId} limit ${most})`,
  ]
  return gone.some(({ count }) => count === most)
}
