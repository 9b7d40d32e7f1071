import { expectOne, type Queryable } from '../sql.ts'

/** Inserts a process. Returns its number. */
export const insertProcess = async (sql: Queryable) =>
  expectOne(await sql<{ number: number }[]>`insert into processes default values returning number`).number

/**
 * Records a heartbeat. `lives` is false if another process has declared this one dead. `othersSilent` is true if another process is silent.
 */
export const recordHeartbeat = async (sql: Queryable, number: number, workerIds: readonly string[], silenceMs: number) =>
  expectOne(
    await sql<{ lives: boolean; othersSilent: boolean }[]>`
      with said as (update processes set seen_at = clock_timestamp(), worker_ids = ${workerIds as string[]} where number = ${number} returning 1)
      select exists (select from said) as lives,
        exists (select from processes where number <> ${number} and seen_at < clock_timestamp() - ${silenceMs} * interval '1 millisecond') as others_silent`,
  )

/** Deletes processes that have been silent for `silenceMs`, and returns their workers. Skips rows that another process has locked. */
export const deleteSilentProcesses = (sql: Queryable, silenceMs: number) =>
  sql<{ workerIds: string[] }[]>`delete from processes where number in (
      select number from processes where seen_at < clock_timestamp() - ${silenceMs} * interval '1 millisecond' order by number for update skip locked)
    returning worker_ids`

/** Deletes all other processes. */
export const deleteOtherProcesses = (sql: Queryable, number: number) => sql`delete from processes where number <> ${number}`

/** Deletes a process. */
export const deleteProcess = (sql: Queryable, number: number) => sql`delete from processes where number = ${number}`
