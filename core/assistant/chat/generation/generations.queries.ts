import { expectOne, json, type Queryable, rowValues, type Tx } from '../../../data/sql.ts'
import type { Generation } from '../chat.model.ts'
import type { ChatPart, NumberedPart } from './parts.ts'

/** Row of `chat_generations`. `process` is the number of the process that runs it; null while unclaimed. */
export interface GenerationRow extends Generation {
  readonly projectId: string
  readonly userId: string
  readonly process: number | null
  readonly attempts: number
}

/** Columns that identify a generation. */
export type GenerationKey = Pick<GenerationRow, 'projectId' | 'id'>

/** Inserts a running, unclaimed generation. */
export const insertGeneration = async (
  sql: Queryable,
  of: Pick<GenerationRow, 'projectId' | 'id' | 'conversationId' | 'userId' | 'messageId' | 'model'>,
) => expectOne(await sql<GenerationRow[]>`insert into chat_generations ${rowValues(sql, of)} returning *`)

/** Locks the generations of a user against inserts, until the transaction ends (advisory lock). */
export const lockGenerationsOfUser = (sql: Tx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chat answers of ${userId}`}, 0))`

/** Counts the running generations of a user in all projects. */
export const countRunningGenerations = async (sql: Queryable, userId: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_generations where user_id = ${userId} and state = 'running'`,
  ).count

/** Finds a generation by its id alone, as requests name it, without a lock. Uses a plain index. */
export const findGenerationById = async (sql: Queryable, id: string) =>
  (await sql<GenerationRow[]>`select * from chat_generations where id = ${id}`)[0]

/** Finds a generation of a project, without a lock. */
export const findGeneration = async (sql: Queryable, { projectId, id }: GenerationKey) =>
  (await sql<GenerationRow[]>`select * from chat_generations where project_id = ${projectId} and id = ${id}`)[0]

/** Lists running generations that no process has claimed, oldest first. */
export const listUnclaimedGenerations = (sql: Queryable, take: number) =>
  sql<GenerationKey[]>`select project_id, id from chat_generations where state = 'running' and process is null order by id limit ${take}`

/** Claims a generation for this process. Returns undefined when another process has it or it has ended. */
export const claimGeneration = async (sql: Queryable, { projectId, id }: GenerationKey, process: number) =>
  (
    await sql<GenerationRow[]>`update chat_generations set process = ${process}, attempts = attempts + 1
      where project_id = ${projectId} and id = ${id} and state = 'running' and process is null returning *`
  )[0]

/** Releases a generation of this process, so that another one can claim it. */
export const releaseGeneration = (sql: Queryable, { projectId, id }: GenerationKey, process: number) =>
  sql`update chat_generations set process = null
    where project_id = ${projectId} and id = ${id} and process = ${process} and state = 'running'`

/** Releases the generations of processes that no longer exist. */
export const releaseOrphanedGenerations = async (sql: Queryable) => {
  await sql`update chat_generations set process = null where state = 'running' and process is not null
    and not exists (select from processes p where p.number = chat_generations.process)`
}

/** Returns those of these generations that must stop here: cancelled, ended, claimed by another process, or deleted. */
export const listGenerationsToAbort = (sql: Queryable, keys: readonly GenerationKey[], process: number) =>
  sql<{ id: string; cancelRequested: boolean }[]>`select w.id, coalesce(g.cancel_requested, false) as cancel_requested
    from unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ id }) => id)}::text[]) as w(project_id, id)
    left join chat_generations g on g.project_id = w.project_id and g.id = w.id
    where g.id is null or g.cancel_requested or g.state <> 'running' or g.process is distinct from ${process}`

/** Requests the cancellation of a running generation. Returns undefined when it was deleted. */
export const requestCancellation = async (sql: Queryable, { projectId, id }: GenerationKey) =>
  (
    await sql<GenerationRow[]>`update chat_generations set cancel_requested = cancel_requested or state = 'running'
      where project_id = ${projectId} and id = ${id} returning *`
  )[0]

/** Appends parts while this process holds the claim. Returns false when it lost the claim; then nothing is written. */
export const appendParts = async (sql: Queryable, of: GenerationRow, process: number, parts: readonly NumberedPart[]): Promise<boolean> => {
  const rows = parts.map(({ seq, part }) => ({ seq, part }))
  const last = parts.at(-1)?.seq ?? 0
  const { count } = await sql`with mine as (update chat_generations set last_seq = ${last}
      where project_id = ${of.projectId} and id = ${of.id} and state = 'running' and process = ${process} returning id, project_id)
    insert into chat_generation_parts (project_id, generation_id, seq, part)
    select m.project_id, m.id, r.seq, r.part from mine m, jsonb_to_recordset(${json(sql, rows)}::jsonb) as r(seq int, part jsonb)`
  return count > 0
}

/** Lists the stored parts after a sequence number, in order. */
export const listPartsAfter = (sql: Queryable, { projectId, id }: GenerationKey, after: number, take: number) =>
  sql<NumberedPart[]>`select seq, part from chat_generation_parts
    where project_id = ${projectId} and generation_id = ${id} and seq > ${after} order by seq limit ${take}`

/** Lists all stored parts of a generation, in order. */
export const listParts = async (sql: Queryable, { projectId, id }: GenerationKey): Promise<ChatPart[]> =>
  (
    await sql<
      NumberedPart[]
    >`select seq, part from chat_generation_parts where project_id = ${projectId} and generation_id = ${id} order by seq`
  ).map(({ part }) => part)

/** Locks a running generation of this process. Returns undefined when it lost the claim. */
export const lockRunningGeneration = async (sql: Tx, { projectId, id }: GenerationKey, process: number) =>
  (
    await sql<GenerationRow[]>`select * from chat_generations
    where project_id = ${projectId} and id = ${id} and state = 'running' and process = ${process} for update`
  )[0]

/** Final columns of a generation: its state, its usage and its cost. */
export interface GenerationEnding {
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly reason: string
  readonly problem: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: string | null
  readonly currency: string | null
  readonly model: string | null
}

/** Ends a generation and appends its `end` part, which it returns. The caller holds the row lock. */
export const endGeneration = async (sql: Tx, of: GenerationRow, ending: GenerationEnding, answerId: string | null) => {
  const seq = of.lastSeq + 1
  const { state, reason, problem } = ending
  const part: ChatPart = { type: 'end', state, reason, problem, answerId }
  await sql`insert into chat_generation_parts (project_id, generation_id, seq, part) values (${of.projectId}, ${of.id}, ${seq}, ${json(sql, part)})`
  await sql`update chat_generations set ${rowValues(sql, { ...ending, answerId, lastSeq: seq, process: null, endedAt: new Date() })}
    where project_id = ${of.projectId} and id = ${of.id}`
  return { seq, part } satisfies NumberedPart
}

/** Deletes the streamed parts of up to `take` generations that ended more than `days` days ago; the messages stay. Returns their number. */
export const deleteOldParts = async (sql: Queryable, days: number, take: number) =>
  expectOne(
    await sql<{ count: number }[]>`with old as materialized (
        select g.project_id, g.id from chat_generations g where g.ended_at < now() - ${days} * interval '1 day'
        and exists (select from chat_generation_parts p where p.project_id = g.project_id and p.generation_id = g.id) order by g.ended_at desc limit ${take}),
      dropped as (delete from chat_generation_parts where (project_id, generation_id) in (select project_id, id from old))
    select count(*)::int as count from old`,
  ).count

/** Deletes up to `take` generations that ended more than `days` days ago; the messages stay. Returns the number deleted. */
export const deleteOldGenerations = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from chat_generations where (project_id, id) in (
      select project_id, id from chat_generations where ended_at < now() - ${days} * interval '1 day' order by ended_at limit ${take})`
  ).count
