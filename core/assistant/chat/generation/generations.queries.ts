import { expectOne, json, type Queryable, row, type Tx } from '../../../data/sql.ts'
import type { Generation } from '../chat.model.ts'
import type { ChatPart, Numbered } from './parts.ts'

export interface GenerationRow extends Generation {
  readonly storeId: string
  readonly userId: string
  readonly process: number | null
  readonly attempts: number
}

export const insertGeneration = async (
  sql: Queryable,
  of: Pick<GenerationRow, 'storeId' | 'id' | 'conversationId' | 'userId' | 'messageId' | 'model'>,
) => expectOne(await sql<GenerationRow[]>`insert into chat_generations ${row(sql, of)} returning *`)

/** Nobody else asks for an answer for this person until the transaction ends. */
export const holdAnswersOf = (sql: Tx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chat answers of ${userId}`}, 0))`

export const countRunning = async (sql: Queryable, userId: string) =>
  expectOne(
    await sql<{ count: number }[]>`select count(*)::int as count from chat_generations where user_id = ${userId} and state = 'running'`,
  ).count

export const findGeneration = async (sql: Queryable, id: string) =>
  (await sql<GenerationRow[]>`select * from chat_generations where id = ${id}`)[0]

/** Those that nobody works on. */
export const listFree = (sql: Queryable, take: number) =>
  sql<{ id: string }[]>`select id from chat_generations where state = 'running' and process is null order by id limit ${take}`

/** Takes it up for this process; undefined where somebody else has, or it is over. */
export const takeUp = async (sql: Queryable, id: string, process: number) =>
  (
    await sql<GenerationRow[]>`update chat_generations set process = ${process}, attempts = attempts + 1
      where id = ${id} and state = 'running' and process is null returning *`
  )[0]

/** Lets it go, for whoever takes it up next. */
export const letGo = (sql: Queryable, id: string, process: number) =>
  sql`update chat_generations set process = null where id = ${id} and process = ${process} and state = 'running'`

export const letGoOfDead = (sql: Queryable) =>
  sql`update chat_generations set process = null where state = 'running' and process is not null
    and not exists (select from processes p where p.number = chat_generations.process)`

/** Which of these are not to go on here: somebody wants them to end, another process has them, or they are gone with their conversation. */
export const listUnwanted = (sql: Queryable, ids: readonly string[], process: number) =>
  sql<{ id: string; cancelRequested: boolean }[]>`select w.id, coalesce(g.cancel_requested, false) as cancel_requested
    from unnest(${ids as string[]}::text[]) as w(id) left join chat_generations g on g.id = w.id
    where g.id is null or g.cancel_requested or g.state <> 'running' or g.process is distinct from ${process}`

/** Undefined where it is gone by now. */
export const requestCancel = async (sql: Queryable, id: string) =>
  (
    await sql<
      GenerationRow[]
    >`update chat_generations set cancel_requested = cancel_requested or state = 'running' where id = ${id} returning *`
  )[0]

/** Writes on where this process still has it. Whether it does. */
export const appendParts = async (sql: Queryable, of: GenerationRow, process: number, parts: readonly Numbered[]): Promise<boolean> => {
  const rows = parts.map(({ seq, part }) => ({ seq, part }))
  const last = parts.at(-1)?.seq ?? 0
  const { count } = await sql`with mine as (update chat_generations set last_seq = ${last}
      where id = ${of.id} and state = 'running' and process = ${process} returning id, store_id)
    insert into chat_generation_parts (store_id, generation_id, seq, part)
    select m.store_id, m.id, r.seq, r.part from mine m, jsonb_to_recordset(${json(sql, rows)}::jsonb) as r(seq int, part jsonb)`
  return count > 0
}

export const partsAfter = (sql: Queryable, generationId: string, after: number, take: number) =>
  sql<
    Numbered[]
  >`select seq, part from chat_generation_parts where generation_id = ${generationId} and seq > ${after} order by seq limit ${take}`

export const allParts = async (sql: Queryable, generationId: string): Promise<ChatPart[]> =>
  (await sql<Numbered[]>`select seq, part from chat_generation_parts where generation_id = ${generationId} order by seq`).map(
    ({ part }) => part,
  )

export const lockRunning = async (sql: Tx, id: string, process: number) =>
  (await sql<GenerationRow[]>`select * from chat_generations where id = ${id} and state = 'running' and process = ${process} for update`)[0]

export interface Ending {
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly reason: string
  readonly problem: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: string | null
  readonly currency: string | null
  readonly model: string | null
}

export const endGeneration = async (sql: Tx, of: GenerationRow, ending: Ending, answerId: string | null) => {
  const seq = of.lastSeq + 1
  const { state, reason, problem } = ending
  const part: ChatPart = { type: 'end', state, reason, problem, answerId }
  await sql`insert into chat_generation_parts (store_id, generation_id, seq, part) values (${of.storeId}, ${of.id}, ${seq}, ${json(sql, part)})`
  await sql`update chat_generations set ${row(sql, { ...ending, answerId, lastSeq: seq, process: null, endedAt: new Date() })} where id = ${of.id}`
  return { seq, part } satisfies Numbered
}

/** Deletes what was streamed of some answers that ended so long ago: it stands in messages. Of how many. */
export const dropOldParts = async (sql: Queryable, days: number, take: number) =>
  expectOne(
    await sql<{ count: number }[]>`with old as materialized (
        select g.id from chat_generations g where g.ended_at < now() - ${days} * interval '1 day'
        and exists (select from chat_generation_parts p where p.generation_id = g.id) order by g.ended_at desc limit ${take}),
      dropped as (delete from chat_generation_parts where generation_id in (select id from old))
    select count(*)::int as count from old`,
  ).count

/** Deletes some answers' makings that ended so long ago. How many. */
export const deleteOldGenerations = async (sql: Queryable, days: number, take: number) =>
  (
    await sql`delete from chat_generations where id in (
      select id from chat_generations where ended_at < now() - ${days} * interval '1 day' order by ended_at limit ${take})`
  ).count
