import { expectOne, type Queryable } from '../sql.ts'

export const insertProcess = async (sql: Queryable) =>
  expectOne(await sql<{ number: number }[]>`insert into processes default values returning number`).number

/** `lives`: whether nobody took it for dead until now. */
export const sayAlive = async (sql: Queryable, number: number, workerIds: readonly string[], silenceMs: number) =>
  expectOne(
    await sql<{ lives: boolean; othersSilent: boolean }[]>`
      with said as (update processes set seen_at = clock_timestamp(), worker_ids = ${workerIds as string[]} where number = ${number} returning 1)
      select exists (select from said) as lives,
        exists (select from processes where number <> ${number} and seen_at < clock_timestamp() - ${silenceMs} * interval '1 millisecond') as others_silent`,
  )

/** Those that say nothing any more; without those that another looks after at this moment. */
export const forgetSilent = (sql: Queryable, silenceMs: number) =>
  sql<{ workerIds: string[] }[]>`delete from processes where number in (
      select number from processes where seen_at < clock_timestamp() - ${silenceMs} * interval '1 millisecond' order by number for update skip locked)
    returning worker_ids`

export const forgetAllBut = (sql: Queryable, number: number) => sql`delete from processes where number <> ${number}`

export const leaveProcess = (sql: Queryable, number: number) => sql`delete from processes where number = ${number}`
