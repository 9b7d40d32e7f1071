import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import { assertProjectRoom } from '../../platform/files/project-files.ts'
import { actionErrors } from '../actions/actions.errors.ts'
import { resolveModel } from '../models/available-models.ts'
import type { AvailableModel } from '../models/models.model.ts'
import { insertHoldEntry, placeHold } from './ledger.queries.ts'
import { holdAmount, isGreater } from './run/estimate.ts'
import { assertInputImages } from './run/input-images.ts'
import { taskErrors } from './tasks.errors.ts'
import type { NewTask } from './tasks.model.ts'
import { countOpenTasks, insertTask, type TaskRow } from './tasks.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'ai.run': { readonly taskId: string }
  }
}

/** Queued and running tasks that a project may have. */
const OPEN_TASKS_MAX = 1_000

/** Checked task: its model and the amount to hold. Nothing is held yet. */
export interface PreparedTask {
  readonly usable: AvailableModel
  readonly hold: string
}

/** Checks a new task and computes its hold. Throws `not_found` for an unknown model, `invalid_request`, `limit_reached`. */
export async function prepareTask(context: Context, projectId: string, { model, input, maxCost }: NewTask): Promise<PreparedTask> {
  const usable = await resolveModel(context, { projectId }, model, input.type)
  const { currency } = usable
  const { voices } = usable.model
  if (input.type === 'speech' && voices && !voices.includes(input.voice))
    throw actionErrors.voiceUnknown({ voices: voices.join(', ') }, { field: ['input', 'voice'] })
  const hold = holdAmount(usable, input, maxCost)
  if (maxCost !== undefined && isGreater(hold, maxCost)) throw taskErrors.costAboveLimit({ hold, currency }, { field: ['maxCost'] })
  await assertInputImages(usable, input)
  if (input.type !== 'text') await assertProjectRoom(context, projectId)
  return { usable, hold }
}

/** Places the hold, inserts the task and enqueues its job, in one transaction. Throws `payment_required`, `limit_reached`. */
export async function createTask(tx: Tx, projectId: string, asked: NewTask, { usable, hold }: PreparedTask): Promise<TaskRow> {
  const { currency } = usable
  if (!(await placeHold(tx, { projectId, currency }, hold))) throw taskErrors.balanceTooLow({ hold, currency })
  // The hold has locked the row of the account, so that no other transaction of the project counts at the same time.
  if ((await countOpenTasks(tx, projectId)) >= OPEN_TASKS_MAX) throw taskErrors.tooManyOpenTasks({ openTasksMax: OPEN_TASKS_MAX })
  const task = await insertTask(tx, {
    projectId,
    id: newId('ait'),
    state: 'queued',
    model: usable.id,
    connectionId: usable.connectionId,
    gives: asked.input.type,
    input: asked.input,
    metadata: asked.metadata ?? {},
    currency,
    maxCost: asked.maxCost ?? null,
    hold,
  })
  await insertHoldEntry(tx, { projectId, currency }, task.id, hold)
  await enqueue(tx, 'ai.run', { taskId: task.id }, { owner: projectId })
  return task
}
