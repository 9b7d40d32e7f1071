import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import type { authMethods } from './mcp.model.ts'

/** Row of `mcp_servers`. `userId` is null for a server that the whole store shares. */
export interface McpServerRow {
  readonly projectId: string
  readonly id: string
  readonly userId: string | null
  readonly name: string
  readonly url: string
  readonly auth: (typeof authMethods)[number]
  readonly enabled: boolean
  readonly clientId: string | null
  readonly protocol: string | null
  readonly title: string | null
  readonly problem: string | null
  readonly reachedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Columns that identify an MCP server. */
export type ServerKey = Pick<McpServerRow, 'projectId' | 'id'>

/** Locks the MCP servers of a project against inserts, until the transaction ends (advisory lock). */
export const lockServersOfProject = (sql: Tx, projectId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`mcp servers of ${projectId}`}, 0))`

/** Counts the MCP servers of a user in a project, or with null those that the store shares. */
export const countServers = async (sql: Queryable, projectId: string, userId: string | null) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from mcp_servers
      where project_id = ${projectId} and user_id is not distinct from ${userId}`,
  ).count

/** Inserts an MCP server. */
export const insertServer = async (
  sql: Queryable,
  server: Pick<McpServerRow, 'projectId' | 'id' | 'userId' | 'name' | 'url' | 'auth' | 'enabled' | 'clientId'>,
) => expectOne(await sql<McpServerRow[]>`insert into mcp_servers ${rowValues(sql, server)} returning *`)

/** Finds an MCP server by its id alone, as requests name it, without a lock. Uses a plain index. */
export const findServer = async (sql: Queryable, id: string) => (await sql<McpServerRow[]>`select * from mcp_servers where id = ${id}`)[0]

/** Locks an MCP server until the transaction ends. Returns undefined when it was deleted. */
export const lockServer = async (sql: Tx, { projectId, id }: ServerKey) =>
  (await sql<McpServerRow[]>`select * from mcp_servers where project_id = ${projectId} and id = ${id} for update`)[0]

/** Lists the MCP servers of a user and those that the store shares, oldest first, after one if given. */
export const listServers = (sql: Queryable, projectId: string, userId: string, after: string | null, take: number) =>
  sql<McpServerRow[]>`select * from mcp_servers where project_id = ${projectId} and (user_id is null or user_id = ${userId})
    ${after === null ? sql`` : sql`and id > ${after}`} order by id limit ${take}`

/** Updates an MCP server and its `updated_at`. The server must exist. */
export const updateServer = async (
  sql: Queryable,
  { projectId, id }: ServerKey,
  change: Partial<Pick<McpServerRow, 'name' | 'url' | 'auth' | 'enabled' | 'clientId'>>,
) =>
  expectOne(
    await sql<McpServerRow[]>`update mcp_servers set ${rowValues(sql, { ...change, updatedAt: new Date() })}
      where project_id = ${projectId} and id = ${id} returning *`,
  )

/** Records the result of the last contact, unless the server was changed since. A null protocol or title keeps the stored one. */
export const recordServerStatus = (
  sql: Queryable,
  { projectId, id, updatedAt }: Pick<McpServerRow, 'projectId' | 'id' | 'updatedAt'>,
  { protocol, title, problem }: Pick<McpServerRow, 'protocol' | 'title' | 'problem'>,
) =>
  sql`update mcp_servers set protocol = coalesce(${protocol}, protocol), title = coalesce(${title}, title), problem = ${problem}, reached_at = now()
    where project_id = ${projectId} and id = ${id} and date_trunc('milliseconds', updated_at) = ${updatedAt}::timestamptz`

/** Deletes an MCP server with its secrets. Returns false when it was deleted already. */
export const deleteServer = async (sql: Queryable, { projectId, id }: ServerKey) =>
  (await sql`delete from mcp_servers where project_id = ${projectId} and id = ${id}`).count > 0
/** Deletes all MCP servers of a project. */
export const deleteServersOfProject = (sql: Queryable, projectId: string) => sql`delete from mcp_servers where project_id = ${projectId}`
/** Deletes the MCP servers, secrets and pending sign-ins of a user in all projects. */
export const deleteMcpDataOfUser = async (sql: Queryable, userId: string) => {
  await sql`delete from mcp_sign_ins where user_id = ${userId}`
  await sql`delete from mcp_secrets where user_id = ${userId}`
  await sql`delete from mcp_servers where user_id = ${userId}`
}

/** Row of `mcp_secrets`. `userId` is null for a secret of the server itself. */
export interface SecretRow {
  readonly projectId: string
  readonly id: string
  readonly serverId: string
  readonly kind: 'headers' | 'client' | 'tokens'
  readonly userId: string | null
  readonly issuer: string
  readonly sealed: string
  readonly updatedAt: string
}

/** Columns that identify a secret. */
export type SecretKey = Pick<SecretRow, 'projectId' | 'id'>

/** Lists the secrets of the servers of a project themselves and those of a user, newest first. */
export const listSecrets = (sql: Queryable, projectId: string, serverIds: readonly string[], userId: string) =>
  sql<SecretRow[]>`select * from mcp_secrets
    where project_id = ${projectId} and server_id = any(${serverIds as string[]}) and (user_id is null or user_id = ${userId})
    order by updated_at desc, id desc`

/** Inserts a secret, or replaces the one with the same server, kind, user and issuer. A replacement ends a renewal lease. */
export const upsertSecret = (sql: Queryable, secret: Omit<SecretRow, 'updatedAt'>) =>
  sql`insert into mcp_secrets ${rowValues(sql, secret)} on conflict (project_id, server_id, kind, user_id, issuer)
    do update set id = excluded.id, sealed = excluded.sealed, updated_at = now(), renewing_by = null, renewing_until = null`

/** Deletes secrets of a server. Null means all kinds or all users. `registered` spares clients that were entered by hand. */
export const deleteSecrets = (
  sql: Queryable,
  { projectId, id }: ServerKey,
  kind: SecretRow['kind'] | null = null,
  userId: string | null = null,
  which: 'registered' | null = null,
) =>
  sql`delete from mcp_secrets where project_id = ${projectId} and server_id = ${id} ${kind === null ? sql`` : sql`and kind = ${kind}`}
    ${userId === null ? sql`` : sql`and user_id = ${userId}`} ${which === null ? sql`` : sql`and issuer <> ''`}`

/** Deletes a secret. Returns false when it was deleted already. */
export const deleteSecret = async (sql: Queryable, { projectId, id }: SecretKey) =>
  (await sql`delete from mcp_secrets where project_id = ${projectId} and id = ${id}`).count > 0

/** Replaces the sealed value of a secret. Does nothing when it was deleted. */
export const resealSecret = (sql: Queryable, { projectId, id }: SecretKey, sealed: string) =>
  sql`update mcp_secrets set sealed = ${sealed} where project_id = ${projectId} and id = ${id}`

/** Claims the renewal of a secret for `seconds` seconds, across all processes. Returns false while another claim is valid. */
export const claimRenewal = async (sql: Queryable, { projectId, id }: SecretKey, by: string, seconds: number) =>
  (
    await sql`update mcp_secrets set renewing_by = ${by}, renewing_until = now() + ${seconds} * interval '1 second'
      where project_id = ${projectId} and id = ${id} and coalesce(renewing_until <= now(), true)`
  ).count > 0

/** Releases the renewal of a secret that `by` has claimed. */
export const releaseRenewal = (sql: Queryable, { projectId, id }: SecretKey, by: string) =>
  sql`update mcp_secrets set renewing_by = null, renewing_until = null
    where project_id = ${projectId} and id = ${id} and renewing_by = ${by}`

/** Row of `mcp_sign_ins`: a pending sign-in by the hash of its state. */
export interface SignInRow {
  readonly projectId: string
  readonly digest: string
  readonly serverId: string
  readonly userId: string
  readonly sealed: string
  readonly returnTo: string | null
  readonly expiresAt: string
}

/** Inserts a pending sign-in. */
export const insertSignIn = (sql: Queryable, signIn: Omit<SignInRow, 'expiresAt'> & { readonly expiresAt: Date }) =>
  sql`insert into mcp_sign_ins ${rowValues(sql, signIn)}`

/** Deletes a pending sign-in of this user and returns it, once. Returns undefined when it is unknown, expired, or of another user. */
export const consumeSignIn = async (sql: Queryable, digest: string, { projectId, id }: ServerKey, userId: string) =>
  (
    await sql<
      SignInRow[]
    >`delete from mcp_sign_ins where digest = ${digest} and project_id = ${projectId} and server_id = ${id} and user_id = ${userId}
      and expires_at > now() returning *`
  )[0]

/** Finds a pending sign-in that has not expired. */
export const findSignIn = async (sql: Queryable, digest: string) =>
  (await sql<SignInRow[]>`select * from mcp_sign_ins where digest = ${digest} and expires_at > now()`)[0]

/** Deletes expired sign-ins. */
export const deleteExpiredSignIns = (sql: Queryable) => sql`delete from mcp_sign_ins where expires_at < now()`
