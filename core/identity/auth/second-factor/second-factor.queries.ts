import type { Queryable } from '../../../data/sql.ts'

/** Row of the `second_factors` table. */
export interface FactorRow {
  readonly userId: string
  /** Encrypted by the vault. */
  readonly secret: string
  readonly confirmedAt: string | null
  readonly lastStep: number
}

/** Finds the second factor of a user, confirmed or pending. Returns undefined when there is none. */
export const findFactor = async (sql: Queryable, userId: string) =>
  (await sql<FactorRow[]>`select user_id, secret, confirmed_at, last_step from second_factors where user_id = ${userId}`)[0]

/** Stores a pending second factor, replacing one that is pending. Returns false when a confirmed one exists. */
export const upsertPendingFactor = async (sql: Queryable, userId: string, secret: string) =>
  (
    await sql`insert into second_factors (user_id, secret) values (${userId}, ${secret})
      on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now() where second_factors.confirmed_at is null`
  ).count > 0

/** Claims a time step, so that a code works only once. Returns false when this or a later step was used before. */
export const claimTotpStep = async (sql: Queryable, userId: string, secret: string, step: number) =>
  (await sql`update second_factors set last_step = ${step} where user_id = ${userId} and secret = ${secret} and last_step < ${step}`)
    .count > 0

/** Confirms the pending second factor with this secret. Returns false when another one is pending, or it is confirmed already. */
export const confirmFactor = async (sql: Queryable, userId: string, secret: string) =>
  (await sql`update second_factors set confirmed_at = now() where user_id = ${userId} and secret = ${secret} and confirmed_at is null`)
    .count > 0

/** Deletes the second factor of a user with its recovery codes. */
export const deleteFactor = async (sql: Queryable, userId: string) => {
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`delete from second_factors where user_id = ${userId}`
}

/** Replaces all recovery codes of a user. `digests` are keyed hashes of the codes. */
export const replaceRecoveryCodes = async (sql: Queryable, userId: string, digests: readonly string[]) => {
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`insert into recovery_codes (user_id, digest) select ${userId}, unnest(${digests as string[]}::text[])`
}

/** Deletes a recovery code, which works once. Returns false when there is no such code. */
export const consumeRecoveryCode = async (sql: Queryable, userId: string, digest: string) =>
  (await sql`delete from recovery_codes where user_id = ${userId} and digest = ${digest}`).count > 0

/** Counts the unused recovery codes of a user. */
export const countRecoveryCodes = async (sql: Queryable, userId: string) =>
  (await sql<{ count: number }[]>`select count(*)::int as count from recovery_codes where user_id = ${userId}`)[0]?.count ?? 0
