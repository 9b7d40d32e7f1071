import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { ApiError } from '../../../http/errors/errors.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { retry } from '../../../lib/async/retry.ts'
import { invariant } from '../../../lib/invariant.ts'
import type { Usable } from '../../models/models.model.ts'
import { usableModels } from '../../models/usable.ts'
import { askModel, type Given } from '../ask.ts'
import { isCancelAsked, lockTask, noteGeneration, updateTask, type WholeRow } from '../tasks.queries.ts'
import { conclude, concludeSurely, type Outcome } from './conclude.ts'
import { learn } from './learn.ts'

const ATTEMPTS_MAX = 6
const FIRST_RETRY_MS = 2_000
const CANCEL_LOOK_MS = 500
const MISFIT_MAX = 300

/** Has a model do a task, once: what was begun before and has no end is not asked again, but asked about. */
export async function runTask(context: Context, taskId: string, stop: AbortSignal): Promise<void> {
  const begun = await transaction(context.sql, (tx) => begin(tx, taskId))
  if (!begun) return
  if (!begun.isFresh) return learn(context, begun.task, stop)
  const { task } = begun
  const cancel = new AbortController()
  const signal = AbortSignal.any([stop, cancel.signal])
  const watch = setInterval(() => {
    isCancelAsked(context.sql, taskId).then(
      (isAsked) => isAsked && cancel.abort(),
      () => {},
    )
  }, CANCEL_LOOK_MS)
  try {
    const outcome = await attempt(context, task, signal)
    if (outcome === 'again') await retry(() => transaction(context.sql, (tx) => putBack(tx, task)))
    else if (outcome === 'unknown') await learn(context, task, stop)
    else await concludeSurely(context, taskId, outcome)
  } finally {
    clearInterval(watch)
  }
}

interface Begun {
  readonly task: WholeRow
  /** Nobody has asked a model yet. */
  readonly isFresh: boolean
}

/** That it is sent is committed before it is. */
async function begin(tx: Tx, taskId: string): Promise<Begun | null> {
  const task = await lockTask(tx, taskId)
  if (task?.state === 'running') return { task, isFresh: false }
  if (task?.state !== 'queued') return null
  await updateTask(tx, taskId, { state: 'running', sentAt: new Date().toISOString(), attempts: task.attempts + 1 })
  return { task: { ...task, state: 'running', attempts: task.attempts + 1 }, isFresh: true }
}

async function attempt(context: Context, task: WholeRow, signal: AbortSignal): Promise<Outcome | 'again' | 'unknown'> {
  const { id, projectId } = task
  const usable = await modelOf(context, task)
  if (!usable) return task.attempts < ATTEMPTS_MAX ? 'again' : failed('not_connected', 'The model is not there any more.')
  // Nobody was asked yet: who is shut down, or cancelled, need not find out what became of it.
  if (signal.aborted) return 'again'
  let isTouched = false
  let noting: Promise<unknown> = Promise.resolve()
  const touched = (generation?: string) => {
    isTouched = true
    if (generation === undefined) return
    noting = noteGeneration(context.sql, id, generation).catch((err) => context.log.warn({ err, id }, 'a generation could not be noted'))
  }
  try {
    const asked = invariant(task.input, 'The input of a task')
    return outcomeOf(await askModel(context, projectId, usable, asked, { signal, touched }))
  } catch (error) {
    // Whoever asks what became of it has to know its name.
    await noting
    return afterFailure(error, isTouched || signal.aborted, task)
  }
}

/** Undefined where it is not there now, or cannot be looked for. */
async function modelOf(context: Context, { id, projectId, model, connectionId }: WholeRow): Promise<Usable | undefined> {
  try {
    const usable = await usableModels(context, { projectId })
    return usable.find((one) => one.id === model && one.connectionId === connectionId)
  } catch (err) {
    context.log.warn({ err, id }, 'the model of a task could not be looked for')
    return undefined
  }
}

/** What was given is paid, also where it is not what was asked for. */
function outcomeOf({ cost, misfit, result, ...given }: Given): Outcome {
  const unfit = misfit === undefined ? undefined : `The answer does not fit the schema (${misfit.slice(0, MISFIT_MAX)}).`
  if (cost === null) {
    const message = `It is done, and nobody said what it came to. ${unfit ?? ''}`.trim()
    // A person who says what it came to ends it as failed where there is no result.
    return { state: 'reconciliation_required', cost, reason: 'cost_unknown', message, ...given, ...(!unfit && { result }) }
  }
  if (unfit !== undefined) return { state: 'failed', cost, ...given, result, reason: 'output_invalid', message: unfit }
  return { state: 'completed', cost, ...given, result }
}

const failed = (reason: 'refused' | 'unavailable' | 'not_connected', message: string): Outcome => ({
  state: 'failed',
  cost: '0',
  reason,
  message,
})

/** What the other side may have done all the same is never asked for again. */
function afterFailure(error: unknown, isTouched: boolean, { attempts }: WholeRow): Outcome | 'again' | 'unknown' {
  if (error instanceof ApiError && !isTouched) return failed('not_connected', error.message)
  if (!(error instanceof AdapterFailure)) return 'unknown'
  const { reason, sent, message } = error
  const mayHaveActed = isTouched || (sent && (reason === 'timeout' || reason === 'unavailable'))
  if (mayHaveActed) return 'unknown'
  if (reason === 'refused' || reason === 'not_found') return failed('refused', message)
  return attempts < ATTEMPTS_MAX ? 'again' : failed('unavailable', message)
}

/** Nothing was done: it waits, twice as long each time. Whoever asked to cancel it has it cancelled now. */
async function putBack(tx: Tx, { id, projectId, attempts }: WholeRow): Promise<void> {
  const task = await lockTask(tx, id)
  if (task?.state !== 'running') return
  if (task.cancelAskedAt !== null) {
    await conclude(tx, id, { state: 'cancelled', cost: '0' })
    return
  }
  await updateTask(tx, id, { state: 'queued', sentAt: null })
  const runAt = new Date(Date.now() + FIRST_RETRY_MS * 2 ** (attempts - 1))
  await enqueue(tx, 'ai.run', { taskId: id }, { runAt, owner: projectId })
}
