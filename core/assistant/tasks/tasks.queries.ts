import type { Usage } from '../../../plugins/model/model.ts'
import { equalsCondition, keysetPage } from '../../data/keyset-page.ts'
import { expectOne, type Queryable, rowValues, type Tx } from '../../data/sql.ts'
import { lowestIdAt } from '../../lib/ids.ts'
import type { TaskReason, TaskState } from './states.ts'
import type { CreationPeriod, TaskInput, TaskListQuery } from './tasks.model.ts'

/** Row of `ai_tasks` without input and result. Amounts are exact decimals. */
export interface TaskRow {
  readonly projectId: string
  readonly id: string
  readonly state: TaskState
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
  readonly reason: TaskReason | null
  readonly message: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly endedAt: string | null
}

/** Columns that identify a task. */
export type TaskKey = Pick<TaskRow, 'projectId' | 'id'>

/** Text result of a task and the reason why the model stopped. */
export interface TextResult {
  readonly text: string | null
  readonly ending: string | null
}
/** Row of `ai_tasks` with input and result; both are null after their deletion. */
export type TaskRowWithContents = TaskRow & { readonly input: TaskInput | null; readonly result: TextResult | null }

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
export type NewTaskRow = Pick<
  TaskRowWithContents,
  'projectId' | 'id' | 'state' | 'model' | 'connectionId' | 'gives' | 'metadata' | 'currency' | 'maxCost' | 'hold' | 'input'
>

/** Inserts a task. */
export const insertTask = async (tx: Tx, task: NewTaskRow) =>
  expectOne(await tx<TaskRow[]>`insert into ai_tasks ${rowValues(tx, task, ['input', 'metadata'])} returning ${columns(tx)}`)

/** Finds a task of a project with its input and result. */
export const findTask = async (sql: Queryable, projectId: string, id: string) =>
  (await sql<TaskRowWithContents[]>`select ${columns(sql)}, input, result from ai_tasks where project_id = ${projectId} and id = ${id}`)[0]

/** Finds the key of a task by its id alone, for jobs and administrators, who know no project. Uses a plain index. */
export const findTaskKey = async (sql: Queryable, id: string) =>
  (await sql<TaskKey[]>`select project_id, id from ai_tasks where id = ${id}`)[0]

/** Locks a task until the transaction ends. Lock order: the task, then the account of its project. */
export const lockTask = async (tx: Tx, { projectId, id }: TaskKey) =>
  (
    await tx<
      TaskRowWithContents[]
    >`select ${columns(tx)}, input, result from ai_tasks where project_id = ${projectId} and id = ${id} for update`
  )[0]

/** Columns of a task that may change. */
export type TaskChange = Partial<Omit<TaskRowWithContents, 'projectId' | 'id' | 'createdAt' | 'updatedAt'>>

/** Updates a task and its `updated_at`. The task must exist. */
export const updateTask = async (sql: Queryable, { projectId, id }: TaskKey, change: TaskChange) =>
  expectOne(
    await sql<TaskRow[]>`update ai_tasks set ${rowValues(sql, { ...change, updatedAt: new Date() }, ['usage', 'result'])}
      where project_id = ${projectId} and id = ${id} returning ${columns(sql)}`,
  )

/** Records the source's id of the generation, unless one is recorded. */
export const recordGeneration = (sql: Queryable, { projectId, id }: TaskKey, generation: string) =>
  sql`update ai_tasks set generation = ${generation} where project_id = ${projectId} and id = ${id} and generation is null`

/** Returns true when a cancellation was requested. */
export const isCancelRequested = async (sql: Queryable, { projectId, id }: TaskKey) =>
  (await sql`select 1 from ai_tasks where project_id = ${projectId} and id = ${id} and cancel_asked_at is not null`).length > 0

/** Counts the queued and running tasks of a project. */
export const countOpenTasks = async (sql: Queryable, projectId: string) =>
  expectOne(
    await sql<
      { count: number }[]
    >`select count(*)::int as count from ai_tasks where project_id = ${projectId} and state in ('queued', 'running')`,
  ).count

/** Lists tasks of a project by filters and creation time, as a keyset page. */
export const listTasks = (sql: Queryable, projectId: string, { filter, page: asked }: TaskListQuery, { from, to }: CreationPeriod) =>
  sql<TaskRow[]>`select ${columns(sql)} from ai_tasks where project_id = ${projectId} ${equalsCondition(sql, filter)}
    ${from === undefined ? sql`` : sql`and id >= ${lowestIdAt('ait', Date.parse(from))}`}
    ${to === undefined ? sql`` : sql`and id < ${lowestIdAt('ait', Date.parse(to))}`} ${keysetPage(sql, asked)}`

/** Lists the tasks of all projects that wait for an administrator, newest first. */
export const listUnreconciledTasks = (sql: Queryable, before: string | null, take: number) =>
  sql<
    TaskRow[]
  >`select ${columns(sql)} from ai_tasks where state = 'reconciliation_required' and (${before}::text is null or id < ${before})
    order by id desc limit ${take}`

/** Links files to a task. */
export const insertTaskFiles = (tx: Tx, { projectId, id }: TaskKey, fileIds: readonly string[]) =>
  tx`insert into ai_task_files (project_id, task_id, file_id) select ${projectId}, ${id}, unnest(${fileIds as string[]}::text[])`

/** Lists the ids of the files of a task. */
export const listTaskFiles = async (sql: Queryable, { projectId, id }: TaskKey) =>
  (
    await sql<{ fileId: string }[]>`select file_id from ai_task_files where project_id = ${projectId} and task_id = ${id} order by file_id`
  ).map(({ fileId }) => fileId)

/** Deletes input and result of up to `most` tasks that ended more than `days` days ago. Returns their projects and the ids of their files. */
export const deleteTaskContents = (tx: Tx, days: number, most: number) =>
  tx<{ projectId: string; files: string[] }[]>`
    with old as (select project_id, id from ai_tasks where input is not null and ended_at < now() - ${days} * interval '1 day' limit ${most} for update skip locked)
    update ai_tasks t set input = null, result = null from old where t.project_id = old.project_id and t.id = old.id
    returning t.project_id, array(select file_id from ai_task_files f where f.project_id = t.project_id and f.task_id = t.id) as files`

/** Returns true when a project has this id. */
export const doesProjectExist = async (sql: Queryable, id: string) => (await sql`select 1 from projects where id = ${id}`).length > 0
