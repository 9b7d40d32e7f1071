import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import type { auths } from './mcp.model.ts'

export interface McpServerRow {
  readonly storeId: string
  readonly id: string
  readonly userId: string | null
  readonly name: string
  readonly url: string
  readonly auth: (typeof auths)[number]
  readonly enabled: boolean
  readonly clientId: string | null
  readonly protocol: string | null
  readonly title: string | null
  readonly problem: string | null
  readonly reachedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Nobody else adds a server to this store until the transaction ends: there are only so many. */
export const holdServersOf = (sql: Tx, storeId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`mcp servers of ${storeId}`}, 0))`

export const countServers = async (sql: Queryable, storeId: string, userId: string | null) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from mcp_servers
      where store_id = ${storeId} and user_id is not distinct from ${userId}`,
  ).count

export const insertServer = async (
  sql: Queryable,
  server: Pick<McpServerRow, 'storeId' | 'id' | 'userId' | 'name' | 'url' | 'auth' | 'enabled' | 'clientId'>,
) => expectOne(await sql<McpServerRow[]>`insert into mcp_servers ${row(sql, server)} returning *`)

export const findServer = async (sql: Queryable, id: string) => (await sql<McpServerRow[]>`select * from mcp_servers where id = ${id}`)[0]

/** Holds it until the transaction ends. */
export const lockServer = async (sql: Tx, id: string) =>
  (await sql<McpServerRow[]>`select * from mcp_servers where id = ${id} for update`)[0]

/** A person's own and the whole store's, oldest first. */
export const listServers = (sql: Queryable, storeId: string, userId: string, after: string | null, take: number) =>
  sql<McpServerRow[]>`select * from mcp_servers where store_id = ${storeId} and (user_id is null or user_id = ${userId})
    ${after === null ? sql`` : sql`and id > ${after}`} order by id limit ${take}`

export const updateServer = async (
  sql: Queryable,
  id: string,
  change: Partial<Pick<McpServerRow, 'name' | 'url' | 'auth' | 'enabled' | 'clientId'>>,
) =>
  expectOne(
    await sql<McpServerRow[]>`update mcp_servers set ${row(sql, { ...change, updatedAt: new Date() })} where id = ${id} returning *`,
  )

/** How it went when it was last reached for, as long as it is the same that was reached. */
export const noteReach = (
  sql: Queryable,
  { id, updatedAt }: Pick<McpServerRow, 'id' | 'updatedAt'>,
  { protocol, title, problem }: Pick<McpServerRow, 'protocol' | 'title' | 'problem'>,
) =>
  sql`update mcp_servers set protocol = coalesce(${protocol}, protocol), title = coalesce(${title}, title), problem = ${problem}, reached_at = now()
    where id = ${id} and date_trunc('milliseconds', updated_at) = ${updatedAt}::timestamptz`

export const deleteServer = async (sql: Queryable, id: string) => (await sql`delete from mcp_servers where id = ${id}`).count > 0
export const deleteServersOf = (sql: Queryable, storeId: string) => sql`delete from mcp_servers where store_id = ${storeId}`
/** What a person has anywhere: his own servers, what he signed in with, and where he was about to. */
export const deleteOfPerson = async (sql: Queryable, userId: string) => {
  await sql`delete from mcp_sign_ins where user_id = ${userId}`
  await sql`delete from mcp_secrets where user_id = ${userId}`
  await sql`delete from mcp_servers where user_id = ${userId}`
}

export interface SecretRow {
  readonly storeId: string
  readonly id: string
  readonly serverId: string
  readonly kind: 'headers' | 'client' | 'tokens'
  readonly userId: string | null
  readonly issuer: string
  readonly sealed: string
  readonly updatedAt: string
}

/** All that is the server's own, and what this person signed in with; the newest first. */
export const listSecrets = (sql: Queryable, serverIds: readonly string[], userId: string) =>
  sql<SecretRow[]>`select * from mcp_secrets where server_id = any(${serverIds as string[]}) and (user_id is null or user_id = ${userId})
    order by updated_at desc, id desc`

export const upsertSecret = (sql: Queryable, secret: Omit<SecretRow, 'updatedAt'>) =>
  sql`insert into mcp_secrets ${row(sql, secret)} on conflict (server_id, kind, user_id, issuer)
    do update set id = excluded.id, sealed = excluded.sealed, updated_at = now(), renewing_by = null, renewing_until = null`

/** Of one kind, or of all; of one person, or of all; of clients those alone that were registered, where that is said. */
export const deleteSecrets = (
  sql: Queryable,
  serverId: string,
  kind: SecretRow['kind'] | null = null,
  userId: string | null = null,
  which: 'registered' | null = null,
) =>
  sql`delete from mcp_secrets where server_id = ${serverId} ${kind === null ? sql`` : sql`and kind = ${kind}`}
    ${userId === null ? sql`` : sql`and user_id = ${userId}`} ${which === null ? sql`` : sql`and issuer <> ''`}`

/** Whether it was still there. */
export const deleteSecret = async (sql: Queryable, id: string) => (await sql`delete from mcp_secrets where id = ${id}`).count > 0

/** Something else is kept in this one, as long as it is there. */
export const resealSecret = (sql: Queryable, id: string, sealed: string) => sql`update mcp_secrets set sealed = ${sealed} where id = ${id}`

/** One at a time renews it, wherever it runs, and nobody else for so long. Whether it is his. */
export const claimSecret = async (sql: Queryable, id: string, by: string, seconds: number) =>
  (
    await sql`update mcp_secrets set renewing_by = ${by}, renewing_until = now() + ${seconds} * interval '1 second'
      where id = ${id} and coalesce(renewing_until <= now(), true)`
  ).count > 0

export const releaseSecret = (sql: Queryable, id: string, by: string) =>
  sql`update mcp_secrets set renewing_by = null, renewing_until = null where id = ${id} and renewing_by = ${by}`

export interface SignInRow {
  readonly storeId: string
  readonly digest: string
  readonly serverId: string
  readonly userId: string
  readonly sealed: string
  readonly returnTo: string | null
  readonly expiresAt: string
}

export const insertSignIn = (sql: Queryable, signIn: Omit<SignInRow, 'expiresAt'> & { readonly expiresAt: Date }) =>
  sql`insert into mcp_sign_ins ${row(sql, signIn)}`

/** Uses it up: of all who bring it, one has it, and only who began. */
export const takeSignIn = async (sql: Queryable, digest: string, serverId: string, userId: string) =>
  (
    await sql<SignInRow[]>`delete from mcp_sign_ins where digest = ${digest} and server_id = ${serverId} and user_id = ${userId}
      and expires_at > now() returning *`
  )[0]

export const findSignIn = async (sql: Queryable, digest: string) =>
  (await sql<SignInRow[]>`select * from mcp_sign_ins where digest = ${digest} and expires_at > now()`)[0]

export const forgetSignIns = (sql: Queryable) => sql`delete from mcp_sign_ins where expires_at < now()`
