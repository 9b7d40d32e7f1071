import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { retry } from '../../../lib/async/retry.ts'
import { describeError } from '../../../lib/errors/describe-error.ts'
import { DomainError } from '../../../lib/errors/domain-error.ts'
import { invariant } from '../../../lib/invariant.ts'
import { listAvailableModels } from '../../models/available-models.ts'
import type { AvailableModel } from '../../models/models.model.ts'
import { askModel, type ModelAnswer } from '../ask-model.ts'
import { findTaskKey, isCancelRequested, lockTask, recordGeneration, type TaskRowWithContents, updateTask } from '../tasks.queries.ts'
import { concludeTask, concludeTaskWithRetry, type TaskOutcome } from './conclude.ts'
import { resolveOutcome } from './resolve-outcome.ts'

/** Attempts after which a task fails. */
const ATTEMPTS_MAX = 6
/** Delay before the second attempt; doubles each time. */
const FIRST_RETRY_MS = 2_000
/** Interval of polls for a cancellation. */
const CANCEL_POLL_MS = 500
/** Characters of a schema problem that are stored. */
const PROBLEM_MAX = 300

/** Runs a task once. A task that was already sent and has no end is not sent again; its outcome is looked up instead. */
export async function runTask(context: Context, taskId: string, stop: AbortSignal): Promise<void> {
  const begun = await transaction(context.sql, (tx) => startTask(tx, taskId))
  if (!begun) return
  if (!begun.isFresh) return resolveOutcome(context, begun.task, stop)
  const { task } = begun
  const cancel = new AbortController()
  const signal = AbortSignal.any([stop, cancel.signal])
  const watch = setInterval(() => {
    isCancelRequested(context.sql, task).then(
      (isAsked) => isAsked && cancel.abort(),
      () => {},
    )
  }, CANCEL_POLL_MS)
  try {
    const outcome = await attempt(context, task, signal)
    if (outcome === 'retry') await retry(() => transaction(context.sql, (tx) => requeue(tx, task)))
    else if (outcome === 'unknown') await resolveOutcome(context, task, stop)
    else await concludeTaskWithRetry(context, task, outcome)
  } finally {
    clearInterval(watch)
  }
}

interface StartedTask {
  readonly task: TaskRowWithContents
  /** True when no model has been asked yet. */
  readonly isFresh: boolean
}

/** Marks a queued task as running before it is sent. Returns null when the task has ended. */
async function startTask(tx: Tx, taskId: string): Promise<StartedTask | null> {
  const key = await findTaskKey(tx, taskId)
  const task = key && (await lockTask(tx, key))
  if (task?.state === 'running') return { task, isFresh: false }
  if (task?.state !== 'queued') return null
  await updateTask(tx, task, { state: 'running', sentAt: new Date().toISOString(), attempts: task.attempts + 1 })
  return { task: { ...task, state: 'running', attempts: task.attempts + 1 }, isFresh: true }
}

async function attempt(context: Context, task: TaskRowWithContents, signal: AbortSignal): Promise<TaskOutcome | 'retry' | 'unknown'> {
  const { id, projectId } = task
  const usable = await modelOf(context, task)
  if (!usable) return task.attempts < ATTEMPTS_MAX ? 'retry' : failedOutcome('not_connected', 'The model is no longer available.')
  // Nothing was sent yet, so that a shutdown or a cancellation needs no lookup.
  if (signal.aborted) return 'retry'
  let isTouched = false
  let recording: Promise<unknown> = Promise.resolve()
  const touched = (generation?: string) => {
    isTouched = true
    if (generation === undefined) return
    recording = recordGeneration(context.sql, task, generation).catch((err) =>
      context.log.warn({ err, id }, 'a generation could not be recorded'),
    )
  }
  try {
    const asked = invariant(task.input, 'The input of a task')
    return outcomeOf(await askModel(context, projectId, usable, asked, { signal, onProgress: touched }))
  } catch (error) {
    // The lookup needs the id of the generation.
    await recording
    return afterFailure(error, { isTouched: isTouched || signal.aborted }, task)
  }
}

/** Finds the model of a task. Returns undefined when it is unavailable now or the search fails. */
async function modelOf(context: Context, { id, projectId, model, connectionId }: TaskRowWithContents): Promise<AvailableModel | undefined> {
  try {
    const usable = await listAvailableModels(context, { projectId })
    return usable.find((one) => one.id === model && one.connectionId === connectionId)
  } catch (err) {
    context.log.warn({ err, id }, 'the model of a task could not be found')
    return undefined
  }
}

/** Decides the outcome of an answer. An answer that does not fit the schema is charged as well. */
function outcomeOf({ cost, schemaMismatch: misfit, result, ...given }: ModelAnswer): TaskOutcome {
  const unfit = misfit === undefined ? undefined : `The answer does not fit the schema (${misfit.slice(0, PROBLEM_MAX)}).`
  if (cost === null) {
    const message = `The model has answered, but its source reported no cost. ${unfit ?? ''}`.trim()
    // Without a result the reconciliation ends the task as failed.
    return { state: 'reconciliation_required', cost, reason: 'cost_unknown', message, ...given, ...(!unfit && { result }) }
  }
  if (unfit !== undefined) return { state: 'failed', cost, ...given, result, reason: 'output_invalid', message: unfit }
  return { state: 'completed', cost, ...given, result }
}

const failedOutcome = (reason: 'refused' | 'unavailable' | 'not_connected', message: string): TaskOutcome => ({
  state: 'failed',
  cost: '0',
  reason,
  message,
})

/** Decides the outcome of an error. A request that the source may have carried out is never repeated. */
function afterFailure(
  error: unknown,
  { isTouched }: { readonly isTouched: boolean },
  { attempts }: TaskRowWithContents,
): TaskOutcome | 'retry' | 'unknown' {
  if (error instanceof DomainError && !isTouched) return failedOutcome('not_connected', describeError(error))
  if (!(error instanceof AdapterFailure)) return 'unknown'
  const { reason, wasSent: sent, message } = error
  const mayHaveActed = isTouched || (sent && (reason === 'timeout' || reason === 'unavailable'))
  if (mayHaveActed) return 'unknown'
  if (reason === 'refused' || reason === 'not_found') return failedOutcome('refused', message)
  return attempts < ATTEMPTS_MAX ? 'retry' : failedOutcome('unavailable', message)
}

/** Requeues a task that did nothing, with twice the delay each time, or cancels it if that was requested. */
async function requeue(tx: Tx, asked: TaskRowWithContents): Promise<void> {
  const { id, projectId, attempts } = asked
  const task = await lockTask(tx, asked)
  if (task?.state !== 'running') return
  if (task.cancelAskedAt !== null) {
    await concludeTask(tx, task, { state: 'cancelled', cost: '0' })
    return
  }
  await updateTask(tx, task, { state: 'queued', sentAt: null })
  const runAt = new Date(Date.now() + FIRST_RETRY_MS * 2 ** (attempts - 1))
  await enqueue(tx, 'ai.run', { taskId: id }, { runAt, owner: projectId })
}
