import { json, type Queryable, type Sql } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { type PartitionOf, wholeTable, withPartitions } from './partitions.ts'

/** Partition and digest under which a token is stored. */
export interface TokenLocation {
  readonly week: number
  /** SHA-256 of the token, in hex. */
  readonly digest: string
}

interface Issued extends TokenLocation {
  readonly thumbprint: string | null
  readonly expiresAt: Date
}

/** Rows of an access token and its refresh token, with the time of issue. */
export interface IssuedPair {
  readonly at: Date
  readonly access: Issued
  readonly refresh: Issued
}

/** Weeks of a pair. All pairs of one statement share them. */
type Weeks = readonly [access: number, refresh: number]

/** SQL record set of the pairs, each with its number. It is sorted by digest, so that rows are locked in one order. */
function pairRecords(sql: Queryable, requested: readonly { readonly digest: string; readonly pair: IssuedPair }[]) {
  const rows = requested.map(({ pair: { at, access, refresh }, ...one }, number) => ({
    ...one,
    number,
    at,
    access_digest: access.digest,
    access_bound: access.thumbprint,
    access_ends: access.expiresAt,
    refresh_digest: refresh.digest,
    refresh_bound: refresh.thumbprint,
    refresh_ends: refresh.expiresAt,
  }))
  return sql`jsonb_to_recordset(${json(
    sql,
    rows.sort((one, other) => (one.digest < other.digest ? -1 : 1)),
  )}) as requested (
    number int, digest text, app_id text, proven text, scopes text[], at timestamptz,
    access_digest text, access_bound text, access_ends timestamptz, refresh_digest text, refresh_bound text, refresh_ends timestamptz)`
}

/**
 * SQL that inserts a pair for each row of `granted` and extends its grant. The extra hour means that frequent refreshes seldom update the
 * grant.
 */
const insertPairs = (sql: Queryable, [accessWeek, refreshWeek]: Weeks, partOf: PartitionOf) => sql`
  access as (
    insert into ${sql(partOf('oauth_access_tokens', accessWeek))} (week, digest, grant_id, scopes, thumbprint, created_at, expires_at)
    select ${accessWeek}, decode(access_digest, 'hex'), grant_id, given, access_bound, at, access_ends from granted),
  refresh as (
    insert into ${sql(partOf('oauth_refresh_tokens', refreshWeek))} (week, digest, grant_id, thumbprint, created_at, expires_at)
    select ${refreshWeek}, decode(refresh_digest, 'hex'), grant_id, refresh_bound, at, refresh_ends from granted),
  lasting as (
    update oauth_grants g set expires_at = greatest(g.expires_at, longer.ends)
    from (select grant_id, max(refresh_ends) + interval '1 hour' as ends from granted where lasts < refresh_ends group by grant_id order by grant_id) longer
    where g.id = longer.grant_id)`

/** Inserts a pair of tokens for a grant. */
export const insertTokenPair = (sql: Queryable, grantId: string, pair: IssuedPair) => sql`
  with granted as (
    select g.id as grant_id, g.scopes as given, g.expires_at as lasts, requested.*
    from oauth_grants g, ${pairRecords(sql, [{ digest: '', pair }])} where g.id = ${grantId}),
  ${insertPairs(sql, [pair.access.week, pair.refresh.week], wholeTable)}
  select from granted`

/** SQL condition for a grant whose tenant is being deleted. Its tokens do not work until the deletion is cancelled. */
const isTenantDeleting = (sql: Queryable) => sql`exists (
  select 1 from projects d join tenants e on e.id = d.tenant_id where d.id = g.project_id and e.deletes_at is not null)`

/** Exchange of a refresh token for a new pair. */
export interface Rotation {
  readonly place: TokenLocation
  readonly appId: string
  /** Thumbprint of the key that the request proved. */
  readonly proven: string | null
  /** Requested scopes; null for all that were granted. */
  readonly scopes: readonly string[] | null
  readonly pair: IssuedPair
}

/** Returns the key of rotations that can share one statement. */
export const rotationWeeks = ({ place, pair }: Rotation) => `${place.week} ${pair.access.week} ${pair.refresh.week}`

/**
 * Uses valid refresh tokens and inserts the pairs that follow them, in one statement; of concurrent uses only the first succeeds. Returns
 * the scopes of each pair. An entry is undefined when the token does not work for this app, key or scopes.
 */
export async function rotateRefreshTokens(sql: Sql, rotations: readonly Rotation[]): Promise<readonly (Scope[] | undefined)[]> {
  const [first] = rotations
  if (!first) return []
  const requested = rotations.map(({ place, appId, proven, scopes, pair }) => ({
    digest: place.digest,
    app_id: appId,
    proven,
    scopes,
    pair,
  }))
  const { week } = first.place
  const rows = await withPartitions(
    // The redundant length of 64 makes the planner expect few rows, so that it uses the index even when statistics show a small table.
    (partOf) => sql<{ number: number; given: Scope[] }[]>`
    with granted as (
      update ${sql(partOf('oauth_refresh_tokens', week))} t set used_at = requested.at from ${pairRecords(sql, requested)}, oauth_grants g
      where length(requested.digest) = 64 and t.week = ${week} and t.digest = decode(requested.digest, 'hex')
        and t.used_at is null and t.expires_at > now() and (t.thumbprint is null or t.thumbprint = requested.proven)
        and g.id = t.grant_id and g.app_id = requested.app_id and g.revoked_at is null and not ${isTenantDeleting(sql)}
        and (requested.scopes is null or requested.scopes <> '{}' and requested.scopes <@ g.scopes)
      returning requested.*, t.grant_id, g.expires_at as lasts,
        case when requested.scopes is null then g.scopes else array(select scope from unnest(g.scopes) scope where scope = any (requested.scopes)) end as given),
    ${insertPairs(sql, [first.pair.access.week, first.pair.refresh.week], partOf)}
    select number, given from granted`,
  )
  const given = new Map(rows.map((one) => [one.number, one.given]))
  return rotations.map((_, number) => given.get(number))
}

/** Token with its grant, as introspection needs it. */
export interface TokenRow {
  readonly grantId: string
  readonly appId: string
  readonly userId: string
  readonly scopes: Scope[]
  readonly thumbprint: string | null
  readonly createdAt: string
  readonly expiresAt: string
  /** True when the token has expired or its grant is revoked. */
  readonly isOver: boolean
}

/** Finds access tokens of one week, in the order of `places`. */
export async function findAccessTokens(sql: Sql, places: readonly TokenLocation[]): Promise<readonly (TokenRow | undefined)[]> {
  const [first] = places
  if (!first) return []
  const { week } = first
  const rows = await withPartitions(
    (partOf) => sql<(TokenRow & { number: number })[]>`
    select requested.number::int, t.grant_id, g.app_id, g.user_id, t.scopes, t.thumbprint, t.created_at, t.expires_at,
      t.expires_at <= now() or g.revoked_at is not null or ${isTenantDeleting(sql)} as is_over
    from unnest(${places.map(({ digest }) => digest)}::text[]) with ordinality as requested (digest, number)
    join ${sql(partOf('oauth_access_tokens', week))} t on t.week = ${week} and t.digest = decode(requested.digest, 'hex')
    join oauth_grants g on g.id = t.grant_id where length(requested.digest) = 64`,
  )
  const found = new Map(rows.map(({ number, ...row }) => [number, row]))
  return places.map((_, at) => found.get(at + 1))
}

/** Deletes an access token. */
export const deleteAccessToken = (sql: Queryable, { week, digest }: TokenLocation) =>
  sql`delete from oauth_access_tokens where week = ${week} and digest = decode(${digest}, 'hex')`

/** Refresh token with its grant. The scopes are those of the grant. */
export interface RefreshTokenRow extends TokenRow {
  readonly usedAt: string | null
}

/** Finds a refresh token with all scopes of its grant. Returns undefined when it is unknown. */
export const findRefreshToken = async (sql: Sql, { week, digest }: TokenLocation) => {
  const rows = await withPartitions(
    (partOf) => sql<RefreshTokenRow[]>`
    select t.grant_id, g.app_id, g.user_id, g.scopes, t.thumbprint, t.created_at, t.expires_at, t.used_at,
      t.expires_at <= now() or g.revoked_at is not null or ${isTenantDeleting(sql)} as is_over
    from ${sql(partOf('oauth_refresh_tokens', week))} t join oauth_grants g on g.id = t.grant_id
    where t.week = ${week} and t.digest = decode(${digest}, 'hex')`,
  )
  return rows[0]
}
