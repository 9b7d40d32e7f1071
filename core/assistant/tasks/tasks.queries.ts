import type { Usage } from '../../../plugins/model/model.ts'
import { keysetPage, matching } from '../../data/keyset-page.ts'
import { expectOne, type Queryable, row, type Tx } from '../../data/sql.ts'
import { momentOfIds } from '../../lib/ids.ts'
import type { Reason, State } from './states.ts'
import type { AskedTasks, Input, Period } from './tasks.model.ts'

/** Row of `ai_tasks` without input and result. Amounts are exact decimals. */
export interface TaskRow {
  readonly projectId: string
  readonly id: string
  readonly state: State
  readonly model: string
  readonly connectionId: string
  readonly gives: 'text' | 'image' | 'speech'
  readonly metadata: Record<string, unknown>
  readonly currency: string
  readonly maxCost: string | null
  readonly hold: string
  readonly cost: string | null
  readonly charged: string | null
  readonly usage: Usage | null
  readonly generation: string | null
  readonly sentAt: string | null
  readonly cancelAskedAt: string | null
  readonly attempts: number
  readonly looks: number
  readonly reason: Reason | null
  readonly message: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
}

/** Text result of a task and the reason why the model stopped. */
export interface Text {
  readonly text: string | null
  readonly ending: string | null
}
/** Row of `ai_tasks` with input and result; both are null after their deletion. */
export type WholeRow = TaskRow & { readonly input: Input | null; readonly result: Text | null }

const plainColumns = [
  ...[
    'projectId',
    'id',
    'state',
    'model',
    'connectionId',
    'gives',
    'metadata',
    'currency',
    'usage',
    'generation',
    'sentAt',
    'cancelAskedAt',
  ],
  ...['attempts', 'looks', 'reason', 'message', 'createdAt', 'updatedAt', 'endedAt'],
]
const columns = (sql: Queryable) => sql`${sql(plainColumns)}, trim_scale(max_cost)::text as max_cost, trim_scale(hold)::text as hold,
  trim_scale(cost)::text as cost, trim_scale(charged)::text as charged`

/** Columns of a new task. */
export type NewRow = Pick<
  WholeRow,
  'projectId' | 'id' | 'state' | 'model' | 'connectionId' | 'gives' | 'metadata' | 'currency' | 'maxCost' | 'hold' | 'input'
>

/** Inserts a task. */
export const insertTask = async (tx: Tx, task: NewRow) =>
  expectOne(await tx<TaskRow[]>`insert into ai_tasks ${row(tx, task, ['input', 'metadata'])} returning ${columns(tx)}`)

/** Finds a task of a project with its input and result. */
export const findTask = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<WholeRow[]>`select ${columns(sql)}, input, result from ai_tasks where project_id = ${projectId} and id = ${id}`)[0]

/** Locks a task until the transaction ends. Lock order: the task, then the account of its project. */
export const lockTask = async (tx: Tx, id: string) =>
  (await tx<WholeRow[]>`select ${columns(tx)}, input, result from ai_tasks where id = ${id} for update`)[0]

/** Columns of a task that may change. */
export type Change = Partial<Omit<WholeRow, 'projectId' | 'id' | 'createdAt' | 'updatedAt'>>

/** Updates a task and its `updated_at`. The task must exist. */
export const updateTask = async (sql: Queryable, id: string, change: Change) =>
  expectOne(
    await sql<
      TaskRow[]
    >`update ai_tasks set ${row(sql, { ...change, updatedAt: new Date() }, ['usage', 'result'])} where id = ${id} returning ${columns(sql)}`,
  )

/** Records the source's id of the generation, unless one is recorded. */
export const noteGeneration = (sql: Queryable, id: string, generation: string) =>
  sql`update ai_tasks set generation = ${generation} where id = ${id} and generation is null`

/** Returns true when a cancellation was requested. */
export const isCancelAsked = async (sql: Queryable, id: string) =>
  (await sql`select 1 from ai_tasks where id = ${id} and cancel_asked_at is not null`).length > 0

/** Counts the queued and running tasks of a project. */
export const countOpen = async (sql: Queryable, projectId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from ai_tasks where project_id = ${projectId} and state in ('queued', 'running')`,
  ).count

/** Lists tasks of a project by filters and creation time, as a keyset page. */
export const listTasks = (sql: Queryable, projectId: string, { filter, slice: asked }: AskedTasks, { from, to }: Period) =>
  sql<TaskRow[]>`select ${columns(sql)} from ai_tasks where project_id = ${projectId} ${matching(sql, filter)}
    ${from === undefined ? sql`` : sql`and id >= ${momentOfIds('ait', Date.parse(from))}`}
    ${to === undefined ? sql`` : sql`and id < ${momentOfIds('ait', Date.parse(to))}`} ${keysetPage(sql, asked)}`

/** Lists the tasks of all projects that wait for an administrator, newest first. */
export const listDoubtful = (sql: Queryable, before: string | null, take: number) =>
  sql<
    TaskRow[]
  >`select ${columns(sql)} from ai_tasks where state = 'reconciliation_required' and (${before}::text is null or id < ${before})
    order by id desc limit ${take}`

/** Links files to a task. */
export const insertTaskFiles = (tx: Tx, projectId: string, taskId: string, fileIds: readonly string[]) =>
  tx`insert into ai_task_files (project_id, task_id, file_id) select ${projectId}, ${taskId}, unnest(${fileIds as string[]}::text[])`

/** Lists the ids of the files of a task. */
export const listTaskFiles = async (sql: Queryable, taskId: string) =>
  (await sql<{ fileId: string }[]>`select file_id from ai_task_files where task_id = ${taskId} order by file_id`).map(
    ({ fileId }) => fileId,
  )

/** Deletes input and result of up to `most` tasks that ended more than `days` days ago. Returns their ids and files. */
export const forgetContents = (tx: Tx, days: number, most: number) =>
  tx<{ id: string; files: string[] }[]>`
    with old as (select id from ai_tasks where input is not null and ended_at < now() - ${days} * interval '1 day' limit ${most} for update skip locked)
    update ai_tasks t set input = null, result = null from old where t.id = old.id
    returning t.id, array(select file_id from ai_task_files f where f.task_id = t.id) as files`

/** Returns true when a project has this id. */
export const hasProject = async (sql: Queryable, id: string) => (await sql`select 1 from projects where id = ${id}`).length > 0
