import type { Queryable } from '../../data/sql.ts'
import type { Scope } from '../../http/scopes.ts'

/** Where a token is kept. */
export interface Place {
  readonly week: number
  /** In hex. */
  readonly digest: string
}

interface Issued extends Place {
  readonly thumbprint: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Both of a pair, whose grant then lasts as long as the later one; in one statement. */
export const insertPair = (sql: Queryable, grantId: string, scopes: readonly Scope[], access: Issued, refresh: Issued) => sql`
  with access as (
    insert into oauth_access_tokens (week, digest, grant_id, scopes, thumbprint, created_at, expires_at)
    values (${access.week}, decode(${access.digest}, 'hex'), ${grantId}, ${scopes as Scope[]}, ${access.thumbprint}, ${access.createdAt}, ${access.expiresAt})),
  refresh as (
    insert into oauth_refresh_tokens (week, digest, grant_id, thumbprint, created_at, expires_at)
    values (${refresh.week}, decode(${refresh.digest}, 'hex'), ${grantId}, ${refresh.thumbprint}, ${refresh.createdAt}, ${refresh.expiresAt}))
  update oauth_grants set expires_at = greatest(expires_at, ${refresh.expiresAt}) where id = ${grantId}`

export interface TokenRow {
  readonly grantId: string
  readonly appId: string
  readonly userId: string
  readonly scopes: Scope[]
  readonly thumbprint: string | null
  readonly createdAt: string
  readonly expiresAt: string
  /** Expired, or its grant revoked. */
  readonly isOver: boolean
}

export const findAccessToken = async (sql: Queryable, { week, digest }: Place) =>
  (
    await sql<TokenRow[]>`
    select t.grant_id, g.app_id, g.user_id, t.scopes, t.thumbprint, t.created_at, t.expires_at,
      t.expires_at <= now() or g.revoked_at is not null as is_over
    from oauth_access_tokens t join oauth_grants g on g.id = t.grant_id where t.week = ${week} and t.digest = decode(${digest}, 'hex')`
  )[0]

export const deleteAccessToken = (sql: Queryable, { week, digest }: Place) =>
  sql`delete from oauth_access_tokens where week = ${week} and digest = decode(${digest}, 'hex')`

export interface RefreshRow extends TokenRow {
  readonly usedAt: string | null
}

/** With all that its grant allows. `for update`: until the transaction ends, nobody else uses it. */
export const findRefreshToken = async (sql: Queryable, { week, digest }: Place, hold = false) =>
  (
    await sql<RefreshRow[]>`
    select t.grant_id, g.app_id, g.user_id, g.scopes, t.thumbprint, t.created_at, t.expires_at, t.used_at,
      t.expires_at <= now() or g.revoked_at is not null as is_over
    from oauth_refresh_tokens t join oauth_grants g on g.id = t.grant_id
    where t.week = ${week} and t.digest = decode(${digest}, 'hex') ${hold ? sql`for update of t` : sql``}`
  )[0]

export const useRefreshToken = (sql: Queryable, { week, digest }: Place, usedAt: Date) =>
  sql`update oauth_refresh_tokens set used_at = ${usedAt} where week = ${week} and digest = decode(${digest}, 'hex')`
