import type { LookedUp } from '../../../../plugins/model/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { canLookUp, lookUp } from '../../models/ask.ts'
import { costOf } from '../../models/price.ts'
import { usableModels } from '../../models/usable.ts'
import { findTask, lockTask, updateTask, type WholeRow } from '../tasks.queries.ts'
import { conclude, type Outcome } from './conclude.ts'
import { shownIn } from './estimate.ts'

const LOOKS_MAX = 4
const FIRST_LOOK_MS = 2_000

/** Finds out what became of a task whose answer never came. Others may know a moment later; after some looks a person has to. */
export async function learn(context: Context, { projectId, id }: WholeRow, signal: AbortSignal): Promise<void> {
  const task = await findTask(context.sql, projectId, id)
  if (task?.state !== 'running') return
  const found = await lookFor(context, task, signal)
  const outcome = await outcomeOf(context, task, found)
  const mayLook = outcome.state === 'reconciliation_required' && task.looks + 1 < LOOKS_MAX && (await isTold(context, task))
  await transaction(context.sql, async (tx) => {
    if (!mayLook) return conclude(tx, id, outcome)
    const now = await lockTask(tx, id)
    if (now?.state !== 'running') return
    await updateTask(tx, id, { looks: now.looks + 1 })
    const runAt = new Date(Date.now() + FIRST_LOOK_MS * 2 ** now.looks)
    await enqueue(tx, 'ai.run', { taskId: id }, { runAt, owner: projectId })
  })
}

/** Whether another look may tell more. A connection that is away now may be there again. */
const isTold = async (context: Context, { generation, connectionId }: WholeRow): Promise<boolean> =>
  generation !== null && canLookUp(context, { connectionId }).catch(() => true)

/** Null where nobody knows, or cannot be asked. */
async function lookFor(context: Context, { projectId, connectionId, generation }: WholeRow, signal: AbortSignal): Promise<LookedUp> {
  if (generation === null) return null
  return lookUp(context, { projectId }, { connectionId }, generation, { signal }).catch((err) => {
    context.log.info({ err, generation }, 'what became of a generation could not be looked up')
    return null
  })
}

/** What was done without its answer is paid by what the other side counted; nothing of it is asked for anew. */
async function outcomeOf(context: Context, task: WholeRow, found: LookedUp): Promise<Outcome> {
  const isCancelled = task.cancelAskedAt !== null
  const cost = found?.done && found.usage ? await priceOf(context, task, found.usage) : undefined
  if (found?.usage && cost !== undefined) {
    const known = { cost, usage: found.usage }
    if (isCancelled) return { state: 'cancelled', ...known }
    return { state: 'failed', ...known, reason: 'answer_lost', message: 'It was done, and its answer was lost on the way.' }
  }
  const reason = isCancelled ? 'cancelled_midway' : 'outcome_unknown'
  const message = 'It was asked for and never answered; whether it was done, and what it came to, has to be seen at the other side.'
  return { state: 'reconciliation_required', cost: null, reason, message }
}

async function priceOf(context: Context, task: WholeRow, usage: NonNullable<NonNullable<LookedUp>['usage']>): Promise<string | undefined> {
  if (usage.cost !== undefined) return usage.cost
  const usable = (await usableModels(context, { projectId: task.projectId })).find(({ id }) => id === task.model)
  return Object.keys(usage).length > 0 ? costOf(usable?.model.prices, usage, task.input ? shownIn(task.input) : 0) : undefined
}
