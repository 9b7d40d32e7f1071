import { json, type Queryable, type Sql } from '../../../data/sql.ts'
import type { Scope } from '../../../http/auth/scopes.ts'
import { inParts, type PartOf, whole } from './partitions.ts'

/** Where a token is kept. */
export interface Place {
  readonly week: number
  /** In hex. */
  readonly digest: string
}

interface Issued extends Place {
  readonly thumbprint: string | null
  readonly expiresAt: Date
}

/** Both that are given together, and when. */
export interface IssuedPair {
  readonly at: Date
  readonly access: Issued
  readonly refresh: Issued
}

/** The weeks of a pair: those that are kept by one statement have the same. */
type Weeks = readonly [access: number, refresh: number]

/** Of what is asked together, each with its number; sorted, so that rows are locked in one order. */
function asRows(sql: Queryable, asked: readonly { readonly digest: string; readonly pair: IssuedPair }[]) {
  const rows = asked.map(({ pair: { at, access, refresh }, ...one }, number) => ({
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
  )}) as asked (
    number int, digest text, app_id text, proven text, scopes text[], at timestamptz,
    access_digest text, access_bound text, access_ends timestamptz, refresh_digest text, refresh_bound text, refresh_ends timestamptz)`
}

/** A pair for each grant that `granted` found, which then lasts a little longer than that: whoever refreshes again and again writes it seldom. */
const keeping = (sql: Queryable, [accessWeek, refreshWeek]: Weeks, partOf: PartOf) => sql`
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

export const insertPair = (sql: Queryable, grantId: string, pair: IssuedPair) => sql`
  with granted as (
    select g.id as grant_id, g.scopes as given, g.expires_at as lasts, asked.*
    from oauth_grants g, ${asRows(sql, [{ digest: '', pair }])} where g.id = ${grantId}),
  ${keeping(sql, [pair.access.week, pair.refresh.week], whole)}
  select from granted`

/** The project of a grant is of a tenant that is being deleted: nothing of it works until that is taken back. */
const isResting = (sql: Queryable) => sql`exists (
  select 1 from projects d join tenants e on e.id = d.tenant_id where d.id = g.project_id and e.deletes_at is not null)`

/** A refresh token for a new pair, as an app asks for it. */
export interface Rotation {
  readonly place: Place
  readonly appId: string
  /** The thumbprint of the key that it proved. */
  readonly proven: string | null
  /** Null for all that was granted. */
  readonly scopes: readonly string[] | null
  readonly pair: IssuedPair
}

/** Those that are alike in this go by one statement. */
export const weeksOf = ({ place, pair }: Rotation) => `${place.week} ${pair.access.week} ${pair.refresh.week}`

/**
 * Uses refresh tokens that work still, and keeps the pairs that follow them, in one statement: of those who bring the same at once the first does,
 * and the others find it used. Gives the scopes of each pair; nothing where the token does not work, not for this app, or not with this key or
 * these scopes.
 */
export async function rotate(sql: Sql, rotations: readonly Rotation[]): Promise<readonly (Scope[] | undefined)[]> {
  const [first] = rotations
  if (!first) return []
  const asked = rotations.map(({ place, appId, proven, scopes, pair }) => ({ digest: place.digest, app_id: appId, proven, scopes, pair }))
  const { week } = first.place
  const rows = await inParts(
    // A digest has 64 letters: it is said so that few rows are expected, and each is looked up in the index, however small the table was once.
    (partOf) => sql<{ number: number; given: Scope[] }[]>`
    with granted as (
      update ${sql(partOf('oauth_refresh_tokens', week))} t set used_at = asked.at from ${asRows(sql, asked)}, oauth_grants g
      where length(asked.digest) = 64 and t.week = ${week} and t.digest = decode(asked.digest, 'hex')
        and t.used_at is null and t.expires_at > now() and (t.thumbprint is null or t.thumbprint = asked.proven)
        and g.id = t.grant_id and g.app_id = asked.app_id and g.revoked_at is null and not ${isResting(sql)}
        and (asked.scopes is null or asked.scopes <> '{}' and asked.scopes <@ g.scopes)
      returning asked.*, t.grant_id, g.expires_at as lasts,
        case when asked.scopes is null then g.scopes else array(select scope from unnest(g.scopes) scope where scope = any (asked.scopes)) end as given),
    ${keeping(sql, [first.pair.access.week, first.pair.refresh.week], partOf)}
    select number, given from granted`,
  )
  const given = new Map(rows.map((one) => [one.number, one.given]))
  return rotations.map((_, number) => given.get(number))
}

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

/** Each, in their order; of one week. */
export async function findAccessTokens(sql: Sql, places: readonly Place[]): Promise<readonly (TokenRow | undefined)[]> {
  const [first] = places
  if (!first) return []
  const { week } = first
  const rows = await inParts(
    (partOf) => sql<(TokenRow & { number: number })[]>`
    select asked.number::int, t.grant_id, g.app_id, g.user_id, t.scopes, t.thumbprint, t.created_at, t.expires_at,
      t.expires_at <= now() or g.revoked_at is not null or ${isResting(sql)} as is_over
    from unnest(${places.map(({ digest }) => digest)}::text[]) with ordinality as asked (digest, number)
    join ${sql(partOf('oauth_access_tokens', week))} t on t.week = ${week} and t.digest = decode(asked.digest, 'hex')
    join oauth_grants g on g.id = t.grant_id where length(asked.digest) = 64`,
  )
  const found = new Map(rows.map(({ number, ...row }) => [number, row]))
  return places.map((_, at) => found.get(at + 1))
}

export const deleteAccessToken = (sql: Queryable, { week, digest }: Place) =>
  sql`delete from oauth_access_tokens where week = ${week} and digest = decode(${digest}, 'hex')`

export interface RefreshRow extends TokenRow {
  readonly usedAt: string | null
}

/** With all that its grant allows. */
export const findRefreshToken = async (sql: Sql, { week, digest }: Place) => {
  const rows = await inParts(
    (partOf) => sql<RefreshRow[]>`
    select t.grant_id, g.app_id, g.user_id, g.scopes, t.thumbprint, t.created_at, t.expires_at, t.used_at,
      t.expires_at <= now() or g.revoked_at is not null or ${isResting(sql)} as is_over
    from ${sql(partOf('oauth_refresh_tokens', week))} t join oauth_grants g on g.id = t.grant_id
    where t.week = ${week} and t.digest = decode(${digest}, 'hex')`,
  )
  return rows[0]
}
