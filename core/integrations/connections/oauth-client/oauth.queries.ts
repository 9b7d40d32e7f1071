import { type Queryable, rowValues } from '../../../data/sql.ts'

export interface NewState {
  readonly digest: string
  readonly connectionId: string
  readonly begunBy: string
  readonly redirectUri: string
  readonly returnTo: string | null
}

export const insertState = (sql: Queryable, state: NewState, minutes: number) =>
  sql`insert into oauth_states ${rowValues(sql, { ...state, expiresAt: new Date(Date.now() + minutes * 60_000) })}`

export const forgetStates = (sql: Queryable) => sql`delete from oauth_states where expires_at < now()`

/** The state, which nobody is given a second time; nothing where somebody else than whoever began comes with it. */
export const takeState = async (sql: Queryable, digest: string, caller: string | null) =>
  (
    await sql<NewState[]>`delete from oauth_states where digest = ${digest} and expires_at > now()
      and (${caller}::text is null or begun_by = ${caller}) returning *`
  )[0]

/** Whether whoever began may still connect: an administrator of the store or of the platform, or the store's project. */
export const mayConnect = async (sql: Queryable, connectionId: string, who: string) =>
  (
    await sql`select 1 from integrations i join stores s on s.id = i.store_id and s.deleted_at is null
      where i.id = ${connectionId} and i.deleted_at is null and (s.project_id = ${who}
        or exists (select 1 from store_members m where m.store_id = s.id and m.user_id = ${who} and m.role in ('owner', 'admin')
          and (m.permissions is null or 'stores:write' = any(m.permissions)))
        or exists (select 1 from users u where u.id = ${who} and u.is_admin))`
  ).length > 0

export interface TokensRow {
  readonly connectionId: string
  /** Sealed JSON. */
  readonly sealed: string
  readonly version: number
  /** Seconds since they came. */
  readonly age: number
  /** They are to be renewed, and they work no more. */
  readonly isStale: boolean
  readonly isExpired: boolean
  readonly isRenewing: boolean
  /** After a failure, the seconds until it is tried again. */
  readonly restSeconds: number
  readonly refused: string | null
}

export const findTokens = async (sql: Queryable, connectionId: string) =>
  (
    await sql<TokensRow[]>`select connection_id, sealed, version, refused,
      extract(epoch from now() - renewed_at)::float8 as age,
      coalesce(renew_at <= now(), false) as is_stale,
      coalesce(expires_at <= now(), false) as is_expired,
      coalesce(renewing_until > now(), false) as is_renewing,
      greatest(0, coalesce(extract(epoch from retry_at - now()), 0))::float8 as rest_seconds
      from oauth_tokens where connection_id = ${connectionId}`
  )[0]

export interface KeptTokens {
  readonly sealed: string
  /** Null where that is not known, or never. */
  readonly expiresInMs: number | null
  readonly renewInMs: number | null
}

const from = (sql: Queryable, ms: number | null) => sql`now() + ${ms}::float8 * interval '1 millisecond'`
/** Whatever was noted of those before them is over. */
const anew = (sql: Queryable, { sealed, expiresInMs, renewInMs }: KeptTokens) => sql`sealed = ${sealed}, version = oauth_tokens.version + 1,
  expires_at = ${from(sql, expiresInMs)}, renew_at = ${from(sql, renewInMs)}, renewed_at = now(),
  renewing_by = null, renewing_until = null, unanswered = false, failures = 0, retry_at = null, refused = null`

/** Those of a person who signed in, in the place of whatever was there. */
export const putTokens = (sql: Queryable, connectionId: string, tokens: KeptTokens) =>
  sql`insert into oauth_tokens (connection_id, sealed, expires_at, renew_at)
    values (${connectionId}, ${tokens.sealed}, ${from(sql, tokens.expiresInMs)}, ${from(sql, tokens.renewInMs)})
    on conflict (connection_id) do update set ${anew(sql, tokens)}`

/** Those that the other side handed over, unless newer ones were handed over before. Whether they stand. */
export const putHanded = async (sql: Queryable, connectionId: string, tokens: KeptTokens, until: string) =>
  (
    await sql`insert into oauth_tokens (connection_id, sealed, expires_at, renew_at, handed_until)
      values (${connectionId}, ${tokens.sealed}, ${from(sql, tokens.expiresInMs)}, ${from(sql, tokens.renewInMs)}, ${until})
      on conflict (connection_id) do update set ${anew(sql, tokens)}, handed_until = ${until}
        where coalesce(oauth_tokens.handed_until < ${until}, true)`
  ).count > 0

/** Those that came of a version, if that is still the one that stands. */
export const replaceTokens = async (sql: Queryable, connectionId: string, version: number, tokens: KeptTokens) =>
  (await sql`update oauth_tokens set ${anew(sql, tokens)} where connection_id = ${connectionId} and version = ${version}`).count > 0

/** One at a time renews them, wherever it runs. Whoever died at it leaves that its renewal was never answered. */
export const claimRenewal = async (sql: Queryable, connectionId: string, version: number, by: string, seconds: number) =>
  (
    await sql<{ sealed: string; unanswered: boolean; failures: number }[]>`update oauth_tokens
      set renewing_by = ${by}, renewing_until = now() + ${seconds} * interval '1 second', unanswered = unanswered or renewing_by is not null
      where connection_id = ${connectionId} and version = ${version} and refused is null
        and coalesce(renewing_until <= now(), true) and coalesce(retry_at <= now(), true)
      returning sealed, unanswered, failures`
  )[0]

/** It failed, and is tried again later. */
export const releaseRenewal = (sql: Queryable, connectionId: string, by: string, retrySeconds: number, unanswered: boolean) =>
  sql`update oauth_tokens set renewing_by = null, renewing_until = null, failures = failures + 1,
      retry_at = now() + ${retrySeconds}::float8 * interval '1 second', unanswered = unanswered or ${unanswered}
    where connection_id = ${connectionId} and renewing_by = ${by}`

/** The other side's no for good. Others that came meanwhile are not concerned. */
export const refuseTokens = async (sql: Queryable, connectionId: string, version: number, why: string) =>
  (
    await sql`update oauth_tokens set refused = ${why}, renewing_by = null, renewing_until = null
      where connection_id = ${connectionId} and version = ${version}`
  ).count > 0

/** Something was changed that may have been the cause: it is tried again. */
export const forgiveTokens = (sql: Queryable, connectionId: string) =>
  sql`update oauth_tokens set refused = null, retry_at = null where connection_id = ${connectionId}`

/** Forgets them, and gives what was forgotten. */
export const deleteTokens = async (sql: Queryable, connectionId: string) =>
  (await sql<{ sealed: string }[]>`delete from oauth_tokens where connection_id = ${connectionId} returning sealed`)[0]

/** Connections that are on and whose tokens nobody has needed for so long: the other side may forget those that rest. */
export const listResting = async (sql: Queryable, days: number, take: number) =>
  (
    await sql<{ id: string }[]>`select i.id from oauth_tokens t join integrations i on i.id = t.connection_id
      where t.refused is null and t.renew_at < now() - ${days} * interval '1 day' and i.enabled and i.deleted_at is null
      order by t.renew_at limit ${take}`
  ).map(({ id }) => id)
