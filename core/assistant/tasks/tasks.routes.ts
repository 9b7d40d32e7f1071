import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { createOnce } from '../../http/idempotency.ts'
import { idempotencyKeyHeader } from '../../http/openapi/operation.ts'
import { readList } from '../../http/resource/list.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { capture } from '../../lib/async/capture.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { exactAmount } from '../amounts.ts'
import { createTask, prepareTask } from './create-task.ts'
import { cancelTask, reconcileTask } from './end-task.ts'
import { addCredit, listBalances } from './ledger.queries.ts'
import { presentBalance, presentTask, presentTaskWithResult } from './present.ts'
import { taskErrors } from './tasks.errors.ts'
import { Balance, type CreationPeriod, NewCredit, NewTask, Task, TaskReconciliation, TaskWithResult, taskList } from './tasks.model.ts'
import { doesProjectExist, findTask, listTasks, listUnreconciledTasks } from './tasks.queries.ts'

const describe = tagOperations('AI tasks')
const ById = T.Object({ id: Id })

/** Routes for the AI tasks and the balance of a project. */
export const aiTasks = (context: Context) => {
  const { sql } = context
  return new Elysia({ name: 'ai tasks', prefix: '/v1/ai' })
    .use(context.auth)
    .get(
      '/tasks',
      async ({ project, query }) => {
        const period: CreationPeriod = query
        const found = await readList(sql, taskList, query, (reader, asked) => listTasks(reader, project.id, asked, period))
        return { ...found, data: found.data.map(presentTask) }
      },
      {
        project: ['viewer', 'ai:read'],
        query: taskList.query,
        response: List(Task),
        detail: describe('List tasks, newest first, without their results', 'listAiTasks'),
      },
    )
    .post(
      '/tasks',
      async (creation) => {
        const { project, set } = creation
        const { maxCost, ...rest } = creation.body
        const body = { ...rest, ...(maxCost !== undefined && { maxCost: exactAmount(maxCost, ['maxCost']) }) }
        // A repeat gets the first answer, whatever has become of the model since.
        const prepare = await capture(prepareTask(context, project.id, body))
        const created = await createOnce(context, creation, async (tx) => ({
          data: presentTask(await createTask(tx, project.id, body, prepare())),
        }))
        set.status = 202
        return created
      },
      {
        project: ['admin', 'ai:generate'],
        body: NewTask,
        response: { 202: Data(Task) },
        detail: {
          ...describe('Create a task for a model; its highest cost is held, and its real cost is charged', 'createAiTask'),
          parameters: [idempotencyKeyHeader],
        },
      },
    )
    .get(
      '/tasks/:id',
      async ({ project, params }) => {
        const task = await findTask(sql, project.id, params.id)
        if (!task) throw notFound('The task')
        return { data: await presentTaskWithResult(context, task) }
      },
      {
        project: ['viewer', 'ai:read'],
        params: ById,
        response: Data(TaskWithResult),
        detail: describe('Read a task with its result', 'readAiTask'),
      },
    )
    .post(
      '/tasks/:id/cancel',
      async ({ project, params }) => ({ data: presentTask(await transaction(sql, (tx) => cancelTask(tx, project.id, params.id))) }),
      {
        project: ['admin', 'ai:generate'],
        params: ById,
        response: Data(Task),
        detail: describe('Cancel a task; a running one is charged its cost until then', 'cancelAiTask'),
      },
    )
    .get('/balance', async ({ project }) => ({ data: (await listBalances(sql, project.id)).map(presentBalance) }), {
      project: ['viewer', 'ai:read'],
      response: Data(T.Array(Balance)),
      detail: describe('Read the balance of the project in each currency', 'readAiBalance'),
    })
}

/** Routes for administrators of the platform: credit of projects, and tasks with an unknown outcome. */
export const aiAccounts = (context: Context) => {
  const { sql } = context
  return new Elysia({ name: 'ai accounts', prefix: '/v1/admins' })
    .use(context.auth)
    .post(
      '/projects/:id/ai-credit',
      async (creation) => {
        const { params, body } = creation
        const amount = exactAmount(body.amount, ['amount'])
        if (!/[1-9]/.test(amount)) throw taskErrors.amountNotPositive({ field: ['amount'] })
        if (!(await doesProjectExist(sql, params.id))) throw notFound('The project')
        const place = { projectId: params.id, currency: body.currency }
        return createOnce(context, creation, async (tx) => ({ data: presentBalance(await addCredit(tx, place, amount, body.note)) }))
      },
      {
        user: 'admin',
        params: ById,
        body: NewCredit,
        response: { 201: Data(Balance) },
        detail: describe('Add credit to the balance of a project', 'addAiCredit'),
      },
    )
    .get(
      '/ai-tasks',
      async ({ query }) => {
        const found = await readKeysetPage(query, (before, take) => listUnreconciledTasks(sql, before, take))
        return { ...found, data: found.data.map(presentTask) }
      },
      {
        user: 'admin',
        query: T.Object(pageQuery),
        response: List(Task),
        detail: describe('List tasks of all projects with an unknown outcome, newest first', 'listDoubtfulAiTasks'),
      },
    )
    .post(
      '/ai-tasks/:id/settle',
      async ({ params, body }) => {
        const settlement = { ...body, charged: exactAmount(body.charged, ['charged']) }
        return { data: presentTask(await transaction(sql, (tx) => reconcileTask(tx, params.id, settlement))) }
      },
      {
        user: 'admin',
        params: ById,
        body: TaskReconciliation,
        response: Data(Task),
        detail: describe('End a task with an unknown outcome by its real cost', 'settleAiTask'),
      },
    )
}
