import type { Queryable } from '../../../data/sql.ts'

export interface FactorRow {
  readonly userId: string
  /** Sealed. */
  readonly secret: string
  readonly confirmedAt: string | null
  readonly lastStep: number
}

export const findFactor = async (sql: Queryable, userId: string) =>
  (await sql<FactorRow[]>`select user_id, secret, confirmed_at, last_step from second_factors where user_id = ${userId}`)[0]

/** Whether it could be: not in place of one that works. */
export const putFactor = async (sql: Queryable, userId: string, secret: string) =>
  (
    await sql`insert into second_factors (user_id, secret) values (${userId}, ${secret})
      on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now() where second_factors.confirmed_at is null`
  ).count > 0

/** Whether the step was not taken before: a code that somebody looked at works no second time. */
export const takeStep = async (sql: Queryable, userId: string, secret: string, step: number) =>
  (await sql`update second_factors set last_step = ${step} where user_id = ${userId} and secret = ${secret} and last_step < ${step}`)
    .count > 0

/** Whether it was this secret that waited, and not one that was begun with meanwhile. */
export const confirmFactor = async (sql: Queryable, userId: string, secret: string) =>
  (await sql`update second_factors set confirmed_at = now() where user_id = ${userId} and secret = ${secret} and confirmed_at is null`)
    .count > 0

export const deleteFactor = async (sql: Queryable, userId: string) => {
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`delete from second_factors where user_id = ${userId}`
}

export const replaceRecoveryCodes = async (sql: Queryable, userId: string, digests: readonly string[]) => {
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`insert into recovery_codes (user_id, digest) select ${userId}, unnest(${digests as string[]}::text[])`
}

export const useRecoveryCode = async (sql: Queryable, userId: string, digest: string) =>
  (await sql`delete from recovery_codes where user_id = ${userId} and digest = ${digest}`).count > 0

export const countRecoveryCodes = async (sql: Queryable, userId: string) =>
  (await sql<{ count: number }[]>`select count(*)::int as count from recovery_codes where user_id = ${userId}`)[0]?.count ?? 0
