import { type Queryable, rowValues } from '../../../data/sql.ts'
import type { ConnectionRef } from '../connections.model.ts'

/** State of a sign-in that has started, as it is stored. */
export interface AuthorizationState {
  readonly digest: string
  readonly projectId: string
  readonly connectionId: string
  readonly begunBy: string
  readonly redirectUri: string
  readonly returnTo: string | null
}

/** Inserts a state that expires after `minutes`. */
export const insertAuthorizationState = (sql: Queryable, state: AuthorizationState, minutes: number) =>
  sql`insert into oauth_states ${rowValues(sql, { ...state, expiresAt: new Date(Date.now() + minutes * 60_000) })}`

/** Deletes expired states. */
export const deleteExpiredStates = (sql: Queryable) => sql`delete from oauth_states where expires_at < now()`

/** Deletes and returns a state, so that it works once. Returns undefined if it has expired or another caller started it. */
export const consumeState = async (sql: Queryable, digest: string, caller: string | null) =>
  (
    await sql<AuthorizationState[]>`delete from oauth_states where digest = ${digest} and expires_at > now()
      and (${caller}::text is null or begun_by = ${caller}) returning *`
  )[0]

/**
 * Returns true if the user or project may still connect the store: as its project, one of its administrators, or an administrator of the
 * platform.
 */
export const canConnectStore = async (sql: Queryable, { projectId, id }: ConnectionRef, actorId: string) =>
  (
    await sql`select 1 from integrations i join stores s on s.project_id = i.project_id and s.deleted_at is null
      where i.project_id = ${projectId} and i.id = ${id} and i.deleted_at is null and (s.project_id = ${actorId}
        or exists (select 1 from store_members m where m.store_id = s.id and m.user_id = ${actorId} and m.role in ('owner', 'admin')
          and (m.permissions is null or 'stores:write' = any(m.permissions)))
        or exists (select 1 from users u where u.id = ${actorId} and u.is_admin))`
  ).length > 0

/** Tokens of a connection as they are stored, with times relative to now. */
export interface TokensRow {
  /** Sealed JSON. */
  readonly sealed: string
  readonly version: number
  /** Seconds since they were issued. */
  readonly age: number
  /** True if they are due for renewal; `isExpired` is true if they no longer work. */
  readonly isStale: boolean
  readonly isExpired: boolean
  readonly isRenewing: boolean
  /** Seconds until the next renewal attempt, after a failure. */
  readonly restSeconds: number
  readonly refused: string | null
}

/** Finds the tokens of a connection. */
export const findTokens = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (
    await sql<TokensRow[]>`select sealed, version, refused,
      extract(epoch from now() - renewed_at)::float8 as age,
      coalesce(renew_at <= now(), false) as is_stale,
      coalesce(expires_at <= now(), false) as is_expired,
      coalesce(renewing_until > now(), false) as is_renewing,
      greatest(0, coalesce(extract(epoch from retry_at - now()), 0))::float8 as rest_seconds
      from oauth_tokens where project_id = ${projectId} and connection_id = ${id}`
  )[0]

/** Sealed tokens with their lifetime. */
export interface SealedTokens {
  readonly sealed: string
  /** Null if unknown, or if they never expire. */
  readonly expiresInMs: number | null
  readonly renewInMs: number | null
}

const timeIn = (sql: Queryable, ms: number | null) => sql`now() + ${ms}::float8 * interval '1 millisecond'`
/** Sets new tokens and clears the state of earlier renewals. */
const newTokenColumns = (
  sql: Queryable,
  { sealed, expiresInMs, renewInMs }: SealedTokens,
) => sql`sealed = ${sealed}, version = oauth_tokens.version + 1,
  expires_at = ${timeIn(sql, expiresInMs)}, renew_at = ${timeIn(sql, renewInMs)}, renewed_at = now(),
  renewing_by = null, renewing_until = null, unanswered = false, failures = 0, retry_at = null, refused = null`

/** Stores the tokens of a user's sign-in, and replaces earlier ones. */
export const upsertTokens = (sql: Queryable, { projectId, id }: ConnectionRef, tokens: SealedTokens) =>
  sql`insert into oauth_tokens (project_id, connection_id, sealed, expires_at, renew_at)
    values (${projectId}, ${id}, ${tokens.sealed}, ${timeIn(sql, tokens.expiresInMs)}, ${timeIn(sql, tokens.renewInMs)})
    on conflict (project_id, connection_id) do update set ${newTokenColumns(sql, tokens)}`

/** Stores tokens that the provider pushed. Returns false if it pushed newer ones before. */
export const upsertPushedTokens = async (sql: Queryable, { projectId, id }: ConnectionRef, tokens: SealedTokens, until: string) =>
  (
    await sql`insert into oauth_tokens (project_id, connection_id, sealed, expires_at, renew_at, handed_until)
      values (${projectId}, ${id}, ${tokens.sealed}, ${timeIn(sql, tokens.expiresInMs)}, ${timeIn(sql, tokens.renewInMs)}, ${until})
      on conflict (project_id, connection_id) do update set ${newTokenColumns(sql, tokens)}, handed_until = ${until}
        where coalesce(oauth_tokens.handed_until < ${until}, true)`
  ).count > 0

/** Replaces tokens after a renewal. Returns false if their version has changed since. */
export const replaceTokens = async (sql: Queryable, { projectId, id }: ConnectionRef, version: number, tokens: SealedTokens) =>
  (
    await sql`update oauth_tokens set ${newTokenColumns(sql, tokens)}
      where project_id = ${projectId} and connection_id = ${id} and version = ${version}`
  ).count > 0

/**
 * Claims the renewal of a version for `seconds`; undefined if it is claimed, delayed or refused. An expired claim counts as a renewal
 * without an answer.
 */
export const claimRenewal = async (sql: Queryable, { projectId, id }: ConnectionRef, version: number, by: string, seconds: number) =>
  (
    await sql<{ sealed: string; unanswered: boolean; failures: number }[]>`update oauth_tokens
      set renewing_by = ${by}, renewing_until = now() + ${seconds} * interval '1 second', unanswered = unanswered or renewing_by is not null
      where project_id = ${projectId} and connection_id = ${id} and version = ${version} and refused is null
        and coalesce(renewing_until <= now(), true) and coalesce(retry_at <= now(), true)
      returning sealed, unanswered, failures`
  )[0]

/** Releases a failed renewal and delays the next attempt. */
export const releaseRenewal = (
  sql: Queryable,
  { projectId, id }: ConnectionRef,
  by: string,
  retrySeconds: number,
  { unanswered }: { readonly unanswered: boolean },
) =>
  sql`update oauth_tokens set renewing_by = null, renewing_until = null, failures = failures + 1,
      retry_at = now() + ${retrySeconds}::float8 * interval '1 second', unanswered = unanswered or ${unanswered}
    where project_id = ${projectId} and connection_id = ${id} and renewing_by = ${by}`

/** Records the provider's permanent refusal of a version. Returns false if newer tokens have arrived. */
export const markTokensRefused = async (sql: Queryable, { projectId, id }: ConnectionRef, version: number, why: string) =>
  (
    await sql`update oauth_tokens set refused = ${why}, renewing_by = null, renewing_until = null
      where project_id = ${projectId} and connection_id = ${id} and version = ${version}`
  ).count > 0

/** Clears a refusal and a delay, after a change that may have fixed the cause. */
export const clearTokenFailures = (sql: Queryable, { projectId, id }: ConnectionRef) =>
  sql`update oauth_tokens set refused = null, retry_at = null where project_id = ${projectId} and connection_id = ${id}`

/** Deletes the tokens of a connection and returns them. */
export const deleteTokens = async (sql: Queryable, { projectId, id }: ConnectionRef) =>
  (await sql<{ sealed: string }[]>`delete from oauth_tokens where project_id = ${projectId} and connection_id = ${id} returning sealed`)[0]

/** Lists enabled connections whose renewal has been due for `days`. Providers may drop sign-ins that are not used. */
export const listIdleSignIns = (sql: Queryable, days: number, limit: number) =>
  sql<
    ConnectionRef[]
  >`select i.project_id, i.id from oauth_tokens t join integrations i on i.project_id = t.project_id and i.id = t.connection_id
      where t.refused is null and t.renew_at < now() - ${days} * interval '1 day' and i.enabled and i.deleted_at is null
      order by t.renew_at limit ${limit}`
