import type { LookedUp } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { listAvailableModels } from '../../models/available-models.ts'
import { canLookUpGeneration, lookUpGeneration } from '../../models/model-calls.ts'
import { costOf } from '../../models/price.ts'
import { findTask, lockTask, type TaskRowWithContents, updateTask } from '../tasks.queries.ts'
import { concludeTask, type TaskOutcome } from './conclude.ts'
import { countInputImages } from './estimate.ts'

/** Lookups after which an administrator has to find out the outcome. */
const LOOKUPS_MAX = 4
/** Delay before the second lookup; doubles each time. */
const FIRST_LOOKUP_MS = 2_000

/**
 * Looks up the outcome of a running task whose answer was lost, and ends it. Schedules another lookup when the source may know later; after
 * {@link LOOKUPS_MAX} lookups leaves the task to an administrator.
 */
export async function resolveOutcome(context: Context, { projectId, id }: TaskRowWithContents, signal: AbortSignal): Promise<void> {
  const task = await findTask(context.sql, projectId, id)
  if (task?.state !== 'running') return
  const found = await tryLookUp(context, task, signal)
  const outcome = await outcomeOf(context, task, found)
  const mayRetry = outcome.state === 'reconciliation_required' && task.looks + 1 < LOOKUPS_MAX && (await canAskAgain(context, task))
  await transaction(context.sql, async (tx) => {
    if (!mayRetry) return concludeTask(tx, task, outcome)
    const now = await lockTask(tx, task)
    if (now?.state !== 'running') return
    await updateTask(tx, task, { looks: now.looks + 1 })
    const runAt = new Date(Date.now() + FIRST_LOOKUP_MS * 2 ** now.looks)
    await enqueue(tx, 'ai.run', { taskId: id }, { runAt, owner: projectId })
  })
}

/** Returns true when another lookup may help. An unreachable connection may be reachable later. */
const canAskAgain = async (context: Context, { generation, connectionId }: TaskRowWithContents): Promise<boolean> =>
  generation !== null && canLookUpGeneration(context, { connectionId }).catch(() => true)

/** Looks up the generation. Returns null when it is unknown or the lookup fails. */
async function tryLookUp(
  context: Context,
  { projectId, connectionId, generation }: TaskRowWithContents,
  signal: AbortSignal,
): Promise<LookedUp> {
  if (generation === null) return null
  return lookUpGeneration(context, { projectId }, { connectionId }, generation, { signal }).catch((err) => {
    context.log.info({ err, generation }, 'the outcome of a generation could not be looked up')
    return null
  })
}

/** Decides the outcome of a lookup. Charges work that was done although its answer was lost, and never repeats it. */
async function outcomeOf(context: Context, task: TaskRowWithContents, found: LookedUp): Promise<TaskOutcome> {
  const isCancelled = task.cancelAskedAt !== null
  const cost = found?.done && found.usage ? await priceOf(context, task, found.usage) : undefined
  if (found?.usage && cost !== undefined) {
    const known = { cost, usage: found.usage }
    if (isCancelled) return { state: 'cancelled', ...known }
    return { state: 'failed', ...known, reason: 'answer_lost', message: 'The model did the work, but its answer was lost on the way.' }
  }
  const reason = isCancelled ? 'cancelled_midway' : 'outcome_unknown'
  const message = 'The request was sent and never answered; the source has to be checked for its outcome and cost.'
  return { state: 'reconciliation_required', cost: null, reason, message }
}

async function priceOf(
  context: Context,
  task: TaskRowWithContents,
  usage: NonNullable<NonNullable<LookedUp>['usage']>,
): Promise<string | undefined> {
  if (usage.cost !== undefined) return usage.cost
  const usable = (await listAvailableModels(context, { projectId: task.projectId })).find(({ id }) => id === task.model)
  return Object.keys(usage).length > 0 ? costOf(usable?.model.prices, usage, task.input ? countInputImages(task.input) : 0) : undefined
}
